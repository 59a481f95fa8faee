import { parseApiVersion } from '../base/api-version.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../validation/field-error.js'
import { checkPathSegmentName } from '../validation/names.js'
import { behaviorErrors, metricErrors } from './autoscaler-errors.js'

const defaultMetric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

const percent = { type: 'Percent', value: 100, periodSeconds: 15 }
const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
}
const scaleDown = { selectPolicy: 'Max', policies: [percent] }

/**
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/horizontal-pod-autoscaler-v2/: defaults of
 * `pkg/apis/autoscaling/v2/defaults.go`, and the checks of replicas and target of `pkg/apis/autoscaling/validation`.
 */
export const horizontalPodAutoscalerRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
  },
  setDefaults(object) {
    const spec = recordOf(object.spec)
    const { minReplicas = 1, metrics, behavior } = spec
    object.spec = {
      ...spec,
      minReplicas,
      metrics: Array.isArray(metrics) && metrics.length > 0 ? metrics : [defaultMetric],
      ...(behavior === undefined ? {} : { behavior: withPolicies(recordOf(behavior)) }),
    }
  },
  validate(object, old, subresource) {
    return subresource === 'status' ? statusErrors(object) : specErrors(object, old)
  },
}

function withPolicies(behavior: Record<string, unknown>): Record<string, unknown> {
  return {
    scaleUp: { ...scaleUp, ...recordOf(behavior.scaleUp) },
    scaleDown: { ...scaleDown, ...recordOf(behavior.scaleDown) },
  }
}

function statusErrors({ status }: OpenObject): FieldError[] {
  return ['currentReplicas', 'desiredReplicas'].flatMap((field) => {
    const value = Number(fieldAt(status, field) ?? 0)
    if (value >= 0) return []
    return [invalidValue(`status.${field}`, value, 'must be greater than or equal to 0')]
  })
}

function specErrors(object: OpenObject, old: OpenObject | undefined): FieldError[] {
  const min = Number(fieldAt(object, 'spec', 'minReplicas') ?? 1)
  const max = Number(fieldAt(object, 'spec', 'maxReplicas') ?? 0)
  const minReplicas = fieldAt(old, 'spec', 'minReplicas') === 0 ? 0 : 1
  const tooFew = `must be greater than or equal to ${minReplicas}`
  return [
    ...(min < minReplicas ? [invalidValue('spec.minReplicas', min, tooFew)] : []),
    ...(max === 0 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(max < 0 ? [invalidValue('spec.maxReplicas', max, 'must be greater than or equal to 1')] : []),
    ...(max < min
      ? [invalidValue('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...targetErrors(recordOf(fieldAt(object, 'spec', 'scaleTargetRef')), old),
    ...metricErrors(object),
    ...(min === 0 && !scalesFromZero(object) ? [forbiddenValue('spec.metrics', noZero)] : []),
    ...behaviorErrors(object),
  ]
}

const noZero = 'must specify at least one Object or External metric to support scaling to zero replicas'

function scalesFromZero(object: OpenObject): boolean {
  const metrics = fieldAt(object, 'spec', 'metrics')
  return (
    Array.isArray(metrics) &&
    metrics.some((metric) => ['Object', 'External'].includes(textAt(metric, 'type')))
  )
}

function targetErrors(target: Record<string, unknown>, old: OpenObject | undefined): FieldError[] {
  const field = 'spec.scaleTargetRef'
  const apiVersion = textAt(target, 'apiVersion')
  const before = fieldAt(old, 'spec', 'scaleTargetRef')
  const isOld =
    before !== undefined &&
    textAt(before, 'apiVersion') === apiVersion &&
    textAt(before, 'kind') === target.kind
  const isGrouped = parseApiVersion(apiVersion).group !== '' || target.kind === 'ReplicationController'
  return [
    ...nameErrors(`${field}.kind`, textAt(target, 'kind')),
    ...nameErrors(`${field}.name`, textAt(target, 'name')),
    ...(isOld || isGrouped
      ? []
      : [invalidValue(`${field}.apiVersion`, apiVersion, 'apiVersion must specify API group')]),
  ]
}

function nameErrors(field: string, name: string): FieldError[] {
  if (name === '') return [required(field, '')]
  const problem = checkPathSegmentName(name)
  return problem === undefined ? [] : [invalidValue(field, name, problem)]
}
