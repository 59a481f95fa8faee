import { seededRandom } from '../../../apiserver/faults/seeded-random.js'

/** Random choices that are determined by the seed. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** An integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.#next() < probability
  }

  /** One of several values; throws for an empty list. */
  pick<T>(choices: readonly T[]): T {
    const found = choices[this.below(choices.length)]
    if (found === undefined) throw new Error('cannot choose from an empty list')
    return found
  }

  /** One of the keys, with the probability of its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][]
    let rest = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    const found = entries.find(([, weight]) => {
      rest -= weight
      return rest < 0
    })
    return (found ?? entries[0] ?? this.#none())[0]
  }

  #none(): never {
    throw new Error('cannot choose from an empty list')
  }
}
