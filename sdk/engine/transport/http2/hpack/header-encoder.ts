import { defaultTableSize } from './header-decoder.js'
import { SentTable } from './sent-table.js'

/**
 * How a field is written: into the table, not into the table, or so that proxies must not put it into a table either.
 */
export type Indexing = 'indexed' | 'unindexed' | 'never'

/** The first octet of a literal field, and how many bits of it belong to the index of the name. */
const literals = { indexed: [0x40, 6], unindexed: [0x00, 4], never: [0x10, 4] } as const

/** The room for the length of a string before its characters, in octets. */
const integerRoom = 6

/** The largest table that we use, even if the peer allows more, in octets. */
const maxTable = defaultTableSize

/**
 * Encodes the header blocks of one connection. Strings are not compressed, because compressing strings that no table
 * contains would take longer than sending them.
 */
export class HeaderEncoder {
  readonly #table = new SentTable(defaultTableSize)
  #tableSize = defaultTableSize
  /** The smallest and the last table size since the last block, which the next block announces. */
  #resized: { smallest: number; last: number } | undefined
  #block = Buffer.allocUnsafeSlow(8192)
  #used = 0

  /** Follows the peer's SETTINGS_HEADER_TABLE_SIZE from the next block on. */
  setTableSize(allowed: number): void {
    const size = Math.min(allowed, maxTable)
    if (size === this.#tableSize && this.#resized === undefined) return
    this.#tableSize = size
    this.#resized = { smallest: Math.min(size, this.#resized?.smallest ?? size), last: size }
    this.#table.resize(size)
  }

  /** Begins a block. */
  begin(): void {
    this.#used = 0
    if (this.#resized === undefined) return
    const { smallest, last } = this.#resized
    this.#resized = undefined
    this.#reserve(2 * integerRoom)
    this.#integer(0x20, 5, smallest)
    if (last !== smallest) this.#integer(0x20, 5, last)
  }

  /** Adds a field. Each character of its value is one octet. */
  add(name: string, value: string, indexing: Indexing): void {
    this.#reserve(name.length + value.length + 3 * integerRoom)
    const index = indexing === 'never' ? 0 : this.#table.indexOf(name, value)
    if (index > 0) this.#integer(0x80, 7, index)
    else this.#literal(name, value, indexing)
  }

  /** Ends the block and returns it. It is valid until the next block begins. */
  end(): Uint8Array {
    return this.#block.subarray(0, this.#used)
  }

  /** Writes a field whose value is not in the table; its name may be. */
  #literal(name: string, value: string, indexing: Indexing): void {
    const isAdded = indexing === 'indexed' && this.#table.fits(name, value)
    const [first, bits] = literals[isAdded || indexing === 'never' ? indexing : 'unindexed']
    const nameIndex = this.#table.indexOfName(name)
    this.#integer(first, bits, nameIndex)
    if (nameIndex === 0) this.#text(name)
    this.#text(value)
    if (isAdded) this.#table.add(name, value)
  }

  #text(text: string): void {
    this.#integer(0, 7, text.length)
    this.#used += this.#block.write(text, this.#used, 'latin1')
  }

  /**
   * Writes an integer (RFC 7541, section 5.1). Its first octet has the bits of `first`, and `bits` bits for the
   * integer.
   */
  #integer(first: number, bits: number, value: number): void {
    const maxPrefix = (1 << bits) - 1
    if (value < maxPrefix) {
      this.#block[this.#used++] = first | value
      return
    }
    this.#block[this.#used++] = first | maxPrefix
    let remaining = value - maxPrefix
    for (; remaining >= 128; remaining = Math.floor(remaining / 128))
      this.#block[this.#used++] = (remaining % 128) | 0x80
    this.#block[this.#used++] = remaining
  }

  /** Makes room for so many octets at the end of the block. */
  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#block.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.#used + bytes))
    this.#block.copy(larger, 0, 0, this.#used)
    this.#block = larger
  }
}
