import { type OpenObject, recordOf } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import { parseQuantity } from '../schema/quantity.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { checkLabelName, checkPathSegmentName } from '../validation/names.js'
import { checkName } from '../validation/values.js'

type Members = Readonly<Record<string, unknown>>

/** The types of metrics with their members, in Go's order. */
const sources: Readonly<Record<string, string>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
}
const types = Object.keys(sources).sort()

/** The errors of an autoscaler's metrics; `validateMetrics` of Kubernetes v1.36.3. */
export function metricErrors({ spec }: OpenObject): FieldError[] {
  const { metrics } = recordOf(spec)
  const list = Array.isArray(metrics) ? metrics : []
  return list.flatMap((metric, index) => oneMetricErrors(recordOf(metric), `spec.metrics[${index}]`))
}

function oneMetricErrors(metric: Members, path: string): FieldError[] {
  const { type = '' } = metric
  const present = Object.values(sources).filter((name) => metric[name] !== undefined)
  const [first] = present
  const expected = ownEntry(sources, String(type))
  const unknown = unsupported(`${path}.type`, JSON.stringify(type), types)
  const why = 'must populate information for the given metric source'
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...(expected === undefined ? [unknown] : []),
    ...(first === undefined ? [] : sourceErrors(first, recordOf(metric[first]), `${path}.${first}`)),
    ...(expected === undefined ? [unknown] : []),
    ...(expected !== undefined && metric[expected] === undefined
      ? [required(`${path}.${expected}`, why)]
      : []),
    ...(present.length === 1 ? [] : superfluousErrors(present, expected, path)),
  ]
}

function superfluousErrors(
  present: readonly string[],
  expected: string | undefined,
  path: string,
): FieldError[] {
  const others = present.filter((name) => name !== expected)
  return others.map((name) => forbiddenValue(`${path}.${name}`, 'must populate the given metric source only'))
}

function sourceErrors(name: string, source: Members, path: string): FieldError[] {
  const target = recordOf(source.target)
  return [
    ...(name === 'object'
      ? describedErrors(recordOf(source.describedObject), `${path}.describedObject`)
      : []),
    ...(source.name !== undefined || name === 'resource' || name === 'containerResource'
      ? resourceErrors(name, source, path)
      : identifierErrors(recordOf(source.metric), `${path}.metric`)),
    ...targetErrors(target, `${path}.target`),
    ...amountErrors(name, target, `${path}.target`),
  ]
}

function describedErrors({ kind, name }: Members, path: string): FieldError[] {
  return [...segmentErrors(`${path}.kind`, kind, ''), ...segmentErrors(`${path}.name`, name, '')]
}

function identifierErrors({ name }: Members, path: string): FieldError[] {
  return segmentErrors(`${path}.name`, name, 'must specify a metric name')
}

function segmentErrors(field: string, value: unknown, why: string): FieldError[] {
  const name = String(value ?? '')
  return name === '' ? [required(field, why)] : checkName(field, name, checkPathSegmentName)
}

function resourceErrors(kind: string, { name, container }: Members, path: string): FieldError[] {
  const nameErrors = (name ?? '') === '' ? [required(`${path}.name`, 'must specify a resource name')] : []
  if (kind !== 'containerResource') return nameErrors
  const called = String(container ?? '')
  const field = `${path}.container`
  const errors =
    called === '' ? [required(field, 'must specify a container')] : checkName(field, called, checkLabelName)
  return [...nameErrors, ...errors]
}

const targets = ['Utilization', 'Value', 'AverageValue']

