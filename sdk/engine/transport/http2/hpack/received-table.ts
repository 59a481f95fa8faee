import { CompressionError } from './compression-error.js'
import type { HeaderField } from './header-field.js'
import { staticTable } from './static-table.js'

/** How many evicted entries are kept at the front before they are cut off. */
const keptEvicted = 64

/** The static table, followed by the entries that the peer added, the newest first (RFC 7541, section 2.3.3). */
export class ReceivedTable {
  readonly #allowedSize: number
  /** The entries, the oldest first. Entries before `#oldest` are evicted. */
  readonly #entries: HeaderField[] = []
  #oldest = 0
  #size = 0
  #maxSize: number

  /** @param allowedSize the largest size that our SETTINGS allow, in octets */
  constructor(allowedSize: number) {
    this.#allowedSize = allowedSize
    this.#maxSize = allowedSize
  }

  /** The field at an index, which counts from 1. Throws {@link CompressionError} if there is none. */
  at(index: number): HeaderField {
    const entryIndex = this.#entries.length - (index - staticTable.length)
    const field = index <= staticTable.length ? staticTable[index - 1] : this.#entries[entryIndex]
    if (field === undefined || (index > staticTable.length && entryIndex < this.#oldest))
      throw new CompressionError(`the index ${index}, where the table has no field`)
    return field
  }

  /**
   * Adds a field, and evicts the oldest entries to make room. A field that is larger than the table empties the table.
   */
  add(field: HeaderField): void {
    this.#evictTo(this.#maxSize - field.size)
    if (field.size > this.#maxSize) return
    this.#entries.push(field)
    this.#size += field.size
  }

  /**
   * Applies a size that the peer announced. Throws {@link CompressionError} for a size above the limit of our SETTINGS.
   */
  resize(maxSize: number): void {
    if (maxSize > this.#allowedSize)
      throw new CompressionError(`a table of ${maxSize} octets, where ${this.#allowedSize} are allowed`)
    this.#maxSize = maxSize
    this.#evictTo(maxSize)
  }

  #evictTo(size: number): void {
    while (this.#size > size && this.#oldest < this.#entries.length) {
      this.#size -= this.#entries[this.#oldest]?.size ?? 0
      this.#oldest += 1
    }
    if (this.#oldest < keptEvicted) return
    this.#entries.splice(0, this.#oldest)
    this.#oldest = 0
  }
}
