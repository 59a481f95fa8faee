import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { isConflict, isInvalid, isNamespaceTerminating, isNotFound } from '../../../engine/kube/error.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { SyncContext } from '../../context/sync-context.js'
import { confirmGone } from '../../ownership/still-stored-error.js'
import { withoutSecrets } from '../../ownership/without-secrets.js'
import { ensureVirtualNamespace } from './ensure-virtual-namespace.js'

/** How long a run waits for a virtual namespace that is being deleted, in milliseconds; as vcluster does. */
const terminatingRetryMs = 5000

/** The outcome of a write: whether it was made, and the result with which the run ends. */
export interface VirtualWrite {
  isWritten: boolean
  result?: ReconcileResult
}

/** Options of {@link createVirtualCopy}. */
export interface CreateVirtualCopyOptions<T extends KubeObject> {
  virtual: T
  /** Whether a missing namespace is created; else nothing is written. */
  createsNamespaces: boolean
}

/** Creates a copy in the virtual cluster, and its namespace if it is missing. */
export async function createVirtualCopy<T extends KubeObject>(
  ctx: SyncContext,
  resource: Resource<T>,
  { virtual, createsNamespaces }: CreateVirtualCopyOptions<T>,
): Promise<VirtualWrite> {
  const { namespace } = keyOf(virtual)
  try {
    return await createOnce(ctx, resource, virtual)
  } catch (error) {
    if (!isNotFound(error) || namespace === '') throw error
  }
  if (!createsNamespaces) return { isWritten: false }
  await ensureVirtualNamespace(ctx, namespace)
  return createOnce(ctx, resource, virtual)
}

/** Creates a copy in an existing namespace; one that is being deleted is waited for. */
async function createOnce<T extends KubeObject>(
  ctx: SyncContext,
  resource: Resource<T>,
  virtual: T,
): Promise<VirtualWrite> {
  try {
    await ctx.virtual.client.create(resource, virtual, { signal: ctx.signal })
    return { isWritten: true }
  } catch (error) {
    if (!isNamespaceTerminating(error)) throw withoutSecrets(resource, error)
    return { isWritten: false, result: { requeueAfterMs: terminatingRetryMs } }
  }
}

/**
 * Updates a copy in the virtual cluster. A copy that can only be replaced (`immutable: true`, another `type` of a
 * Secret) is deleted instead.
 */
export async function updateVirtualCopy<T extends KubeObject>(
  ctx: SyncContext,
  resource: Resource<T>,
  { virtual, updated }: { virtual: T; updated: T },
): Promise<VirtualWrite> {
  try {
    await ctx.virtual.client.update(resource, updated, { signal: ctx.signal })
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) throw error
    if (!isInvalid(error) || !isOnlyReplaced(virtual, updated)) throw withoutSecrets(resource, error)
    await deleteVirtualCopy(ctx, resource, virtual)
    return { isWritten: false }
  }
  return { isWritten: true }
}

/** Deletes a copy in the virtual cluster, in the state that was seen. */
export async function deleteVirtualCopy(
  ctx: SyncContext,
  resource: Resource,
  virtual: KubeObject,
): Promise<undefined> {
  const { deletionTimestamp, uid, resourceVersion } = virtual.metadata
  if (deletionTimestamp) return undefined
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  try {
    await ctx.virtual.client.delete(resource, keyOf(virtual), { signal: ctx.signal, ...preconditions })
  } catch (error) {
    if (!isNotFound(error)) throw error
    confirmGone(virtual, ctx.virtual.store(resource).get(keyOf(virtual)))
  }
  return undefined
}

/** Whether an update is possible only by replacing the copy: for sealed content, and for another type of a Secret. */
function isOnlyReplaced(virtual: KubeObject, updated: KubeObject): boolean {
  const isSealed = 'immutable' in virtual && virtual.immutable === true
  const [before, after] = [virtual, updated].map((object) => ('type' in object ? object.type : undefined))
  return isSealed || before !== after
}
