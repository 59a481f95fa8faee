import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject, OwnerReference } from '../../engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../engine/kube/resource.js'

/** One incarnation of a primary object, to which owned objects belong. */
export interface Owner {
  /** The cluster that holds the primary. */
  readonly cluster: string
  readonly resource: Resource
  readonly key: Key
  readonly uid: string
}

/** The cluster and the namespace of an owned object, which need not exist yet. */
export interface DependentScope {
  readonly cluster: string
  /** `''` for a cluster-scoped object. */
  readonly namespace: string
}

/**
 * Whether an object of `dependent` may have an owner reference to `owner`. The garbage collector cannot find an owner
 * in another namespace or cluster. It treats that owner as deleted, and deletes the dependent. It never deletes a
 * cluster-scoped dependent of a namespaced owner.
 *
 * See https://kubernetes.io/docs/concepts/architecture/garbage-collection/#owners-dependents
 */
export function mayRefer({ cluster, key }: Owner, dependent: DependentScope): boolean {
  return dependent.cluster === cluster && (key.namespace === '' || key.namespace === dependent.namespace)
}

/** The controller reference to an owner. */
export function ownerReference({ resource, key, uid }: Owner): OwnerReference {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name: key.name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

/** The controller reference of an object, if it names an object of `resource` in any version. */
export function controllerReference(
  { metadata }: KubeObject,
  { group, kind }: Resource,
): OwnerReference | undefined {
  const reference = metadata.ownerReferences?.find(({ controller }) => controller)
  return reference && reference.kind === kind && groupOfApiVersion(reference.apiVersion) === group
    ? reference
    : undefined
}
