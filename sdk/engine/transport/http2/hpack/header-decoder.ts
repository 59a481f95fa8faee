import { CompressionError } from './compression-error.js'
import { type HeaderField, headerField } from './header-field.js'
import { decodeHuffman } from './huffman.js'
import { ReceivedTable } from './received-table.js'

/** The default of SETTINGS_HEADER_TABLE_SIZE, which limits the dynamic table, in octets. */
export const defaultTableSize = 4096

/** The largest accepted length or index; a larger one is an attack. */
const maxInteger = 2 ** 28

/** Receives the fields of a header block in their order. */
export interface FieldList {
  add(field: HeaderField): void
}

/**
 * Decodes the header blocks of one connection, in their order, because each may change the table that the next block
 * refers to.
 */
export class HeaderDecoder {
  readonly #table = new ReceivedTable(defaultTableSize)
  #block: Uint8Array = new Uint8Array()
  #offset = 0

  /** Adds each field of a block to a list. Throws {@link CompressionError}, after which nothing can be decoded. */
  decode(block: Uint8Array, list: FieldList): void {
    this.#block = block
    this.#offset = 0
    let fields = 0
    while (this.#offset < block.length) {
      const first = this.#octet()
      if ((first & 0xe0) === 0x20) {
        if (fields > 0) throw new CompressionError('a change of the table size after a header field')
        this.#table.resize(this.#integer(first, 5))
      } else {
        fields += 1
        list.add(first & 0x80 ? this.#table.at(this.#integer(first, 7)) : this.#literal(first))
      }
    }
  }

  /**
   * Decodes a literal field. Its first octet begins with 01 (incremental indexing), 0000 (without indexing) or 0001
   * (never indexed).
   */
  #literal(first: number): HeaderField {
    const isIndexed = (first & 0xc0) === 0x40
    const index = this.#integer(first, isIndexed ? 6 : 4)
    const indexedField = index === 0 ? undefined : this.#table.at(index)
    const name = indexedField?.name ?? this.#text()
    // An invalid value does not mean that the name is invalid.
    const field = headerField(name, this.#text(), indexedField?.isValid || undefined)
    if (isIndexed) this.#table.add(field)
    return field
  }

  #text(): string {
    const first = this.#octet()
    const length = this.#integer(first, 7)
    const start = this.#offset
    const end = start + length
    if (end > this.#block.length) throw new CompressionError('a string beyond its header block')
    this.#offset = end
    if (first & 0x80) return decodeHuffman(this.#block, start, end)
    const { buffer, byteOffset } = this.#block
    return Buffer.from(buffer, byteOffset + start, length).toString('latin1')
  }

  /** Reads an integer (RFC 7541, section 5.1) that begins in the last `prefixBits` bits of the octet `first`. */
  #integer(first: number, prefixBits: number): number {
    const maxPrefix = (1 << prefixBits) - 1
    let value = first & maxPrefix
    if (value < maxPrefix) return value
    for (let factor = 1; ; factor *= 128) {
      const octet = this.#octet()
      value += (octet & 0x7f) * factor
      if (value > maxInteger || factor > maxInteger)
        throw new CompressionError('an integer that is too large')
      if ((octet & 0x80) === 0) return value
    }
  }

  #octet(): number {
    if (this.#offset >= this.#block.length)
      throw new CompressionError('a header block that ends inside a field')
    return this.#block[this.#offset++] as number
  }
}
