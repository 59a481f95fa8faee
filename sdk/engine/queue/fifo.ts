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

  /** The first item of the queue. */
  get first(): T | undefined {
    return this.#items[this.#head]
  }

  /** The same items in the same order, without those for which `isLeftOut` is true. */
  without(isLeftOut: (item: T) => boolean): Fifo<T> {
    const remaining = new Fifo<T>()
    for (let index = this.#head; index < this.#items.length; index++) {
      const item = this.#items[index] as T
      if (!isLeftOut(item)) remaining.push(item)
    }
    return remaining
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes items from the front up to the first item for which `wanted` is true, and returns that item. */
  shiftUntil(wanted: (item: T) => boolean): T | undefined {
    while (this.size > 0) {
      const first = this.#items[this.#head++]
      if (this.#head > 1000 && this.#head > this.#items.length / 2) this.#dropTaken()
      if (first !== undefined && wanted(first)) return first
    }
    return undefined
  }

  /** Frees the memory of the items before the start index. */
  #dropTaken(): void {
    this.#items = this.#items.slice(this.#head)
    this.#head = 0
  }
}
