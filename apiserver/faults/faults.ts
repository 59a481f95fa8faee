/**
 * Injects faults between a client and the server, by rules that apply to requests in process and over HTTPS
 * alike. A rule selects requests and defines what happens to them.
 *
 * A rule counts the requests that it acts on, and ends with `remove()`: stalled watches continue and stale
 * readers catch up. Without rules there is no overhead.
 */

import { setMaxListeners } from 'node:events'
import type { FaultAction } from './fault-action.js'
import { type FaultedRequest, type FaultMatch, matchesRequest } from './fault-match.js'
import { seededRandom } from './seeded-random.js'

/** Options that limit how often a fault rule acts. */
export interface FaultOptions {
  /** The number of matching requests to ignore first; default 0. */
  readonly skip?: number
  /** The maximum number of requests to act on; default unlimited. */
  readonly times?: number
  /** Acts on this share of the matching requests, from 0 to 1; default 1. */
  readonly probability?: number
  /** Makes `probability` repeatable; default 1. */
  readonly seed?: number
}

/** An active rule. */
export interface FaultRule {
  readonly match: FaultMatch
  readonly action: FaultAction
  /** The number of matching requests, including those it did not act on. */
  readonly matches: number
  /** The number of requests that it acted on. */
  readonly hits: number
  /** Removes the rule and releases everything that it holds back. */
  remove(): void
}

/** A rule that acts on a request, with the signal of its removal. */
export interface Hit {
  readonly action: FaultAction
  /** Aborts when the rule is removed. */
  readonly removalSignal: AbortSignal
}

/**
 * The fault rules of one server. Matching rules act in the order in which they were added; a rule that
 * determines the response (`status`, `reset`) is the last to act.
 *
 * @example
 * ```ts
 * const server = await createApiServer()
 * const creates = { verb: 'create', resource: 'configmaps' }
 * const rule = server.faults.add(creates, { type: 'status', code: 503 }, { times: 2 })
 * const { status } = await server.handle({ method: 'POST', path: '/api/v1/namespaces/default/configmaps' })
 * console.log(status, rule.hits) // 503 1
 * rule.remove()
 * ```
 */
export interface Faults {
  /** The active rules. */
  readonly rules: readonly FaultRule[]
  /** Whether there are no rules. */
  readonly isEmpty: boolean
  /** Adds a rule. */
  add(match: FaultMatch, action: FaultAction, options?: FaultOptions): FaultRule
  /** Removes every rule. */
  clear(): void
}

/** The rules, for the server that obeys them. */
export class FaultRules implements Faults {
  readonly #rules = new Set<Rule>()

  add(match: FaultMatch, action: FaultAction, options: FaultOptions = {}): FaultRule {
    const rule = new Rule({ match, action, options, onRemove: () => this.#rules.delete(rule) })
    this.#rules.add(rule)
    return rule
  }

  get rules(): readonly FaultRule[] {
    return [...this.#rules]
  }

  clear(): void {
    for (const rule of [...this.#rules]) rule.remove()
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0
  }

  /** The rules that act on a request; counts the matches. */
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
    // Each delayed request listens.
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

  get removalSignal(): AbortSignal {
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
