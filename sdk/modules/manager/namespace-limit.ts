import { ApiError } from '../../engine/kube/error.js'
import { formatKey } from '../../engine/kube/key.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Owner } from '../../operator/owner/owner.js'

/** A Module, and the namespace that its manager may use; undefined for all. */
export interface NamespaceLimit {
  readonly owner: Owner
  readonly namespace?: string | undefined
}

/** Objects that a manager asks for. */
interface RequestedObjects {
  readonly resource: Resource
  /** Undefined for all. */
  readonly namespace: string | undefined
}

/** Throws an `ApiError` 403 unless a manager may use the objects. */
export function checkNamespaceLimit(
  { namespace: allowed, owner }: NamespaceLimit,
  requested: RequestedObjects,
): void {
  const { resource, namespace } = requested
  if (allowed === undefined || (resource.namespaced && namespace === allowed)) return
  throw new ApiError({
    code: 403,
    reason: 'Forbidden',
    message:
      `the program of Module ${formatKey(owner.key)} may use objects of the namespace ${allowed} only, got ${asText(requested)}; ` +
      'set programs.objects to all-namespaces in the options of moduleControllers to allow all',
  })
}

function asText({ resource, namespace }: RequestedObjects): string {
  if (!resource.namespaced) return `${resource.plural}, which have none`
  return namespace === undefined
    ? `${resource.plural} of all namespaces`
    : `${resource.plural} in ${namespace}`
}
