/** A queue from which taking is cheap however long it is: the beginning moves instead of the array. */
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

  /** Takes items off the front up to the first that is `wanted`, and answers that one. */
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
