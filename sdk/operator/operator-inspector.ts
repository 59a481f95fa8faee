import type { ClusterRuntime } from '../engine/cluster/cluster-runtime.js'
import type { PrometheusMetrics } from '../engine/health/prometheus-metrics.js'
import type { Inspector } from '../engine/inspector/inspector.js'
import type { InspectedOperatorOptions } from './inspected-operator.js'

/** Options of {@link operatorInspector}. */
export interface OperatorInspectorOptions extends InspectedOperatorOptions {
  /** The metrics that the operator serves; without them there is no inspector. */
  served: PrometheusMetrics | undefined
  env: Readonly<Record<string, string | undefined>>
}

/** Makes the inspector of an operator, if the environment enables it. The code of the inspector is loaded only then. */
export async function operatorInspector(
  clusters: () => readonly ClusterRuntime[] | undefined,
  { served: metrics, env, ...parts }: OperatorInspectorOptions,
): Promise<Inspector | undefined> {
  if (!metrics || env.VCLUSTER_PLUGIN_INSPECT !== '1') return undefined
  const { Inspector } = await import('../engine/inspector/inspector.js')
  const { inspectedOperator } = await import('./inspected-operator.js')
  const inspected = () => {
    const wired = clusters()
    return wired && inspectedOperator(wired, parts)
  }
  return new Inspector({ clock: parts.clock, metrics, inspected })
}
