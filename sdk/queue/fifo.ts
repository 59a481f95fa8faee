/** A FIFO queue with cheap removal at any length: the start index moves instead of the array. */
export class Fifo<T> {
  #items: T[]
  #head = 0

  constructor(...items: T[]) {
    this.#items = items
  }

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes items from the front up to the first that is `wanted`, and returns that one. */
  shiftUntil(wanted: (item: T) => boolean): T | undefined {
    while (this.size > 0) {
      const first = this.#items[this.#head++]
      if (this.#head > 1000 && this.#head > this.#items.length / 2) this.#dropTaken()
      if (first !== undefined && wanted(first)) return first
    }
    return undefined
  }

  #dropTaken(): void {
    this.#items = this.#items.slice(this.#head)
    this.#head = 0
  }
}
