import chunk from 'lodash/chunk.js'
import { stringifyJson } from '../../../engine/kube/json.js'
import { RenderError } from '../render-error.js'
import type { Lookup, LookupQuery } from '../renderer.js'

/** How many times a chart is rendered again with more answers to its lookups, at most. */
export const maxLookupRounds = 5

/** The most lookups of one rendering. Values of users can make a template look up any number of names. */
const maxLookups = 1_000

/** The most lookups that are asked at a time. */
const maxAtATime = 16

/** The answers to the lookups of one rendering. Without a `lookup` function, no object exists. */
export class LookupAnswers {
  readonly #lookup: Lookup | undefined
  readonly #signal: AbortSignal
  readonly #known = new Map<string, object | null>()
  /** The questions without an answer yet. */
  readonly #asked = new Map<string, Promise<object | null>>()

  constructor(lookup: Lookup | undefined, signal: AbortSignal) {
    this.#lookup = lookup
    this.#signal = signal
  }

  /** The answers by their key; `null` for an object that does not exist. */
  get known(): Readonly<Record<string, object | null>> {
    return Object.fromEntries(this.#known)
  }

  /** Finds the answers to new lookups. Rejects with a `RenderError` if there are too many. */
  async find(keys: readonly string[]): Promise<void> {
    this.#checkNumber(keys)
    for (const some of chunk(keys, maxAtATime)) await Promise.all(some.map((key) => this.#answer(key)))
  }

  /** Finds the answer to one lookup, as JSON. Rejects with a `RenderError` if there are too many. */
  readonly answer = async (key: string): Promise<string | null> => {
    this.#checkNumber([key])
    const answer = await this.#answer(key)
    return answer && stringifyJson(answer)
  }

  #checkNumber(keys: readonly string[]): void {
    const added = keys.filter((key) => !this.#known.has(key))
    if (this.#known.size + added.length <= maxLookups) return
    throw new RenderError(
      'RenderError',
      `the templates look up more than ${maxLookups} objects; look up a list in place of single objects`,
    )
  }

  async #answer(key: string): Promise<object | null> {
    const knownAnswer = this.#known.get(key)
    if (knownAnswer !== undefined) return knownAnswer
    const pendingAnswer = this.#asked.get(key) ?? this.#ask(key)
    this.#asked.set(key, pendingAnswer)
    try {
      const answer = await pendingAnswer
      this.#known.set(key, answer)
      return answer
    } finally {
      this.#asked.delete(key)
    }
  }

  async #ask(key: string): Promise<object | null> {
    return (await this.#lookup?.(queryOf(key), this.#signal)) ?? null
  }
}

/** Names of objects have no `|`, so a key has exactly four parts. */
function queryOf(key: string): LookupQuery {
  const [apiVersion = '', kind = '', namespace = '', name = ''] = key.split('|')
  return { apiVersion, kind, namespace, name }
}
