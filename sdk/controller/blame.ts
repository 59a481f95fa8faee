import { CircuitOpenError } from '../client/circuit-breaker.js'
import { ApiError, PluginError } from '../kube/error.js'
import { isPassing } from '../observe/passing-error.js'

/** What an API server answers when it does not want this very object. */
const aboutTheObject: ReadonlySet<number> = new Set([400, 403, 413, 422])

/**
 * Whether a run failed because of its object, or of the code that handles it, so that trying again at once is of
 * little use. What ails the whole cluster (a broken connection, an overloaded server, lost leadership) is no object's
 * fault.
 */
export function isObjectsFault(error: unknown): boolean {
  if (error instanceof ApiError) return aboutTheObject.has(error.code)
  if (error instanceof CircuitOpenError) return false
  if (error instanceof PluginError) return error.code !== 'NOT_LEADER'
  return !isPassing(error)
}
