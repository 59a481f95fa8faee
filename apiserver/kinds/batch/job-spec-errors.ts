import { recordOf } from '../../base/object.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { checkNotNegative, checkOptionalChoice, domainPathErrors } from '../../validation/values.js'
import { templateErrors } from '../workloads/template-errors.js'
import type { JobSpec } from './job-spec.js'
import { failurePolicyErrors } from './pod-failure-errors.js'

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const
const modes = ['NonIndexed', 'Indexed']
const maxParallelism = 100_000

/** `validateJobSpec` of Kubernetes v1.36.3; policies about failure and success are taken as they come. */
export function jobSpecErrors(spec: JobSpec, path: string): FieldError[] {
  const { maxFailedIndexes, backoffLimitPerIndex, template = {} } = spec
  const unlimited = maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined
  return [
    ...counts.flatMap((name) => checkNotNegative(`${path}.${name}`, spec[name])),
    ...(unlimited ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')] : []),
    ...managerErrors(spec, `${path}.managedBy`),
    ...checkOptionalChoice(`${path}.completionMode`, spec.completionMode, modes),
    ...(spec.completionMode === 'Indexed' ? indexedErrors(spec, path) : []),
    ...((spec.completionMode ?? 'NonIndexed') === 'NonIndexed' ? plainErrors(spec, path) : []),
    ...failurePolicyErrors(spec, `${path}.podFailurePolicy`),
    ...successErrors(spec, `${path}.successPolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...templateErrors(template, `${path}.template`),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ]
}

function managerErrors({ managedBy }: JobSpec, field: string): FieldError[] {
  return managedBy === undefined ? [] : domainPathErrors(field, managedBy)
}

function successErrors({ successPolicy, completionMode }: JobSpec, path: string): FieldError[] {
  if (successPolicy === undefined) return []
  if (completionMode !== 'Indexed') {
    return [invalidValue(path, policyInGo(successPolicy), 'requires indexed completion mode')]
  }
  const { rules } = recordOf(successPolicy)
  const list = Array.isArray(rules) ? rules.map(recordOf) : []
  const none = 'at least one rules must be specified when the successPolicy is specified'
  const empty = 'at least one of succeededCount or succeededIndexes must be specified'
  if (list.length === 0) return [required(`${path}.rules`, none)]
  return list.flatMap(({ succeededCount, succeededIndexes }, index) => [
    ...(succeededCount === undefined && succeededIndexes === undefined
      ? [required(`${path}.rules[${index}]`, empty)]
      : []),
    ...checkNotNegative(`${path}.rules[${index}].succeededCount`, succeededCount as number | undefined),
  ])
}

/** A policy in the format of Go's own type. */
function policyInGo(policy: object): object {
  const { rules } = recordOf(policy)
  const list = Array.isArray(rules) ? rules.map(recordOf) : undefined
  const rulesInGo = list?.map(({ succeededIndexes = null, succeededCount = null }) => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  }))
  return { Rules: rulesInGo ?? null }
}

function indexedErrors(spec: JobSpec, path: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes = 0 } = spec
  const wide = `must be less than or equal to ${maxParallelism} when completion mode is Indexed`
  const exceedsCompletions = completions !== undefined && maxFailedIndexes > completions
  return [
    ...(completions === undefined
      ? [required(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...(parallelism > maxParallelism ? [invalidValue(`${path}.parallelism`, parallelism, wide)] : []),
    ...(exceedsCompletions
      ? [
          invalidValue(
            `${path}.maxFailedIndexes`,
            maxFailedIndexes,
            'must be less than or equal to completions',
          ),
        ]
      : []),
  ]
}

function plainErrors(spec: JobSpec, path: string): FieldError[] {
  return (['backoffLimitPerIndex', 'maxFailedIndexes'] as const).flatMap((name) => {
    const value = spec[name]
    return value === undefined
      ? []
      : [invalidValue(`${path}.${name}`, value, 'requires indexed completion mode')]
  })
}

function replacementErrors({ podReplacementPolicy, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  if (podReplacementPolicy === undefined) return []
  const allowed = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  return allowed.includes(podReplacementPolicy)
    ? []
    : [unsupported(field, JSON.stringify(podReplacementPolicy), allowed)]
}

function restartErrors({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const { restartPolicy = '' } = template?.spec ?? {}
  if (restartPolicy === '' || restartPolicy === 'Always') {
    return [required(field, 'valid values: "OnFailure", "Never"')]
  }
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    return [unsupported(field, JSON.stringify(restartPolicy), ['OnFailure', 'Never'])]
  }
  const why = 'only "Never" is supported when podFailurePolicy is specified'
  const isStuck = podFailurePolicy !== undefined && restartPolicy !== 'Never'
  return isStuck ? [invalidValue(field, restartPolicy, why)] : []
}
