import type { ResultHandler } from '../result-handler.js'
import type { Middleware } from '../run.js'

/** Handles the result of a run: metrics, retries, Events. Errors of a run end here. */
export function recordResult(results: ResultHandler): Middleware {
  return (next) => (run) => results.record(run.key, () => next(run))
}
