import { NameConflictError } from '../../engine/controller/name-conflict-error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject, ObjectMeta } from '../../engine/kube/object.js'
import type { Owner } from '../owner/owner.js'
import { labelledOwner } from '../owner/owner-labels.js'
import { claimOf, ownershipOf } from '../owner/ownership.js'
import { type ApplyRequest, placeId } from './apply-request.js'
import { WaitError } from './wait-error.js'

/** The time until a run looks again whether an object of an earlier primary has gone, in milliseconds. */
const formerMs = 60_000

/** The precondition of a change: the same UID, and for an object to adopt also the same resourceVersion. */
export function preconditionOf<T extends KubeObject>(
  { cluster, owner }: ApplyRequest<T>,
  live: T,
): ObjectMeta {
  const { uid, resourceVersion } = live.metadata
  const isOwned = !owner || ownershipOf(live, cluster.name, owner) === 'owned'
  return {
    ...(uid !== undefined && { uid }),
    ...(!isOwned && resourceVersion !== undefined && { resourceVersion }),
  }
}

/**
 * Throws if the object must not be changed: it is foreign, is being deleted, or belongs to an earlier object of the
 * owner's name. An object that this process applied for the owner counts as owned even if somebody removed its owner
 * reference or owner label, unless another controller owns the object by now.
 */
export function checkMayChange<T extends KubeObject>(
  request: ApplyRequest<T>,
  live: T,
  { wasApplied = false }: { wasApplied?: boolean } = {},
): void {
  const { cluster, owner } = request
  if (!owner) return
  const isStripped = wasApplied && !isControlled(live) && claimOf(live, cluster.name, owner) === undefined
  const ownership = isStripped ? 'owned' : ownershipOf(live, cluster.name, owner)
  const object = placeId(request, keyOf(live))
  if (ownership === 'owned') {
    if (!live.metadata.deletionTimestamp) return
    throw new WaitError(`${object} is being deleted; it is created again when it is gone`)
  }
  if (mayAdopt(request, live)) return
  if (ownership === 'former')
    throw new WaitError(`${object} belongs to an earlier ${formatKey(owner.key)} and is about to go`, {
      againMs: formerMs,
    })
  throw new NameConflictError(
    `${object} exists and does not belong to ${owner.resource.kind} ${formatKey(owner.key)}: it is left alone. ` +
      'Delete it, apply yours under another name, or declare how to adopt it with owned(…, { adopt }).',
    keyOf(live),
  )
}

function isControlled({ metadata }: KubeObject): boolean {
  return metadata.ownerReferences?.some(({ controller }) => controller) ?? false
}

function mayAdopt<T extends KubeObject>({ adopt, owner }: ApplyRequest<T>, live: T): boolean {
  if (adopt === undefined || isControlled(live) || live.metadata.deletionTimestamp) return false
  return adopt === 'by-label' ? owner !== undefined && isLabelledFor(live, owner) : adopt(live)
}

/** Whether the owner label and annotations of an object name the owner, whatever UID that had. */
function isLabelledFor(live: KubeObject, owner: Owner): boolean {
  const labelled = labelledOwner(live, owner)
  return labelled !== undefined && formatKey(labelled.key) === formatKey(owner.key)
}
