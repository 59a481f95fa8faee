import { seededRandom } from '../../../apiserver/faults/seeded-random.js'

/** Random choices that are the same for the same seed. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end)
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.#next() < probability
  }

  /** One of several; throws for an empty list. */
  pick<T>(choices: readonly T[]): T {
    const found = choices[this.below(choices.length)]
    if (found === undefined) throw new Error('there is nothing to choose from')
    return found
  }

  /** One of the keys, each as often as its weight says. */
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
    throw new Error('there is nothing to choose from')
  }
}
