import type { ResultHandler } from '../result-handler.js'
import type { Middleware } from '../run.js'
import type { UnhandledRejections } from '../unhandled-rejections.js'

/** Assigns the rejection of a promise that a run did not await to the key of that run. */
export function containRejections(rejections: UnhandledRejections, results: ResultHandler): Middleware {
  return (next) => (run) =>
    rejections.runContained(
      (error) => results.handleRejection(run.key, error),
      () => next(run),
    )
}
