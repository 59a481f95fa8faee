import type { Attributes } from '../../access/attributes.js'
import { fieldAt, recordOf, textAt } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import { invalid } from '../../request/status.js'
import type { ResourceRequest } from '../../server/context.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'

/** The real server omits the kind in these errors. */
const kind = { group: 'authorization.k8s.io', kind: '' }

/** The status of a SelfSubjectAccessReview: whether the caller is allowed. */
export function reviewOwnAccess(request: ResourceRequest, body: Record<string, unknown>): object {
  refuse([...checkSpec(body), ...checkMetadata(body, [])])
  return decide(request, body, request.user)
}

/** The status of a SubjectAccessReview: whether another user is allowed. */
export function reviewAccess(request: ResourceRequest, body: Record<string, unknown>): object {
  refuse([...checkSpec(body), ...checkUser(body), ...checkMetadata(body, [])])
  return decide(request, body, userOf(recordOf(body.spec)))
}

/**
 * The status of a LocalSubjectAccessReview: whether another user is allowed in the namespace of the request.
 */
export function reviewLocalAccess(request: ResourceRequest, body: Record<string, unknown>): object {
  const { namespace } = request.target
  refuse([
    ...checkSpec(body),
    ...checkUser(body),
    ...checkMetadata(body, ['namespace']),
    ...checkNamespace(body, namespace),
  ])
  return decide(request, body, userOf(recordOf(body.spec)))
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, '', errors)
}

function checkSpec(body: Record<string, unknown>): FieldError[] {
  const resource = fieldAt(body, 'spec', 'resourceAttributes')
  const path = fieldAt(body, 'spec', 'nonResourceAttributes')
  if (resource !== undefined && path !== undefined) {
    return [pathError(path, 'cannot be specified in combination with resourceAttributes')]
  }
  if (resource !== undefined || path !== undefined) return []
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  return [invalidValue('spec.resourceAttributes', null, why)]
}

/** The value is printed in Go's format instead of JSON. */
function pathError(path: unknown, why: string): FieldError {
  const shownValue = { Path: textAt(path, 'path'), Verb: textAt(path, 'verb') }
  return invalidValue('spec.nonResourceAttributes', shownValue, why)
}

function checkUser(body: Record<string, unknown>): FieldError[] {
  const { user = '', groups = [] } = recordOf(body.spec)
  if (user !== '' || (Array.isArray(groups) && groups.length > 0)) return []
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')]
}

function checkMetadata(body: Record<string, unknown>, allowed: readonly string[]): FieldError[] {
  const { creationTimestamp: _time, managedFields: fields, ...otherMetadata } = recordOf(body.metadata)
  if (Object.keys(otherMetadata).every((field) => allowed.includes(field))) return []
  const { name, namespace, ...others } = otherMetadata
  // In the order of Go's struct.
  const metadata = {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...others,
    ...(fields === undefined ? {} : { managedFields: fields }),
  }
  const why = allowed.length === 0 ? 'must be empty' : `must be empty except for ${allowed.join(', ')}`
  return [invalidValue('metadata', metadata, why)]
}

function checkNamespace(body: Record<string, unknown>, namespace: string): FieldError[] {
  const path = fieldAt(body, 'spec', 'nonResourceAttributes')
  const errors = path === undefined ? [] : [pathError(path, 'disallowed on this kind of request')]
  if (fieldAt(body, 'spec', 'resourceAttributes') === undefined) return errors
  const requested = textAt(body, 'spec', 'resourceAttributes', 'namespace')
  if (requested === namespace) return errors
  return [
    invalidValue('spec.resourceAttributes.namespace', requested, 'must match metadata.namespace'),
    ...errors,
  ]
}

function userOf(spec: Record<string, unknown>): UserInfo {
  const groups = Array.isArray(spec.groups) ? spec.groups.map(String) : []
  return { name: String(spec.user ?? ''), groups }
}

function decide({ server }: ResourceRequest, body: Record<string, unknown>, user: UserInfo): object {
  const { allowed, reason } = server.authorizer.authorize(attributesOf(body, user))
  return reason === '' ? { allowed } : { allowed, reason }
}

function attributesOf(body: Record<string, unknown>, user: UserInfo): Attributes {
  const path = fieldAt(body, 'spec', 'nonResourceAttributes')
  if (path !== undefined) return { user, verb: textAt(path, 'verb'), path: textAt(path, 'path') }
  const requested = fieldAt(body, 'spec', 'resourceAttributes')
  return {
    user,
    verb: textAt(requested, 'verb'),
    group: textAt(requested, 'group'),
    resource: textAt(requested, 'resource'),
    subresource: textAt(requested, 'subresource'),
    namespace: textAt(requested, 'namespace'),
    name: textAt(requested, 'name'),
  }
}
