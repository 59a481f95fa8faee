import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { controllerReference, mayRefer, type Owner } from './owner.js'
import { labelledOwner } from './owner-labels.js'

/**
 * The relation of an object to an owner:
 *
 * - `owned`: a controller reference, or the owner label, has the owner's UID
 * - `former`: it belongs to an earlier object of the owner's name
 * - `foreign`: everything else
 */
export type Ownership = 'owned' | 'former' | 'foreign'

/** The relation of `live`, an object of `cluster`, to an owner. */
export function ownershipOf(live: KubeObject, cluster: string, owner: Owner): Ownership {
  const claim = claimOf(live, cluster, owner)
  if (!claim || formatKey(claim.key) !== formatKey(owner.key)) return 'foreign'
  return claim.uid === owner.uid ? 'owned' : 'former'
}

/** The primary that an object of `cluster` names as its owner. */
export interface Claim {
  readonly key: Key
  readonly uid: string
}

/** The primary that an object belongs to, if it is one of this kind and cluster. */
export function claimOf(
  live: KubeObject,
  cluster: string,
  primary: Pick<Owner, 'cluster' | 'resource'>,
): Claim | undefined {
  const labelled = labelledOwner(live, primary)
  if (labelled) return labelled
  const reference = cluster === primary.cluster ? controllerReference(live, primary.resource) : undefined
  if (!reference) return undefined
  const namespace = primary.resource.namespaced ? (live.metadata.namespace ?? '') : ''
  const claim = { key: { namespace, name: reference.name }, uid: reference.uid }
  const location = { cluster, namespace: live.metadata.namespace ?? '' }
  return mayRefer({ ...primary, ...claim }, location) ? claim : undefined
}
