import { ChartProblem } from './chart-problem.js'

/** An entry of a tar archive. */
export interface TarEntry {
  readonly name: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly data: Uint8Array
}

const blockSize = 512
/** The largest header of POSIX or GNU that describes the next entry, such as its long path, in bytes. */
const maxExtendedBytes = 65_536
/** The limit of headers in an archive, so that a small archive with many entries does not block the event loop. */
const maxHeaders = 10_000
const types: Readonly<Record<string, TarEntry['type']>> = {
  '': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'link',
  '5': 'folder',
}

/**
 * Reads the entries of a tar archive, with the long names and sizes of POSIX (pax) and GNU. Throws {@link ChartProblem}
 * if the archive is damaged or cut off, or has too many entries.
 *
 * See https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13
 */
export function* tarEntries(archive: Buffer): Generator<TarEntry> {
  let extended: ExtendedHeader = {}
  let headers = 0
  for (let offset = 0; offset < archive.length; ) {
    const header = headerAt(archive, offset)
    if (!header) return
    if (++headers > maxHeaders) throw new ChartProblem(`its archive has more than ${maxHeaders} entries`)
    const size = Number(extended.size ?? header.size)
    const start = offset + blockSize
    if (!Number.isSafeInteger(size) || size < 0 || start + size > archive.length)
      throw new ChartProblem('its archive ends before its last file does')
    const data = archive.subarray(start, start + size)
    offset = start + Math.ceil(size / blockSize) * blockSize
    if (header.type === 'x') extended = { ...extended, ...paxRecords(checkHeaderLength(data)) }
    else if (header.type === 'L') extended = { ...extended, path: textOf(checkHeaderLength(data)) }
    else if (header.type !== 'g' && header.type !== 'K') {
      yield entryOf(extended.path ?? header.name, header.type, data)
      extended = {}
    }
  }
}

/** The fields that a header of POSIX or GNU gives the next entry. */
type ExtendedHeader = { path?: string; size?: string }

function checkHeaderLength(data: Buffer): Buffer {
  if (data.byteLength <= maxExtendedBytes) return data
  throw new ChartProblem(`its archive has a header of ${data.byteLength} bytes`)
}

function entryOf(name: string, type: string, data: Uint8Array): TarEntry {
  const isFolder = name.endsWith('/') && types[type] === 'file'
  return { name, type: isFolder ? 'folder' : (types[type] ?? 'other'), data }
}

/** The header of an entry; undefined for the blocks of zeros at the end. */
function headerAt(archive: Buffer, offset: number): { name: string; size: number; type: string } | undefined {
  const block = archive.subarray(offset, offset + blockSize)
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

/** Whether the checksum of a header is right: the sum of its bytes, with spaces in place of the checksum itself. */
function hasChecksum(block: Buffer): boolean {
  const written = Number.parseInt(textOf(block.subarray(148, 156)).trim(), 8)
  let sum = 8 * 32
  for (let index = 0; index < blockSize; index++) if (index < 148 || index >= 156) sum += block[index] ?? 0
  return sum === written
}

/** Reads a size: octal digits, or a binary number if the first bit is set. */
function sizeOf(field: Buffer): number {
  const [first = 0] = field
  if (first < 0x80) return Number.parseInt(textOf(field).trim() || '0', 8)
  return field.subarray(1).reduce((size, byte) => size * 256 + byte, first & 0x7f)
}

/** Reads records such as `21 path=a/long/name\n`; the number is the length of the record in bytes. */
function paxRecords(data: Buffer): ExtendedHeader {
  const records: ExtendedHeader = {}
  for (let offset = 0; offset < data.length; ) {
    const length = Number.parseInt(data.toString('latin1', offset, offset + 20), 10)
    const [, name, value = ''] = recordFormat.exec(data.toString('utf8', offset, offset + length - 1)) ?? []
    if (!(length > 0) || name === undefined) throw new ChartProblem('its archive is damaged')
    if (name === 'path' || name === 'size') records[name] = value
    offset += length
  }
  return records
}

const recordFormat = /^\d+ ([^=]+)=([\s\S]*)$/

function textOf(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}
