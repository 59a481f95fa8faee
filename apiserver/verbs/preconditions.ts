import type { ApiError } from '../../sdk/engine/kube/error.js'
import type { OpenObject } from '../base/object.js'
import { conflict, failure, invalid, modifiedConflict } from '../request/status.js'
import { type ResourceRequest, storageKey } from '../server/context.js'
import { invalidValue } from '../validation/field-error.js'

/**
 * Throws 409 if the UID in the request is that of another object, or its resourceVersion is an older one; and
 * 422 without a resourceVersion for a kind that needs one.
 */
export function checkPreconditions(
  request: ResourceRequest,
  requested: OpenObject,
  before: OpenObject,
): void {
  const { resource, target } = request
  const { uid, resourceVersion } = requested.metadata
  if (uid && uid !== before.metadata.uid) {
    throw uidConflictError(request, uid, before.metadata.uid)
  }
  if (resourceVersion === undefined || resourceVersion === '0') {
    if (resource.rules.update?.needsVersion !== true) return
    throw invalid({ group: resource.group, kind: resource.plural }, target.name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  }
  if (!/^\d+$/.test(resourceVersion)) {
    throw failure(500, `strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`)
  }
  if (resourceVersion !== before.metadata.resourceVersion) throw modifiedConflict(resource, target.name)
}

/** Paths in etcd that differ from the resource's name. */
const storagePaths: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  'ingresses.networking.k8s.io': 'ingress',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  services: 'services/specs',
}

/** 409 for an object with another UID than the request. */
export function uidConflictError(request: ResourceRequest, requested: string, actualUid = ''): ApiError {
  return preconditionError(request, 'UID', [requested, actualUid])
}

/** 409 for an object whose UID or version is not the one of the request, as the store of a real server reports it. */
export function preconditionError(
  { resource, target, query }: ResourceRequest,
  field: 'UID' | 'ResourceVersion',
  [requested, actual = '']: readonly [requested: string, actual: string | undefined],
): ApiError {
  const root = query.has('dryRun') ? '' : '/registry'
  const usual = resource.custom === undefined ? resource.plural : `${resource.group}/${resource.plural}`
  const path = storagePaths[resource.storage] ?? usual
  const key = `${root}/${path}/${storageKey(target.namespace, target.name)}`
  const why = `Precondition failed: ${field} in precondition: ${requested}, ${field} in object meta: ${actual}`
  const error = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0`
  return conflict(resource, target.name, `${error}, AdditionalErrorMsg: ${why}`)
}
