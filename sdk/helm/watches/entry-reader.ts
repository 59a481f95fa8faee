import { isJsonObject } from '../../engine/kube/json-object.js'
import { nearestName } from '../../engine/kube/nearest-name.js'
import type { JsonObject } from '../chart/json-object.js'
import { type ReadValue, ValueProblem } from './read-value.js'
import type { WatchesProblem, YamlPath } from './watches-text.js'

/** The number of changed letters up to which a name counts as a misspelling of a known one. */
const slipDistance = 3

/** Reads the keys of one entry. Problems are collected, so that all of a file are reported together. */
export class EntryReader {
  readonly problems: WatchesProblem[] = []
  readonly #index: number
  readonly #entry: JsonObject

  constructor(index: number, entry: unknown) {
    this.#index = index
    this.#entry = isJsonObject(entry) ? entry : {}
    if (!isJsonObject(entry)) this.add([], 'it is not a map')
  }

  has(key: string): boolean {
    return this.#entry[key] !== undefined && this.#entry[key] !== null
  }

  /** The value of a key that has to be there; undefined if it is wrong. */
  required<T>(key: string, check: ReadValue<T>): T | undefined {
    return this.try([key], () => check(this.#entry[key]))
  }

  /** The value of a key; undefined if it is missing or wrong. */
  optional<T>(key: string, check: ReadValue<T>): T | undefined {
    return this.has(key) ? this.required(key, check) : undefined
  }

  /** Runs a check of a part of the entry; undefined if it is wrong. */
  try<T>(path: YamlPath, check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error
      this.add(path, error.message)
      return undefined
    }
  }

  /** Adds a problem at a path of the entry. */
  add(path: YamlPath, message: string, isKey = false): void {
    this.problems.push({ path: [this.#index, ...path], message, isKey })
  }

  /** Refuses keys that nothing reads. */
  checkKeys(knownKeys: readonly string[]): void {
    for (const key of Object.keys(this.#entry).filter((one) => !knownKeys.includes(one))) {
      const nearest = nearestName(key, knownKeys)
      const hint =
        nearest && nearest.distance <= slipDistance ? `; did you mean ${nearest.name}?` : '; remove it'
      this.add([key], `the key is not known${hint}`, true)
    }
  }
}
