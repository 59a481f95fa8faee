import type { ApiError } from '../../sdk/engine/kube/error.js'
import { failure } from '../request/status.js'

/** A 500 with a cause, as a real server answers. */
export function internalError(why: string): ApiError {
  const details = { causes: [{ message: why }] }
  return failure(500, `Internal error occurred: ${why}`, { reason: 'InternalError', details })
}
