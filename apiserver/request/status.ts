import { ApiError, type Status, type StatusDetails } from '../../sdk/engine/kube/error.js'
import { formatResource, type Resource } from '../../sdk/engine/kube/resource.js'
import { type FieldError, firstErrors, formatFieldErrors, quotedText } from '../validation/field-error.js'

/** The fields of a resource that an error names. */
export type NamedResource = Pick<Resource, 'group' | 'plural'>

/** Options of {@link failure}. */
export interface FailureOptions {
  /** The machine-readable reason; none by default, as Kubernetes does for some errors. */
  reason?: string
  details?: StatusDetails
}

/**
 * An error as a Status. Texts follow
 * https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/api/errors/errors.go
 */
export function failure(code: number, message: string, { reason, details }: FailureOptions = {}): ApiError {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message }
  if (reason !== undefined) status.reason = reason
  if (details !== undefined) status.details = details
  status.code = code
  return new ApiError(status)
}

function detailsOf(resource: NamedResource, name: string): StatusDetails {
  const details: StatusDetails = { name }
  if (resource.group !== '') details.group = resource.group
  details.kind = resource.plural
  return details
}

/** 404 for an object. */
export function notFound(resource: NamedResource, name: string): ApiError {
  const message = `${formatResource(resource)} "${name}" not found`
  return failure(404, message, { reason: 'NotFound', details: detailsOf(resource, name) })
}

/** 404 for an unknown resource of a served group and version. */
export function noSuchResource(): ApiError {
  return failure(404, 'the server could not find the requested resource', { reason: 'NotFound', details: {} })
}

/** 405 for a method that the path does not support. */
export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource'
  return failure(405, message, { reason: 'MethodNotAllowed', details: {} })
}

/** 409 for a create when an object of the same name exists. */
export function alreadyExists(resource: NamedResource, name: string): ApiError {
  const message = `${formatResource(resource)} "${name}" already exists`
  return failure(409, message, { reason: 'AlreadyExists', details: detailsOf(resource, name) })
}

/** 409 for a write whose precondition no longer holds; `why` ends the sentence. */
export function conflict(resource: NamedResource, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${formatResource(resource)} "${name}": ${why}`
  return failure(409, message, { reason: 'Conflict', details: detailsOf(resource, name) })
}

/** 409 for an update that is based on an older version of the object. */
export function modifiedConflict(resource: NamedResource, name: string): ApiError {
  return conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

/** 403 for an action on an object that the server's rules do not allow. */
export function forbidden(resource: NamedResource, name: string, why: string): ApiError {
  const message = `${formatResource(resource)} "${name}" is forbidden: ${why}`
  return failure(403, message, { reason: 'Forbidden', details: detailsOf(resource, name) })
}

/** 400 for a malformed request. */
export function badRequest(message: string): ApiError {
  return failure(400, message, { reason: 'BadRequest' })
}

/** 401 for bad or missing credentials. */
export function unauthorized(): ApiError {
  return failure(401, 'Unauthorized', { reason: 'Unauthorized' })
}

/** 410: the requested revision is no longer in the history. */
export function expired(message: string): ApiError {
  return failure(410, message, { reason: 'Expired' })
}

/** 500 for an error that is not from the API. */
export function internalError(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error)
  return failure(500, `Internal error occurred: ${message}`, { reason: 'InternalError' })
}

/** 413 for a body that is too large, or a patch with too many operations. */
export function tooLarge(message: string): ApiError {
  return failure(413, message, { reason: 'RequestEntityTooLarge' })
}

/** 422 for an object that fails validation; `errors` must not be empty. */
export function invalid(
  kind: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  const details: StatusDetails = {}
  if (name !== '') details.name = name
  if (kind.group !== '') details.group = kind.group
  if (kind.kind !== '') details.kind = kind.kind
  const shownErrors = firstErrors(errors)
  details.causes = shownErrors.map(({ reason, message, field }) => ({ reason, message, field }))
  const message = `${qualified} ${quotedText(name)} is invalid: ${formatFieldErrors(shownErrors)}`
  return failure(422, message, { reason: 'Invalid', details })
}
