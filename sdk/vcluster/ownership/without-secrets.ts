import { ApiError, type Status } from '../../engine/kube/error.js'
import type { Resource } from '../../engine/kube/resource.js'
import { isSecret } from '../../engine/kube/resource.js'

/**
 * Removes data of a Secret from an error, because an API server quotes the values that it refuses. Only the code, the
 * reason and the field names are kept. Called before an error of a write is thrown or shown in an Event.
 */
export function withoutSecrets(resource: Resource, error: unknown): unknown {
  if (!(error instanceof ApiError) || !isSecret(resource)) return error
  const fields = error.status.details?.causes?.flatMap(({ field }) => field ?? []) ?? []
  const where = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  const message = `the API server refused the Secret: ${error.code} ${error.reason}${where}`
  const status: Status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code: error.code }
  return new ApiError(error.reason ? { ...status, reason: error.reason } : status)
}
