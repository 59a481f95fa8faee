import { ApiError, PluginError } from '../kube/error.js'
import { RetryLaterError } from '../kube/retry-later-error.js'
import { isTransient } from '../observe/transient-error.js'

/** The status codes of an API server that rejects this one object. */
const objectErrorCodes: ReadonlySet<number> = new Set([400, 403, 413, 422])

/**
 * Whether a run failed because of its object, or of the code that handles it, so that an immediate retry is unlikely to
 * help: such a key may enter quarantine. A broken connection, an overloaded API server or lost leadership is not an
 * object error.
 */
export function isObjectError(error: unknown): boolean {
  if (error instanceof ApiError) return objectErrorCodes.has(error.code)
  if (error instanceof RetryLaterError) return false
  if (error instanceof PluginError) return error.code !== 'NOT_LEADER'
  return !isTransient(error)
}
