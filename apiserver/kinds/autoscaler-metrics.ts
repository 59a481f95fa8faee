import { fieldAt, recordOf, textAt } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'

type Members = Record<string, unknown>

/** The side of a metric: `target` is the desired value, `current` the observed one. */
export type MetricEnd = 'target' | 'current'

const sources: Readonly<Record<string, string>> = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
  External: 'external',
}

/** A metric of `autoscaling/v2` in the format of v1, with its members in Go's order. */
export function metricInV1(metric: unknown, prefix: MetricEnd): Members {
  const type = textAt(metric, 'type')
  const source = ownEntry(sources, type)
  if (source === undefined) return { type }
  return { type, [source]: withoutUndefined(sourceInV1(source, recordOf(fieldAt(metric, source)), prefix)) }
}

function sourceInV1(source: string, metric: Members, prefix: MetricEnd): Members {
  const { value, averageValue, averageUtilization } = recordOf(metric[prefix])
  const { name: metricName, selector } = recordOf(metric.metric)
  const defaultValue = prefix === 'current' ? '0' : undefined
  const average = {
    [`${prefix}AverageUtilization`]: averageUtilization,
    [`${prefix}AverageValue`]: averageValue ?? defaultValue,
  }
  switch (source) {
    case 'object':
      return {
        ...describedObjectInV1(metric),
        metricName,
        [`${prefix}Value`]: value ?? '0',
        selector,
        averageValue,
      }
    case 'pods':
      return { metricName, [`${prefix}AverageValue`]: averageValue ?? '0', selector }
    case 'external': {
      const values = { [`${prefix}Value`]: value ?? defaultValue, [`${prefix}AverageValue`]: averageValue }
      return { metricName, metricSelector: selector, ...values }
    }
    default:
      return { name: metric.name, ...average, container: metric.container }
  }
}

function describedObjectInV1({ describedObject }: Members): Members {
  const { kind, name, apiVersion } = recordOf(describedObject)
  return { target: withoutUndefined({ kind, name, apiVersion }) }
}

/** A metric of `autoscaling/v1` from an annotation, in the format of v2. */
export function metricInV2(metric: unknown, prefix: MetricEnd): Members {
  const type = textAt(metric, 'type')
  const source = ownEntry(sources, type)
  if (source === undefined) return { type }
  return { type, [source]: withoutUndefined(sourceInV2(source, recordOf(fieldAt(metric, source)), prefix)) }
}

function sourceInV2(source: string, metricInV1: Members, prefix: MetricEnd): Members {
  const metric = withoutUndefined({
    name: metricInV1.metricName,
    selector: metricInV1.selector ?? metricInV1.metricSelector,
  })
  const values = {
    value: metricInV1[`${prefix}Value`],
    averageValue: source === 'object' ? metricInV1.averageValue : metricInV1[`${prefix}AverageValue`],
    averageUtilization: metricInV1[`${prefix}AverageUtilization`],
  }
  // An average has precedence over the value, which v1 cannot omit.
  if (source === 'object' && values.averageValue !== undefined && values.value === '0') delete values.value
  const type = prefix === 'target' ? { type: targetType(source, values) } : {}
  const amounts = { [prefix]: withoutUndefined({ ...type, ...values }) }
  switch (source) {
    case 'object':
      return { describedObject: metricInV1.target, metric, ...amounts }
    case 'pods':
    case 'external':
      return { metric, ...amounts }
    default:
      return { name: metricInV1.name, container: metricInV1.container, ...amounts }
  }
}

function targetType(source: string, { value, averageValue, averageUtilization }: Members): string {
  if (source === 'object') return averageValue === undefined ? 'Value' : 'AverageValue'
  if (source === 'external') return value === undefined ? 'AverageValue' : 'Value'
  return averageUtilization === undefined ? 'AverageValue' : 'Utilization'
}

function withoutUndefined(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
