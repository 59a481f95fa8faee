import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ChartFile } from './chart.js'

const zip = promisify(gzip)
const blockSize = 512

/** Writes files as the archive of a chart; equal files give equal bytes. */
export async function packChart(folder: string, files: readonly ChartFile[]): Promise<Buffer> {
  const blocks = files.flatMap(({ name, data }) => entryBlocks(`${folder}/${name}`, data))
  return zip(Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]))
}

function entryBlocks(path: string, data: Uint8Array): Uint8Array[] {
  const isLong = Buffer.byteLength(path) > 100
  const record = isLong ? paxRecord('path', path) : undefined
  return [
    ...(record ? [header('pax', 'x', record.length), record, padding(record.length)] : []),
    header(isLong ? 'long' : path, '0', data.byteLength),
    data,
    padding(data.byteLength),
  ]
}

const padding = (size: number) => Buffer.alloc((blockSize - (size % blockSize)) % blockSize)

/** A pax record, such as `21 path=a/long/name\n`: the length at its beginning includes the digits of the length. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest
  while (length !== rest + String(length).length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

function header(name: string, type: string, size: number): Buffer {
  const block = Buffer.alloc(blockSize)
  block.write(name, 0)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
