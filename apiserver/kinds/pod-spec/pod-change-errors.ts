import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../../validation/field-error.js'
import { goDifference } from '../../validation/go-difference.js'
import { tolerationErrors } from './pod-spec-errors.js'
import type { Container, PodSpec, Toleration } from './spec.js'

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
]
const containerLists = ['containers', 'initContainers'] as const

/** The errors of a pod's update; `ValidatePodUpdate` of Kubernetes v1.36.3. */
export function podChangeErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  for (const name of containerLists) {
    const isSame = (spec[name] ?? []).length === (old[name] ?? []).length
    if (!isSame) return [forbiddenValue(`spec.${name}`, 'pod updates may not add or remove containers')]
  }
  const errors = [...containerLists.flatMap((name) => imageErrors(spec[name] ?? [], `spec.${name}`))]
  const deadline = deadlineErrors(spec, old)
  errors.push(...deadline)
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return errors
  return [
    ...errors,
    ...addedTolerationErrors(spec.tolerations ?? [], old.tolerations ?? []),
    ...gateErrors(spec, old),
    ...selectorErrors(spec, old),
    ...otherErrors(spec, old),
  ]
}

function imageErrors(containers: readonly Container[], path: string): FieldError[] {
  return containers.flatMap(({ image = '' }, index) => {
    const field = `${path}[${index}].image`
    if (image === '') return [required(field, '')]
    const why = 'must not have leading or trailing whitespace'
    return image.trim() === image ? [] : [invalidValue(field, image, why)]
  })
}

function deadlineErrors({ activeDeadlineSeconds: now }: PodSpec, old: PodSpec): FieldError[] {
  const { activeDeadlineSeconds: before } = old
  const field = 'spec.activeDeadlineSeconds'
  if (now === undefined) {
    const why = 'must not update from a positive integer to nil value'
    return before === undefined ? [] : [invalidValue(field, null, why)]
  }
  if (now < 0 || now > 2 ** 31 - 1)
    return [invalidValue(field, now, 'must be between 0 and 2147483647, inclusive')]
  const isLater = before !== undefined && before < now
  return isLater ? [invalidValue(field, now, 'must be less than or equal to previous value')] : []
}

function addedTolerationErrors(now: readonly Toleration[], before: readonly Toleration[]): FieldError[] {
  const withoutSeconds = ({ tolerationSeconds: _seconds, ...toleration }: Toleration) => toleration
  const isKept = before.every((old) =>
    now.some((each) => jsonEqual(withoutSeconds(each), withoutSeconds(old))),
  )
  if (isKept) return tolerationErrors(now, 'spec.tolerations')
  return [
    forbiddenValue(
      'spec.tolerations',
      'existing toleration can not be modified except its tolerationSeconds',
    ),
  ]
}

function gateErrors({ schedulingGates = [] }: PodSpec, old: PodSpec): FieldError[] {
  const before = (old.schedulingGates ?? []).map(({ name }) => name)
  return schedulingGates.flatMap(({ name }, index) => {
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`
    return before.includes(name) ? [] : [forbiddenValue(`spec.schedulingGates[${index}].name`, why)]
  })
}

/** A pod with scheduling gates is not placed yet, so an update may restrict its placement further. */
function isGated({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0
}

function selectorErrors({ nodeSelector = {} }: PodSpec, old: PodSpec): FieldError[] {
  if (!isGated(old)) return []
  const isKept = Object.entries(old.nodeSelector ?? {}).every(([name, value]) => nodeSelector[name] === value)
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
  return isKept ? [] : [invalidValue('spec.nodeSelector', nodeSelector, why)]
}

function otherErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const [before, now] = [immutablePart(old, { spec, old }), immutablePart(spec, { spec, old })]
  if (jsonEqual(now, before)) return []
  const why = `pod updates may not change fields other than ${changeable.join(',')}`
  return [forbiddenValue('spec', `${why}\n${goDifference(before, now)}`)]
}

/** The new and the old spec of an update. */
interface SpecChange {
  readonly spec: PodSpec
  readonly old: PodSpec
}

/** The part of one of the two specs that this update must not change. */
function immutablePart(either: PodSpec, { spec: now, old }: SpecChange): object {
  const { containers, initContainers, ...rest } = either
  const { activeDeadlineSeconds: _d, tolerations: _t, schedulingGates: _g, ...others } = rest
  const { nodeSelector: _n, affinity, ...ungated } = others
  const { nodeAffinity: _a, ...otherAffinity } = affinity ?? {}
  const { terminationGracePeriodSeconds: before = 0 } = old
  // Old versions accepted a negative period, which may be corrected to 1.
  const isCorrected = before < 0 && now.terminationGracePeriodSeconds === 1
  return {
    ...(isGated(old) ? { ...ungated, affinity: otherAffinity } : others),
    ...(isCorrected ? { terminationGracePeriodSeconds: 1 } : {}),
    containers: (containers ?? []).map(withoutImage),
    initContainers: (initContainers ?? []).map(withoutImage),
  }
}

function withoutImage({ image: _image, ...container }: Container): object {
  return container
}
