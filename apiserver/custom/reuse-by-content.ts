import { createHash } from 'node:crypto'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { BoundedMap } from '../base/bounded-map.js'

/** The number of results that one function keeps. */
const maxResults = 50

/** Options of {@link reuseByContent}. */
export interface ReuseOptions<R> {
  /** Whether a result is kept; default every one. */
  keeps?: (result: R) => boolean
}

/**
 * The function, with the results for equal arguments reused. A process that creates many servers, as tests do, then
 * compiles each schema once. The arguments are JSON, and results must not be changed.
 */
export function reuseByContent<Args extends readonly unknown[], R>(
  compute: (...args: Args) => R,
  { keeps = () => true }: ReuseOptions<R> = {},
): (...args: Args) => R {
  const results = new BoundedMap<{ readonly result: R }>(maxResults)
  return (...args) => {
    const key = createHash('sha256').update(stringifyJson(args)).digest('base64')
    const existing = results.get(key)
    if (existing) return existing.result
    const result = compute(...args)
    if (keeps(result)) results.set(key, { result })
    return result
  }
}
