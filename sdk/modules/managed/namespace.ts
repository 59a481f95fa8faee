// The namespace of a managed Workspace. Only one with the UID of the Workspace in its label belongs to it.
import type { Client } from '../../engine/client/client.js'
import { type Namespace, namespaces } from '../../engine/kube/builtin.js'
import { isAlreadyExists, isConflict, isNotFound, PermanentError } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { Workspace } from '../kinds/workspace.js'
import { placeOf, workspaceLabel } from './place.js'
import { UnusableKubeconfigError } from './unusable-kubeconfig-error.js'

/** The calls to the cluster that holds the Workspace. */
export interface HostCalls {
  readonly client: Client
  readonly signal: AbortSignal
}

type Owner = Pick<Workspace, 'metadata'>

/** The namespace under the name for a managed Workspace, and whether it was made for that Workspace. */
export async function findNamespace(
  workspace: Owner,
  { client, signal }: HostCalls,
): Promise<{ readonly live: Namespace; readonly isOwn: boolean } | undefined> {
  const key = { namespace: '', name: placeOf(workspace).namespace }
  const live = await client.get(namespaces, key, { signal }).catch(ignoreError(isNotFound))
  return live && { live, isOwn: live.metadata.labels?.[workspaceLabel] === workspace.metadata.uid }
}

/**
 * The UID of the namespace. Rejects unless the namespace exists and was made for the Workspace: a user who may create
 * namespaces could otherwise place a forged kubeconfig in it.
 */
export async function checkManagedNamespace(workspace: Owner, calls: HostCalls): Promise<string> {
  const existing = await findNamespace(workspace, calls)
  const { namespace } = placeOf(workspace)
  if (!existing)
    throw new UnusableKubeconfigError(
      `Namespace ${namespace} with the vcluster of the Workspace does not exist`,
    )
  if (!existing.isOwn) throw foreignNamespaceError(workspace)
  return existing.live.metadata.uid ?? ''
}

/**
 * Creates the namespace unless it exists, and returns its UID. Rejects for one that was not made for the Workspace, or
 * is being deleted.
 */
export async function ensureManagedNamespace(workspace: Owner, calls: HostCalls): Promise<string> {
  const { namespace: name } = placeOf(workspace)
  const existing = await findNamespace(workspace, calls)
  if (existing && !existing.isOwn) throw foreignNamespaceError(workspace)
  if (existing?.live.metadata.deletionTimestamp)
    throw new Error(`Namespace ${name} is being deleted; the vcluster is installed when it is gone`)
  if (existing) return existing.live.metadata.uid ?? ''
  const labels = { [workspaceLabel]: workspace.metadata.uid ?? '' }
  const annotations = { [workspaceLabel]: formatKey(keyOf(workspace)) }
  await calls.client
    .create(namespaces, { metadata: { name, labels, annotations } }, { signal: calls.signal })
    .catch(ignoreError(isAlreadyExists))
  return checkManagedNamespace(workspace, calls)
}

/** Deletes the namespace. Returns whether none is left that was made for the Workspace. */
export async function removeNamespace(workspace: Owner, { client, signal }: HostCalls): Promise<boolean> {
  const existing = await findNamespace(workspace, { client, signal })
  if (!existing?.isOwn) return true
  const { uid = '', name = '', deletionTimestamp } = existing.live.metadata
  if (deletionTimestamp) return false
  await client
    .delete(namespaces, { namespace: '', name }, { uid, signal })
    .catch(ignoreError((error) => isNotFound(error) || isConflict(error)))
  return false
}

const foreignNamespaceError = (workspace: Owner) =>
  new PermanentError(
    `Namespace ${placeOf(workspace).namespace} was not made for Workspace ${formatKey(keyOf(workspace))}: its label ` +
      `${workspaceLabel} is not the UID of the Workspace. Delete it, or give the Workspace another name`,
  )

const ignoreError =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isExpected(error)) throw error
  }
