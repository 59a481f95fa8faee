import { memberOf } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ManagedFieldsEntry } from '../apply/managed-leaves.js'
import type { Owner } from '../owner/owner.js'
import { ownerLabelNames } from '../owner/owner-labels.js'

/** The field managers by which an object belongs to its owner: they wrote the owner reference or the owner label. */
export interface Claims {
  /** The entries of the controller itself. */
  readonly ours: readonly ManagedFieldsEntry[]
  /** Whether another controller has applied the object for the same owner. */
  readonly hasOthers: boolean
}

/** Reads the claims from the `managedFields` of an object that was read from the API server. */
export function claimsOn(
  { metadata }: KubeObject,
  { owner, managers }: { owner: Owner; managers: readonly string[] },
): Claims {
  const entries = (metadata.managedFields ?? []) as readonly ManagedFieldsEntry[]
  const claims = entries.filter(({ subresource, fieldsV1 }) => !subresource && hasOwner(fieldsV1, owner))
  const isOurs = ({ manager = '' }: ManagedFieldsEntry) => managers.includes(manager)
  return {
    ours: claims.filter(isOurs),
    // Programs that restore or copy objects write whole objects, by updates.
    hasOthers: claims.some((entry) => entry.operation === 'Apply' && !isOurs(entry)),
  }
}

function hasOwner(fieldsV1: unknown, { resource, uid }: Owner): boolean {
  const metadata = memberOf(fieldsV1, 'f:metadata')
  const label = memberOf(memberOf(metadata, 'f:labels'), `f:${ownerLabelNames(resource).uid}`)
  const reference = memberOf(memberOf(metadata, 'f:ownerReferences'), `k:${JSON.stringify({ uid })}`)
  return label !== undefined || reference !== undefined
}
