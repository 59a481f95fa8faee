/**
 * Injects faults between a client and the server, by rules that act on requests in process and over HTTPS alike. A
 * rule says which requests it matches and what happens to them.
 *
 * A rule acts only on matching requests, counts what it did, and ends with `remove()`: stalled watches go on and
 * stale readers catch up. Without rules it costs nothing.
 */

import { setMaxListeners } from 'node:events'
import type { FaultAction } from './fault-action.js'
import { type FaultedRequest, type FaultMatch, matchesRequest } from './fault-match.js'
import { seededRandom } from './seeded-random.js'

/** When a fault rule acts on the requests that it matches. */
export interface FaultOptions {
  /** Lets so many matching requests pass first; default 0. */
  readonly skip?: number
  /** Acts so many times at most; default without end. */
  readonly times?: number
  /** Acts on this share of the matching requests, from 0 to 1; default 1. */
  readonly probability?: number
  /** Makes `probability` repeatable; default 1. */
  readonly seed?: number
}

/** A rule that is in force. */
export interface FaultRule {
  readonly match: FaultMatch
  readonly action: FaultAction
  /** How many requests it matched, acted on or not. */
  readonly matches: number
  /** How many requests it acted on. */
  readonly hits: number
  /** Ends it: what it holds back is let go. */
  remove(): void
}

/** A rule and when it ends; for those who carry actions out. */
export interface Hit {
  readonly action: FaultAction
  /** Aborts when the rule is removed. */
  readonly removed: AbortSignal
}

/**
 * The fault rules of one server. Several rules that match act in the order in which they were added; one that
 * decides the answer (`status`, `reset`) is the last.
 *
 * @example
 * ```ts
 * const server = await createApiServer()
 * const rule = server.faults.add({ verb: 'create', resource: 'configmaps' }, { type: 'status', code: 503 }, { times: 2 })
 * const { status } = await server.handle({ method: 'POST', path: '/api/v1/namespaces/default/configmaps' })
 * console.log(status, rule.hits) // 503 1
 * rule.remove()
 * ```
 */
export class Faults {
  readonly #rules = new Set<Rule>()

  /** Puts a rule in force. */
  add(match: FaultMatch, action: FaultAction, options: FaultOptions = {}): FaultRule {
    const rule = new Rule({ match, action, options, onRemove: () => this.#rules.delete(rule) })
    this.#rules.add(rule)
    return rule
  }

  /** The rules in force. */
  get rules(): readonly FaultRule[] {
    return [...this.#rules]
  }

  /** Removes every rule. */
  clear(): void {
    for (const rule of [...this.#rules]) rule.remove()
  }

  /** Whether no rule is in force. */
  get isEmpty(): boolean {
    return this.#rules.size === 0
  }

  /** Asks the rules whether they act on a request, and counts. */
  hitsOf(request: FaultedRequest): Hit[] {
    const hits: Hit[] = []
    for (const rule of this.#rules) {
      if (!rule.strikes(request)) continue
      hits.push(rule)
      if (rule.action.type === 'status' || rule.action.type === 'reset') break
    }
    return hits
  }
}

interface RuleParts {
  readonly match: FaultMatch
  readonly action: FaultAction
  readonly options: FaultOptions
  readonly onRemove: () => void
}

class Rule implements FaultRule, Hit {
  readonly match: FaultMatch
  readonly action: FaultAction
  readonly #options: Required<FaultOptions>
  readonly #random: () => number
  readonly #onRemove: () => void
  readonly #removed = new AbortController()
  #matches = 0
  #hits = 0

  constructor({ match, action, options, onRemove }: RuleParts) {
    const { skip = 0, times = Number.POSITIVE_INFINITY, probability = 1, seed = 1 } = options
    this.match = match
    this.action = action
    // Each request that it holds back listens.
    setMaxListeners(0, this.#removed.signal)
    this.#options = { skip, times, probability, seed }
    this.#random = seededRandom(seed)
    this.#onRemove = onRemove
  }

  get matches(): number {
    return this.#matches
  }

  get hits(): number {
    return this.#hits
  }

  get removed(): AbortSignal {
    return this.#removed.signal
  }

  remove(): void {
    this.#onRemove()
    this.#removed.abort()
  }

  /** Whether the rule acts on a request. */
  strikes(request: FaultedRequest): boolean {
    if (!matchesRequest(this.match, request)) return false
    const { skip, times, probability } = this.#options
    this.#matches += 1
    if (this.#matches <= skip || this.#hits >= times || this.#random() >= probability) return false
    this.#hits += 1
    return true
  }
}
