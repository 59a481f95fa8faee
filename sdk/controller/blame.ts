import { CircuitOpenError } from '../client/circuit-breaker.js'
import { ApiError, PluginError } from '../kube/error.js'

/** What an API server answers when it does not want this very object. */
const aboutTheObject: ReadonlySet<number> = new Set([400, 403, 413, 422])

/** What systems and protocols call it when a connection ends or never comes about. */
const connectionCode = /^(?:E[A-Z_]+|UND_ERR\w*|ERR_(?:HTTP2|TLS|SSL)\w*)$/

const passingNames: ReadonlySet<string> = new Set([
  'AbortError',
  'TimeoutError',
  'FailedAttempt',
  'UnexpectedAnswerError',
])

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

function isPassing(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (passingNames.has(at.name)) return true
    if ('code' in at && typeof at.code === 'string' && connectionCode.test(at.code)) return true
  }
  return false
}
