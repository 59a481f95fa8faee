import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { ObjectMeta } from '../../sdk/engine/kube/object.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { Conversion } from '../resources/served-resource.js'
import { metricInV1, metricInV2 } from './autoscaler-metrics.js'

type Members = Record<string, unknown>

const annotationPrefix = 'autoscaling.alpha.kubernetes.io/'
const metricsAnnotation = `${annotationPrefix}metrics`
const currentMetricsAnnotation = `${annotationPrefix}current-metrics`
const behaviorAnnotation = `${annotationPrefix}behavior`
const conditionsAnnotation = `${annotationPrefix}conditions`
const carriers = [metricsAnnotation, currentMetricsAnnotation, behaviorAnnotation, conditionsAnnotation]
const defaultUtilization = 80

/**
 * Autoscalers are stored in v2. Fields that v1 does not have are in its annotations;
 * `pkg/apis/autoscaling/v1/conversion.go` of Kubernetes v1.36.3.
 */
export const autoscalerConversion: Conversion = {
  toServed(stored) {
    const { metadata, spec, status, ...rest } = stored
    const annotations = { ...metadata.annotations, ...annotationsForV1(recordOf(spec), recordOf(status)) }
    const served = {
      ...rest,
      metadata: withAnnotations(metadata, annotations),
      spec: specInV1(recordOf(spec)),
    }
    return (status === undefined ? served : { ...served, status: statusInV1(recordOf(status)) }) as OpenObject
  },
  toStored(served) {
    const { metadata, spec, status, ...otherMembers } = served
    const annotations: Members = metadata.annotations ?? {}
    const ownAnnotations = Object.entries(annotations).filter(([name]) => !carriers.includes(name))
    return {
      ...otherMembers,
      metadata: withAnnotations(metadata, Object.fromEntries(ownAnnotations) as Record<string, string>),
      spec: specInV2(recordOf(spec), annotations),
      status: statusInV2(recordOf(status), annotations),
    }
  },
}

function withAnnotations(metadata: ObjectMeta, annotations: Record<string, string>): ObjectMeta {
  const { annotations: _given, ...others } = metadata
  return Object.keys(annotations).length === 0 ? others : { ...others, annotations }
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

const isCpu = (metric: unknown) =>
  textAt(metric, 'type') === 'Resource' && textAt(metric, 'resource', 'name') === 'cpu'

const utilizationOf = (metric: unknown) => fieldAt(metric, 'resource', 'target', 'averageUtilization')

const isCpuTarget = (metric: unknown) => isCpu(metric) && utilizationOf(metric) !== undefined

function specInV1({ scaleTargetRef, minReplicas, maxReplicas, metrics }: Members): Members {
  const target = elements(metrics).find(isCpuTarget)
  return {
    scaleTargetRef,
    ...(minReplicas === undefined ? {} : { minReplicas }),
    maxReplicas,
    ...(target === undefined ? {} : { targetCPUUtilizationPercentage: utilizationOf(target) }),
  }
}

function statusInV1({ currentMetrics, conditions: _conditions, ...status }: Members): Members {
  const utilization = elements(currentMetrics)
    .filter(isCpu)
    .map((metric) => fieldAt(metric, 'resource', 'current', 'averageUtilization'))
    .findLast((value) => value !== undefined)
  const currentUtilization = utilization === undefined ? {} : { currentCPUUtilizationPercentage: utilization }
  return { currentReplicas: 0, desiredReplicas: 0, ...status, ...currentUtilization }
}

/** The annotations with the fields that v1 does not have. */
function annotationsForV1(spec: Members, status: Members): Record<string, string> {
  const others = elements(spec.metrics).filter((metric) => !isCpuTarget(metric))
  const metrics = elements(status.currentMetrics)
  const conditions = elements(status.conditions)
  return {
    ...(others.length > 0 && {
      [metricsAnnotation]: stringifyJson(others.map((each) => metricInV1(each, 'target'))),
    }),
    ...(metrics.length > 0 && {
      [currentMetricsAnnotation]: stringifyJson(metrics.map((each) => metricInV1(each, 'current'))),
    }),
    ...(spec.behavior !== undefined && {
      [behaviorAnnotation]: stringifyJson(internalBehavior(spec.behavior)),
    }),
    ...(conditions.length > 0 && { [conditionsAnnotation]: stringifyJson(conditions.map(orderedCondition)) }),
  }
}

function orderedCondition(condition: unknown): Members {
  const { type, status, lastTransitionTime = null, reason, message } = recordOf(condition)
  const members = { type, status, lastTransitionTime, reason, message }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** In the format of Go's internal type, which has no JSON names. */
function internalBehavior(behavior: unknown): Members {
  return { ScaleUp: internalRules(behavior, 'scaleUp'), ScaleDown: internalRules(behavior, 'scaleDown') }
}

function internalRules(behavior: unknown, way: string): Members | null {
  const rules = fieldAt(behavior, way)
  if (rules === undefined) return null
  const {
    stabilizationWindowSeconds = null,
    selectPolicy = null,
    policies,
    tolerance = null,
  } = recordOf(rules)
  const Policies = elements(policies)
    .map(recordOf)
    .map(({ type, value, periodSeconds }) => ({
      Type: type,
      Value: value,
      PeriodSeconds: periodSeconds,
    }))
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies: policies === undefined ? null : Policies,
    Tolerance: tolerance,
  }
}

function specInV2(spec: Members, annotations: Members): Members {
  const { targetCPUUtilizationPercentage: desired, ...otherFields } = spec
  const others = elements(parseAnnotation(annotations[metricsAnnotation])).map((metric) =>
    metricInV2(metric, 'target'),
  )
  const metrics = [...others, ...(desired === undefined ? [] : [cpuMetric(desired)])]
  const behavior = publicMembers(parseAnnotation(annotations[behaviorAnnotation]))
  return {
    ...otherFields,
    metrics: metrics.length === 0 ? [cpuMetric(defaultUtilization)] : metrics,
    ...(Object.keys(recordOf(behavior)).length === 0 ? {} : { behavior }),
  }
}

function cpuMetric(averageUtilization: unknown): Members {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
  }
}

function statusInV2(status: Members, annotations: Members): Members {
  const { currentCPUUtilizationPercentage: currentUtilization, currentReplicas, ...otherFields } = status
  const current = parseAnnotation(annotations[currentMetricsAnnotation])
  const metrics = Array.isArray(current)
    ? current.map((metric) => metricInV2(metric, 'current'))
    : currentUtilization === undefined
      ? null
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentUtilization } } }]
  const conditions = parseAnnotation(annotations[conditionsAnnotation])
  return {
    ...otherFields,
    ...(currentReplicas ? { currentReplicas } : {}),
    desiredReplicas: status.desiredReplicas ?? 0,
    currentMetrics: metrics,
    ...(Array.isArray(conditions) ? { conditions } : {}),
  }
}

/** The content of an annotation; undefined if a user wrote invalid JSON to it. */
function parseAnnotation(annotation: unknown): unknown {
  if (typeof annotation !== 'string') return undefined
  try {
    return parseJson(annotation)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The members of Go's internal type with their API names, without nulls. */
function publicMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publicMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(
    members.map(([name, member]) => [name.charAt(0).toLowerCase() + name.slice(1), publicMembers(member)]),
  )
}
