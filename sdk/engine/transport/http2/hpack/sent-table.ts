import { fieldOverhead } from './header-field.js'
import { staticTable } from './static-table.js'

interface SentField {
  readonly name: string
  readonly value: string
  readonly size: number
}

/** The indices of the static table's entries by name and value; an index counts from 1. */
const staticIndexes = new Map<string, Map<string, number>>()
for (const [position, { name, value }] of staticTable.entries()) {
  const byValue = staticIndexes.get(name) ?? new Map<string, number>()
  staticIndexes.set(name, byValue.set(value, position + 1))
}
/** The smallest static index of each name. */
const staticNames = new Map(
  [...staticIndexes].map(([name, byValue]) => [name, Math.min(...byValue.values())]),
)

/** The static table and the entries that we added, found by name and value. */
export class SentTable {
  /** The numbers of the added entries by name and value. They count from 1 over the life of the connection. */
  readonly #numbers = new Map<string, Map<string, number>>()
  /** The newest entry of each name, which is most often the requested one. */
  readonly #newest = new Map<string, { value: string; number: number }>()
  /** The added entries, the oldest first. */
  readonly #entries: SentField[] = []
  /** How many entries were added so far. */
  #added = 0
  #size = 0
  #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** The index of a field; 0 if the table has none. */
  indexOf(name: string, value: string): number {
    const newest = this.#newest.get(name)
    const number = newest?.value === value ? newest.number : this.#numbers.get(name)?.get(value)
    if (number !== undefined) return staticTable.length + 1 + this.#added - number
    return staticIndexes.get(name)?.get(value) ?? 0
  }

  /** The index of an entry with this name in the static table; 0 if there is none. */
  indexOfName(name: string): number {
    return staticNames.get(name) ?? 0
  }

  /** Whether a field has room in the table. */
  fits(name: string, value: string): boolean {
    return name.length + value.length + fieldOverhead <= this.#maxSize
  }

  /** Adds a new field that fits, and evicts the oldest entries to make room. */
  add(name: string, value: string): void {
    const size = name.length + value.length + fieldOverhead
    this.#evictTo(this.#maxSize - size)
    this.#entries.push({ name, value, size })
    this.#size += size
    this.#added += 1
    const byValue = this.#numbers.get(name) ?? new Map<string, number>()
    this.#numbers.set(name, byValue.set(value, this.#added))
    this.#newest.set(name, { value, number: this.#added })
  }

  /** Changes the size of the table, as the next block announces it. */
  resize(maxSize: number): void {
    this.#maxSize = maxSize
    this.#evictTo(maxSize)
  }

  #evictTo(size: number): void {
    while (this.#size > size) {
      const oldest = this.#entries.shift()
      if (oldest === undefined) return
      this.#size -= oldest.size
      const byValue = this.#numbers.get(oldest.name)
      byValue?.delete(oldest.value)
      if (byValue?.size === 0) this.#numbers.delete(oldest.name)
      if (this.#newest.get(oldest.name)?.value === oldest.value) this.#newest.delete(oldest.name)
    }
  }
}
