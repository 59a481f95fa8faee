/** The calls of the operator to all plugins of a Cluster, in the order of the operator. */

import {
  operatorLifecycleMethods,
  operatorMethods,
  reconcilerHooksMethods,
} from '../../sdk/cnpg/calls/methods.js'
import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import { pluginEntry } from '../../sdk/cnpg/cluster/plugin-entry.js'
import { OperatorCapability_RPC_Type as OperatorType } from '../../sdk/cnpg/proto/gen/operator.js'
import type { OperatorOperationType_Type as Operation } from '../../sdk/cnpg/proto/gen/operator-lifecycle.js'
import {
  ReconcilerHooksResult_Behavior as Behavior,
  ReconcilerHooksCapability_Kind as Kind,
} from '../../sdk/cnpg/proto/gen/reconciler.js'
import { cloneJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { applyJsonPatch, bytes } from './documents.js'
import { verbOf } from './loaded-plugin.js'
import type { CallablePlugin } from './loaded-plugins.js'
import { type AdmittedCluster, endedIn, phases, type Reconciliation, refusalOf } from './reconciliation.js'

type Plugins = readonly CallablePlugin[]

/**
 * A Cluster with the defaults of the plugins that it names, and their refusals. Each plugin gets the output of the one
 * before. An API server calls only the webhooks of these plugins.
 */
export async function admitCluster(
  plugins: Plugins,
  cluster: CnpgCluster,
  old?: CnpgCluster,
): Promise<AdmittedCluster> {
  let filled = cloneJson(cluster)
  for (const plugin of pluginsDeclaring(plugins, OperatorType.TYPE_MUTATE_CLUSTER)) {
    if (!isNamed(filled, plugin)) continue
    const { jsonPatch } = await plugin.call(operatorMethods.mutateCluster, { definition: bytes(filled) })
    filled = applyJsonPatch(filled, jsonPatch)
  }
  const namedPlugins = plugins.filter((plugin) => isNamed(filled, plugin))
  const errors = old
    ? pluginsDeclaring(namedPlugins, OperatorType.TYPE_VALIDATE_CLUSTER_CHANGE).map((plugin) =>
        plugin.call(operatorMethods.validateClusterChange, {
          oldCluster: bytes(old),
          newCluster: bytes(filled),
        }),
      )
    : pluginsDeclaring(namedPlugins, OperatorType.TYPE_VALIDATE_CLUSTER_CREATE).map((plugin) =>
        plugin.call(operatorMethods.validateClusterCreate, { definition: bytes(filled) }),
      )
  const answers = await Promise.all(errors)
  return {
    cluster: filled,
    refusals: answers.flatMap(({ validationErrors }) => validationErrors.map(refusalOf)),
  }
}

/** An object after the hooks of all plugins, each on the output of the one before. */
export async function runHooks<T extends KubeObject>(
  plugins: Plugins,
  cluster: CnpgCluster,
  { object, type }: { object: T; type: Operation },
): Promise<T> {
  const group = object.apiVersion?.includes('/') ? object.apiVersion.split('/')[0] : ''
  let changed = object
  for (const plugin of plugins) {
    if (!plugin.hooked.has(`${group}/${object.kind} ${verbOf(type)}`)) continue
    const { jsonPatch } = await plugin.call(operatorLifecycleMethods.lifecycleHook, {
      operationType: { type },
      clusterDefinition: bytes(cluster),
      objectDefinition: bytes(changed),
    })
    changed = applyJsonPatch(changed, jsonPatch)
  }
  return changed
}

/**
 * Calls the hooks before or after a reconciliation, and returns the first answer that stops it. After a plugin that
 * answers `CONTINUE`, as plugins in Go do, no other plugin is called.
 */
export async function reconcilerHooks(
  plugins: Plugins,
  cluster: CnpgCluster,
  call: 'pre' | 'post',
): Promise<Reconciliation | undefined> {
  const definition = bytes(cluster)
  const phase = call === 'post' ? phases.healthy : (cluster.status?.phase ?? '')
  for (const plugin of plugins) {
    if (!plugin.reconciled.includes(Kind.KIND_CLUSTER)) continue
    const { behavior, requeueAfter } = await plugin.call(reconcilerHooksMethods[call], {
      clusterDefinition: definition,
      resourceDefinition: definition,
    })
    if (behavior === Behavior.BEHAVIOR_REQUEUE) return endedIn(phase, { requeueAfterSeconds: requeueAfter })
    if (behavior === Behavior.BEHAVIOR_TERMINATE) return endedIn(phase)
    if (behavior === Behavior.BEHAVIOR_CONTINUE) return undefined
  }
  return undefined
}

/** Writes the status of each plugin into the Cluster. */
export async function writeStatuses(plugins: Plugins, cluster: CnpgCluster): Promise<void> {
  for (const plugin of pluginsDeclaring(plugins, OperatorType.TYPE_SET_STATUS_IN_CLUSTER)) {
    const { jsonStatus } = await plugin.call(operatorMethods.setStatusInCluster, { cluster: bytes(cluster) })
    const statusEntry = cluster.status?.pluginStatus?.find(({ name }) => name === plugin.name)
    if (jsonStatus.length > 0 && statusEntry) statusEntry.status = jsonStatus.toString()
  }
}

function isNamed(cluster: CnpgCluster, { name }: CallablePlugin): boolean {
  return pluginEntry(cluster, name)?.isEnabled === true
}

function pluginsDeclaring(plugins: Plugins, type: OperatorType): Plugins {
  return plugins.filter(({ operator }) => operator.includes(type))
}
