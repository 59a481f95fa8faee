import { type ApiError, isConflict, isInvalid, isNotFound } from '../../kube/error.js'

/**
 * Whether a server-side apply that names the UID of its object was refused because that object is gone: 404, 409 where
 * nothing has its name, 422 on `metadata.uid` where another object has it.
 */
export function isOtherIncarnation(error: unknown): boolean {
  if (isNotFound(error)) return true
  if (isInvalid(error)) return causesOf(error).some(({ field }) => field === 'metadata.uid')
  return isConflict(error) && causesOf(error).length === 0
}

function causesOf(error: unknown) {
  return (error as ApiError).status.details?.causes ?? []
}
