import { recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, forbiddenValue, invalidValue, unsupported } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { immutableErrors } from './immutable.js'
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  type IntOrPercent,
  numberOf,
  rollingUpdateInGo,
} from './int-or-percent.js'
import { countErrors, type StatusChecks } from './status-errors.js'
import {
  invalidSelectorErrors,
  mismatchErrors,
  ownSelectorErrors,
  restartAndDeadlineErrors,
  templateErrors,
  type WorkloadSpec,
} from './template-errors.js'

interface Strategy {
  readonly type?: string
  readonly rollingUpdate?: { readonly maxUnavailable?: IntOrPercent; readonly maxSurge?: IntOrPercent }
}

interface DeploymentSpec extends WorkloadSpec {
  readonly replicas?: number
  readonly strategy?: Strategy
  readonly minReadySeconds?: number
  readonly revisionHistoryLimit?: number
  readonly progressDeadlineSeconds?: number
}

const status: StatusChecks = {
  counts: [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ],
  parts: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
}

const warnings = workloadWarnings()

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/ */
export const deploymentRules: KindRules = {
  create: warnings.create,
  update: warnings.update,
  metadata: {
    // pkg/registry/apps/deployment/strategy.go @ v1.36.3
    generation: 'with annotations',
    repeatedOnUpdate: 'change',
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return countErrors(object, status)
    const spec: DeploymentSpec = recordOf(object.spec)
    const errors = deploymentErrors(spec)
    return old === undefined
      ? errors
      : [...errors, ...immutableErrors(spec, recordOf(old.spec), ['selector'])]
  },
  status: {
    keptMetadata: ['labels'],
  },
}

/** `ValidateDeploymentSpec` of Kubernetes v1.36.3. */
function deploymentErrors(spec: DeploymentSpec): FieldError[] {
  const { progressDeadlineSeconds = 1, minReadySeconds = 0 } = spec
  const late = 'must be greater than minReadySeconds'
  return [
    ...checkNotNegative('spec.replicas', spec.replicas),
    ...ownSelectorErrors(spec.selector, 'deployment'),
    ...(invalidSelectorErrors(spec, 'invalid label selector') ?? podErrors(spec)),
    ...strategyErrors(spec.strategy ?? {}, 'spec.strategy'),
    ...checkNotNegative('spec.minReadySeconds', minReadySeconds),
    ...checkNotNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...checkNotNegative('spec.progressDeadlineSeconds', spec.progressDeadlineSeconds),
    ...(progressDeadlineSeconds > minReadySeconds
      ? []
      : [invalidValue('spec.progressDeadlineSeconds', progressDeadlineSeconds, late)]),
  ]
}

/** `ValidatePodTemplateSpecForReplicaSet`: an empty selector is wrong, but it matches. */
export function podErrors(spec: WorkloadSpec): FieldError[] {
  const { template = {} } = spec
  return [
    ...mismatchErrors(spec),
    ...templateErrors(template, 'spec.template'),
    ...restartAndDeadlineErrors(template, 'ReplicaSet'),
  ]
}

function strategyErrors(strategy: Strategy, path: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'RollingUpdate') return rollingErrors(rollingUpdate ?? {}, `${path}.rollingUpdate`)
  if (type !== 'Recreate') {
    const strategyText = JSON.stringify({ Type: type, RollingUpdate: rollingUpdateInGo(rollingUpdate) })
    return [unsupported(path, strategyText, ['Recreate', 'RollingUpdate'])]
  }
  const why = "may not be specified when strategy `type` is 'Recreate'"
  return rollingUpdate === undefined ? [] : [forbiddenValue(`${path}.rollingUpdate`, why)]
}

function rollingErrors(
  { maxUnavailable = 0, maxSurge = 0 }: NonNullable<Strategy['rollingUpdate']>,
  path: string,
): FieldError[] {
  const unavailable = `${path}.maxUnavailable`
  const isStuck = numberOf(maxUnavailable) === 0 && numberOf(maxSurge) === 0
  return [
    ...checkIntOrPercent(unavailable, maxUnavailable),
    ...checkIntOrPercent(`${path}.maxSurge`, maxSurge),
    ...(isStuck ? [invalidValue(unavailable, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...checkAtMost100Percent(unavailable, maxUnavailable),
  ]
}
