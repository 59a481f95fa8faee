import { ChartProblem } from './chart-problem.js'

/** An entry of a tar archive. */
export interface TarEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly data: Uint8Array
}

const blockSize = 512
const types: Readonly<Record<string, TarEntry['type']>> = {
  '': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '5': 'folder',
}

/**
 * Reads the entries of a tar archive, with the long names and sizes of POSIX (pax) and GNU. Throws {@link ChartProblem} if
 * the archive is damaged or cut off.
 *
 * See https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13
 */
export function* tarEntries(archive: Buffer): Generator<TarEntry> {
  let extended = new Map<string, string>()
  for (let at = 0; at < archive.length; ) {
    const header = headerAt(archive, at)
    if (!header) return
    const size = Number(extended.get('size') ?? header.size)
    const start = at + blockSize
    if (!Number.isSafeInteger(size) || size < 0 || start + size > archive.length)
      throw new ChartProblem('its archive ends before its last file does')
    const data = archive.subarray(start, start + size)
    at = start + Math.ceil(size / blockSize) * blockSize
    if (header.type === 'x') extended = new Map([...extended, ...paxRecords(data)])
    else if (header.type === 'L') extended = new Map([...extended, ['path', textOf(data)]])
    else if (header.type !== 'g' && header.type !== 'K') {
      yield entryOf(extended.get('path') ?? header.name, header.type, data)
      extended = new Map()
    }
  }
}

function entryOf(name: string, type: string, data: Uint8Array): TarEntry {
  const isFolder = name.endsWith('/') && types[type] === 'file'
  return { name, type: isFolder ? 'folder' : (types[type] ?? 'other'), data }
}

/** The header of an entry; nothing for the blocks of zeros at the end. */
function headerAt(archive: Buffer, at: number): { name: string; size: number; type: string } | undefined {
  const block = archive.subarray(at, at + blockSize)
  if (block.every((byte) => byte === 0)) return undefined
  if (block.length < blockSize || !hasChecksum(block)) throw new ChartProblem('its archive is damaged')
  const isPosix = textOf(block.subarray(257, 262)) === 'ustar' && block[262] === 0
  const prefix = isPosix ? textOf(block.subarray(345, 500)) : ''
  const name = textOf(block.subarray(0, 100))
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: sizeOf(block.subarray(124, 136)),
    type: textOf(block.subarray(156, 157)),
  }
}

/** The sum of all bytes, with the sum's own eight as spaces. */
function hasChecksum(block: Buffer): boolean {
  const written = Number.parseInt(textOf(block.subarray(148, 156)).trim(), 8)
  let sum = 8 * 32
  for (const [at, byte] of block.entries()) if (at < 148 || at >= 156) sum += byte
  return sum === written
}

/** Octal digits, or with the first bit set a binary number. */
function sizeOf(field: Buffer): number {
  const [first = 0] = field
  if (first < 0x80) return Number.parseInt(textOf(field).trim() || '0', 8)
  return field.subarray(1).reduce((size, byte) => size * 256 + byte, first & 0x7f)
}

/** Records such as `21 path=a/long/name\n`; the number is the length of the record in bytes. */
function paxRecords(data: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < data.length; ) {
    const length = Number.parseInt(data.toString('latin1', at, at + 20), 10)
    if (!(length > 0)) throw new ChartProblem('its archive is damaged')
    const record = data.toString('utf8', at, at + length - 1)
    const equals = record.indexOf('=')
    records.set(record.slice(record.indexOf(' ') + 1, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}
