import type { ClusterRuntime } from '../engine/cluster/cluster-runtime.js'
import type { PrometheusMetrics } from '../engine/health/prometheus-metrics.js'
import type { Inspected } from '../engine/inspector/inspected.js'
import { isInspectedController } from '../engine/inspector/inspected-controller.js'
import type { Inspector } from '../engine/inspector/inspector.js'
import { leadershipView, shardView } from '../engine/inspector/leadership-view.js'
import type { Manager } from '../engine/manager/manager.js'
import type { Clock } from '../engine/time/clock.js'
import type { OperatorOptions } from './operator-options.js'

/** Options of {@link inspectedOperator}. */
export interface InspectedOperatorOptions {
  manager: Manager
  clock: Clock
  options: Pick<OperatorOptions, 'name' | 'namespace'>
}

/** Options of {@link operatorInspector}. */
export interface OperatorInspectorOptions extends InspectedOperatorOptions {
  /** The metrics that the operator serves; without them there is no inspector. */
  served: PrometheusMetrics | undefined
  env: Readonly<Record<string, string | undefined>>
}

/** The inspector of an operator, if its environment asks for one. Only such an operator loads the inspector. */
export async function operatorInspector(
  clusters: () => readonly ClusterRuntime[] | undefined,
  { served: metrics, env, ...parts }: OperatorInspectorOptions,
): Promise<Inspector | undefined> {
  if (!metrics || env.VCLUSTER_PLUGIN_INSPECT !== '1') return undefined
  const { Inspector } = await import('../engine/inspector/inspector.js')
  const inspected = () => {
    const wired = clusters()
    return wired && inspectedOperator(wired, parts)
  }
  return new Inspector({ clock: parts.clock, metrics, inspected })
}

/** The inspector's view of an operator; everything is read on request. */
function inspectedOperator(
  clusters: readonly ClusterRuntime[],
  { manager, clock, options: { name, namespace } }: InspectedOperatorOptions,
): Inspected {
  const plugin = { vclusterName: null, targetNamespace: null, labelMode: null }
  return {
    clock,
    facts: { name, mode: 'operator', currentNamespace: namespace ?? null, ...plugin },
    isRunning: () => manager.isRunning,
    leadership: () => leadershipView(manager.leadership, clock, manager.isRunning),
    progress: () => manager.progress.view(),
    syncers: () => [],
    controllers: () => manager.controllers.running.filter(isInspectedController),
    hooks: () => [],
    interceptors: () => [],
    stores: () => clusters.flatMap(({ watched }) => watched),
    shardOf: (key) => shardView(manager.leadership ?? {}, key),
    otherNames: async (resource) => clusters[0]?.otherNames(resource) ?? [],
  }
}