function targetErrors({ type = '', averageUtilization, ...amounts }: Members, path: string): FieldError[] {
  const isLow = averageUtilization !== undefined && Number(averageUtilization) < 1
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(targets.includes(String(type))
      ? []
      : [invalidValue(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...(['value', 'averageValue'] as const).flatMap((name) =>
      positiveErrors(`${path}.${name}`, amounts[name]),
    ),
    ...(isLow
      ? [invalidValue(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ]
}

function positiveErrors(field: string, quantity: unknown): FieldError[] {
  const isPositive = quantity === undefined || parseQuantity(String(quantity)).nano > 0n
  return isPositive ? [] : [invalidValue(field, quantity, 'must be positive')]
}

/** The errors of a metric's target. */
function amountErrors(name: string, target: Members, path: string): FieldError[] {
  const has = (member: string) => target[member] !== undefined
  const average = `${path}.averageValue`
  if (name === 'pods') {
    return has('averageValue') ? [] : [required(average, 'must specify a positive target averageValue')]
  }
  if (name === 'resource' || name === 'containerResource') return utilizationErrors(target, path)
  const why =
    name === 'object'
      ? 'must set either a target value or averageValue'
      : 'must set either a target value for metric or a per-pod target'
  const both = 'may not set both a target value for metric and a per-pod target'
  return [
    ...(has('value') || has('averageValue') ? [] : [required(average, why)]),
    ...(name === 'external' && has('value') && has('averageValue')
      ? [forbiddenValue(`${path}.value`, both)]
      : []),
  ]
}

function utilizationErrors({ averageUtilization, averageValue }: Members, path: string): FieldError[] {
  const either = 'must set either a target raw value or a target utilization'
  const both = 'may not set both a target raw value and a target utilization'
  if (averageUtilization === undefined && averageValue === undefined) {
    return [required(`${path}.averageUtilization`, either)]
  }
  const isBoth = averageUtilization !== undefined && averageValue !== undefined
  return isBoth ? [forbiddenValue(`${path}.averageValue`, both)] : []
}

const maxWindow = 3600
const maxPeriod = 1800

/** The errors of an autoscaler's scaling behaviour; `validateBehavior` of Kubernetes v1.36.3. */
export function behaviorErrors({ spec }: OpenObject): FieldError[] {
  const { scaleUp, scaleDown } = recordOf(recordOf(spec).behavior)
  return Object.entries({ scaleUp, scaleDown }).flatMap(([name, rules]) =>
    rules === undefined ? [] : rulesErrors(recordOf(rules), `spec.behavior.${name}`),
  )
}

function rulesErrors(
  { stabilizationWindowSeconds, selectPolicy, policies }: Members,
  path: string,
): FieldError[] {
  const seconds = Number(stabilizationWindowSeconds ?? 0)
  const windowError = (why: string) => invalidValue(`${path}.stabilizationWindowSeconds`, seconds, why)
  const list = Array.isArray(policies) ? policies : []
  const allowed = ['Disabled', 'Max', 'Min']
  const isKnown = selectPolicy === undefined || allowed.includes(String(selectPolicy))
  return [
    ...(seconds < 0 ? [windowError('must be greater than or equal to zero')] : []),
    ...(seconds > maxWindow ? [windowError(`must be less than or equal to ${maxWindow}`)] : []),
    ...(isKnown ? [] : [unsupported(`${path}.selectPolicy`, JSON.stringify(selectPolicy), allowed)]),
    ...(list.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...list.flatMap((policy, index) => policyErrors(recordOf(policy), `${path}.policies[${index}]`)),
  ]
}

function policyErrors({ type = '', value = 0, periodSeconds = 0 }: Members, path: string): FieldError[] {
  const allowed = ['Percent', 'Pods']
  const period = `${path}.periodSeconds`
  const late = `must be less than or equal to ${maxPeriod}`
  return [
    ...(allowed.includes(String(type)) ? [] : [unsupported(`${path}.type`, JSON.stringify(type), allowed)]),
    ...(Number(value) > 0 ? [] : [invalidValue(`${path}.value`, value, 'must be greater than zero')]),
    ...(Number(periodSeconds) > 0 ? [] : [invalidValue(period, periodSeconds, 'must be greater than zero')]),
    ...(Number(periodSeconds) > maxPeriod ? [invalidValue(period, periodSeconds, late)] : []),
  ]
}
