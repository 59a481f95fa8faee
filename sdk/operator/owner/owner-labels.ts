import { formatKey, type Key, parseKey } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Owner } from './owner.js'

/**
 * The label and annotations that name the owner of an object where an owner reference cannot: in another namespace, in
 * another cluster, or on a cluster-scoped object. The garbage collector does not read them.
 */
export interface OwnerLabels {
  labels: Record<string, string>
  annotations: Record<string, string>
}

/** The names of the owner label and annotations of a kind. */
export function ownerLabelNames({ group }: Pick<Resource, 'group'>) {
  const prefix = group || 'core'
  return { uid: `${prefix}/owner-uid`, owner: `${prefix}/owner`, kind: `${prefix}/owner-kind` }
}

/** The label and annotations of an object of this owner. */
export function ownerLabels({ cluster, resource, key, uid }: Owner): OwnerLabels {
  const names = ownerLabelNames(resource)
  return {
    labels: { [names.uid]: uid },
    annotations: { [names.owner]: `${cluster}/${formatKey(key)}`, [names.kind]: formatResource(resource) },
  }
}

/** The primary that the label and annotations of an object name. */
export interface LabelledOwner {
  readonly key: Key
  readonly uid: string
}

/** Reads {@link ownerLabels} of a primary kind in a cluster; undefined if the object has none of it. */
export function labelledOwner(
  { metadata }: KubeObject,
  { cluster, resource }: Pick<Owner, 'cluster' | 'resource'>,
): LabelledOwner | undefined {
  const names = ownerLabelNames(resource)
  const uid = metadata.labels?.[names.uid]
  const owner = metadata.annotations?.[names.owner]
  const isOfKind = metadata.annotations?.[names.kind] === formatResource(resource)
  if (!uid || !isOfKind || !owner?.startsWith(`${cluster}/`)) return undefined
  return { key: parseKey(owner.slice(cluster.length + 1)), uid }
}
