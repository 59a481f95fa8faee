import { ApiError, isConflict } from '../../engine/kube/error.js'
import { fewNames } from '../../engine/kube/few-names.js'
import { memberOf } from '../../engine/kube/json-object.js'

/**
 * The error for a server-side apply that was refused because other managers own some of its fields; undefined for
 * another error. It is not a 409 for its caller: the next run would send the same fields.
 */
export function fieldConflictError(object: string, error: unknown): Error | undefined {
  const conflicts = conflictsOf(error)
  if (conflicts.length === 0) return undefined
  return new Error(
    `${object} was not changed, because others manage its fields: ${fewNames(conflicts)}. Leave these fields out, or take ` +
      "them over with ctx.apply(…, { shared: true, force: 'the reason' }).",
    { cause: error },
  )
}

/** The fields that a server-side apply was refused for, and their managers, in the words of the API server. */
export function conflictsOf(error: unknown): string[] {
  if (!(error instanceof ApiError) || !isConflict(error)) return []
  const causes: unknown = error.status.details?.causes
  // Any server may have written them.
  const all: readonly unknown[] = Array.isArray(causes) ? causes : []
  return all
    .filter((cause) => memberOf(cause, 'reason') === 'FieldManagerConflict')
    .map((cause) => `${textIn(cause, 'field')}: ${textIn(cause, 'message')}`)
}

function textIn(cause: unknown, name: string): string {
  const text = memberOf(cause, name)
  return typeof text === 'string' ? text : ''
}
