import { CompressionError } from './compression-error.js'

/**
 * The number of bits of each octet's code (RFC 7541, Appendix B). The code is canonical: it follows from the lengths,
 * shorter codes first and smaller octets first among codes of one length.
 */
// prettier-ignore
// biome-ignore format: a table of 32 columns
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
]

const leaf = 0x8000
const unused = 0

/**
 * Tables of 256 entries each, one after the other. An entry is a leaf with its number of bits and its octet, the number
 * of the next table, or `unused`. Unused entries belong to the code for the end of a string, which no string may
 * contain.
 */
const tables = buildTables()

function buildTables(): Uint16Array {
  const entries: number[] = new Array(256).fill(unused)
  const order = codeLengths.map((_, octet) => octet).sort((a, b) => lengthOf(a) - lengthOf(b) || a - b)
  let code = 0
  let length = 0
  for (const octet of order) {
    code *= 2 ** (lengthOf(octet) - length)
    length = lengthOf(octet)
    addCode(entries, { code, length, octet })
    code += 1
  }
  return Uint16Array.from(entries)
}

function lengthOf(octet: number): number {
  return codeLengths[octet] as number
}

/**
 * Adds the code of an octet. Eight bits of the code choose an entry in each table; all entries that begin with the last
 * bits become leaves.
 */
function addCode(
  entries: number[],
  { code, length, octet }: { code: number; length: number; octet: number },
) {
  let table = 0
  let bitsLeft = length
  for (; bitsLeft > 8; bitsLeft -= 8)
    table = childTable(entries, table * 256 + ((code >>> (bitsLeft - 8)) & 0xff))
  const first = table * 256 + ((code << (8 - bitsLeft)) & 0xff)
  entries.fill(leaf | (bitsLeft << 8) | octet, first, first + 2 ** (8 - bitsLeft))
}

/** The number of the table that an entry refers to; the table is added if the entry is unused. */
function childTable(entries: number[], position: number): number {
  const existing = entries[position]
  if (existing) return existing
  const table = entries.length / 256
  entries.push(...new Array(256).fill(unused))
  entries[position] = table
  return table
}

let scratch = Buffer.allocUnsafeSlow(4096)

/**
 * Decodes a Huffman-coded string, one character for each octet. Throws {@link CompressionError} for the code of the end
 * of a string, and for padding of more than seven bits or with zeros.
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string {
  // The shortest code has five bits.
  const maxOctets = Math.ceil(((end - start) * 8) / 5)
  if (scratch.length < maxOctets) scratch = Buffer.allocUnsafeSlow(maxOctets)
  let [written, table, bits, bitCount, sinceOctet] = [0, 0, 0, 0, 0]
  for (let offset = start; offset < end || bitCount > 0; ) {
    if (bitCount < 8 && offset < end) {
      bits = ((bits << 8) | (bytes[offset++] as number)) & 0xffff
      bitCount += 8
      sinceOctet += 8
    }
    const shift = bitCount - 8
    const index = (shift >= 0 ? bits >>> shift : bits << -shift) & 0xff
    const entry = tables[table * 256 + index] as number
    const bitsTaken = entry & leaf ? (entry >>> 8) & 0x7f : 8
    if (entry === unused && bitCount >= 8) throw new CompressionError('an invalid Huffman code')
    if (bitsTaken > bitCount || entry === unused) break
    bitCount -= bitsTaken
    table = entry & leaf ? 0 : entry
    if (!(entry & leaf)) continue
    scratch[written++] = entry & 0xff
    sinceOctet = bitCount
  }
  const padding = (1 << bitCount) - 1
  if (sinceOctet > 7 || (bits & padding) !== padding) throw new CompressionError('invalid Huffman padding')
  return scratch.toString('latin1', 0, written)
}
