import type { Key } from '../kube/key.js'

/** A key that waits, and since when. */
export interface WaitingKey {
  readonly id: string
  readonly key: Key
  readonly sinceMs: number
}

/** The order in which waiting keys are served: first come, first served. */
export class KeyLine {
  readonly #ids = new Set<string>()
  #line: WaitingKey[] = []
  /** Where the line begins: moving this instead of the array keeps taking a key cheap in a long line. */
  #head = 0

  get size(): number {
    return this.#ids.size
  }

  /** Whether a key waits; `id` is its `formatKey`. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  push(id: string, key: Key, sinceMs: number): void {
    this.#ids.add(id)
    this.#line.push({ id, key, sinceMs })
  }

  /** Takes the key whose turn it is. */
  shift(): WaitingKey | undefined {
    const first = this.#line[this.#head]
    if (first === undefined) return undefined
    this.#ids.delete(first.id)
    this.#head++
    if (this.#head > 1000 && this.#head > this.#line.length / 2) this.#dropServed()
    return first
  }

  clear(): void {
    this.#ids.clear()
    this.#line = []
    this.#head = 0
  }

  #dropServed(): void {
    this.#line = this.#line.slice(this.#head)
    this.#head = 0
  }
}
