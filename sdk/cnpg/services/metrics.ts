import { decodeObject } from '../calls/decode.js'
import { HookError } from '../calls/hook-error.js'
import { metricsMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { CallContext } from '../context/call-context.js'
import type { InstanceMetric, InstanceSample } from '../hooks/instance-hooks.js'
import {
  type CollectMetric,
  type Metric,
  MetricType_Type as MetricType,
  MetricsCapability_RPC_Type as Type,
} from '../proto/gen/metrics.js'
import { notDeclaredError } from './not-declared.js'
import type { RegisteredHooks } from './registered-hooks.js'

const valueTypes = {
  counter: MetricType.TYPE_COUNTER,
  gauge: MetricType.TYPE_GAUGE,
  untyped: MetricType.TYPE_UNTYPED,
} as const

/** The service for metrics of instances. */
export function metricsService<P>(hooks: RegisteredHooks<P>): ServedMethod[] {
  const { name, metrics: hook } = hooks
  return serveMethods(metricsMethods, {
    getCapabilities: () => ({ capabilities: hook ? [{ rpc: { type: Type.TYPE_METRICS } }] : [] }),
    define() {
      if (!hook) throw notDeclaredError(name, 'Metrics.Define')
      return { metrics: hook.metrics.map(definitionOf) }
    },
    async collect({ clusterDefinition }, call) {
      if (!hook) throw notDeclaredError(name, 'Metrics.Collect')
      const cluster = decodeObject<CnpgCluster>(clusterDefinition, 'cluster_definition')
      const samples = await hook.collect(new CallContext(hooks, { cluster, call }))
      const defined = new Map(hook.metrics.map((metric) => [metric.name, metric]))
      return { metrics: samples.map((sample) => sampleOf(sample, defined)) }
    },
  })
}

/** The definition of a metric for the instance. */
function definitionOf({ name, help, type, labels = [], constantLabels = {} }: InstanceMetric): Metric {
  const valueType = { type: valueTypes[type] }
  return { fqName: name, help, variableLabels: [...labels], constLabels: { ...constantLabels }, valueType }
}

/** A sample with the values of its labels in the order of the definition. */
function sampleOf(
  { name, value, labels = {} }: InstanceSample,
  defined: ReadonlyMap<string, InstanceMetric>,
): CollectMetric {
  const metric = defined.get(name)
  if (!metric)
    throw internalError(`a sample has the name ${name}, which is not among the metrics of the plugin`)
  const values = (metric.labels ?? []).map((label) => {
    const text = labels[label]
    if (text === undefined) throw internalError(`a sample of ${name} has no value for its label ${label}`)
    return text
  })
  return { value, fqName: name, variableLabels: values }
}

const internalError = (message: string) => new HookError(message, { code: 'INTERNAL' })
