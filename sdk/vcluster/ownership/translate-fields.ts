import { jsonEqual } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { isSecret, type Resource } from '../../engine/kube/resource.js'

/** Fields that are not copied: metadata is translated, and the other fields belong to each cluster. */
const notCopied: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/**
 * The part of an original that the copy may have; translators call it for each copy. A token Secret becomes `Opaque`:
 * the host would fill it with the token of a ServiceAccount of the host, for any Pod of the tenant to mount
 * (`pkg/controllers/resources/secrets/translate.go` @ vcluster v0.20.1).
 */
export function hostContent<T extends KubeObject>(resource: Resource<T>, virtual: T): T {
  const isToken = 'type' in virtual && virtual.type === 'kubernetes.io/service-account-token'
  return isSecret(resource) && isToken ? { ...virtual, type: 'Opaque' } : virtual
}

/** A shallow copy of an object without `status`, which belongs to the cluster of the object. */
export function withoutStatus<T extends KubeObject>(object: T): T {
  if (!Object.hasOwn(object, 'status')) return { ...object }
  // `fromEntries` defines members and never assigns them: a field such as `__proto__` stays a field.
  return Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'status')) as unknown as T
}

/**
 * The host object with the virtual object's top-level fields except `status` and metadata; the same host object if all
 * of them are equal as JSON. A field that the virtual object does not have is removed. Nothing is mutated, and
 * unchanged parts are shared.
 */
export function withFieldsOf<T extends KubeObject>(host: T, virtual: T): T {
  const hostFields = new Map(Object.entries(host))
  const virtualFields = new Map(Object.entries(virtual))
  let isChanged = false
  for (const field of new Set([...hostFields.keys(), ...virtualFields.keys()])) {
    const value = virtualFields.get(field)
    if (notCopied.has(field) || jsonEqual(hostFields.get(field), value)) continue
    isChanged = true
    if (value === undefined) hostFields.delete(field)
    else hostFields.set(field, value)
  }
  return isChanged ? (Object.fromEntries(hostFields) as unknown as T) : host
}
