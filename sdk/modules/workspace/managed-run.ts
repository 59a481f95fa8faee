// Installs the vcluster of a managed Workspace before its Modules, and uninstalls it after the last Module.
import { secrets } from '../../engine/kube/builtin.js'
import { isNotFound } from '../../engine/kube/error.js'
import { formatKey } from '../../engine/kube/key.js'
import type { ManagedRun, ManagedVclusters } from '../managed/managed-vclusters.js'
import { checkManagedNamespace } from '../managed/namespace.js'
import { kubeconfigSecretOf, placeOf } from '../managed/place.js'
import type { DeepSleep } from './deep-sleep.js'
import { isWorkloadPaused, listWorkloads } from './vcluster-workloads.js'

/** Installs the vcluster, or upgrades it. A sleeping vcluster is left alone, because an upgrade would wake it. */
export async function installVcluster(managed: ManagedVclusters, run: ManagedRun): Promise<void> {
  const { ctx, workspace } = run
  const workloads = await listWorkloads(placeOf(workspace), ctx)
  if (workloads.some(isWorkloadPaused)) await checkManagedNamespace(workspace, ctx)
  else ctx.status.managed = await managed.install(run)
}

/**
 * The state of the vcluster. An awake one counts as waking until it has written its kubeconfig, some time after its
 * start.
 */
export async function withKubeconfig(
  deepSleep: DeepSleep,
  { ctx, workspace }: ManagedRun,
): Promise<DeepSleep> {
  if (deepSleep.state !== 'awake' || workspace.status?.vcluster === 'awake') return deepSleep
  const secret = kubeconfigSecretOf(placeOf(workspace))
  const exists = await ctx.client.get(secrets, secret, { signal: ctx.signal }).then(
    ({ data }) => Object.hasOwn(data ?? {}, secret.key),
    (error: unknown) => {
      if (!isNotFound(error)) throw error
      return false
    },
  )
  if (exists) return deepSleep
  return {
    state: 'waking',
    message: `waits for the kubeconfig of the vcluster, in Secret ${formatKey(secret)}`,
  }
}

/** Uninstalls the vcluster. Returns a message about what is left; undefined if nothing is left. */
export async function uninstallVcluster(
  managed: ManagedVclusters | undefined,
  run: ManagedRun,
): Promise<string | undefined> {
  const { workspace } = run
  const { namespace } = placeOf(workspace)
  if (workspace.spec.type !== 'managed') return undefined
  if (managed)
    return (await managed.uninstall(run)) ? undefined : `waits for Namespace ${namespace} to be gone`
  if (!workspace.status?.managed) return undefined
  throw new Error(
    `Namespace ${namespace} with the vcluster of the Workspace is left: set managed in the options of moduleControllers, ` +
      'so that the operator may delete it',
  )
}
