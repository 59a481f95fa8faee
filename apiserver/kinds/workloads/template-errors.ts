import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import { validateAnnotations, validateLabels } from '../../validation/metadata.js'
import { podSpecErrors } from '../pod-spec/pod-spec-errors.js'
import type { PodSpec } from '../pod-spec/spec.js'
import {
  isEmptySelector,
  isUsable,
  type LabelSelector,
  selectorErrors,
  selects,
  sortLabels,
} from '../selector-errors.js'

/** A pod template; `core/v1`. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: PodSpec
}

/** The common fields of specs with a pod template. */
export interface WorkloadSpec {
  readonly selector?: LabelSelector | null
  readonly template?: PodTemplate
}

/** The errors of a template; `ValidatePodTemplateSpec` of Kubernetes v1.36.3. */
export function templateErrors({ metadata = {}, spec = {} }: PodTemplate, path: string): FieldError[] {
  const isEphemeral = (spec.ephemeralContainers ?? []).length > 0
  const why = 'ephemeral containers not allowed in pod template'
  return [
    ...validateLabels(metadata.labels, `${path}.labels`),
    ...validateAnnotations(metadata.annotations, `${path}.annotations`),
    ...podSpecErrors(spec, `${path}.spec`),
    ...(isEphemeral ? [forbiddenValue(`${path}.spec.ephemeralContainers`, why)] : []),
  ]
}

/** The errors of a missing, invalid or empty selector; `kind` is part of the message for an empty one. */
export function ownSelectorErrors(selector: LabelSelector | undefined | null, kind: string): FieldError[] {
  if (selector === undefined || selector === null) return [required('spec.selector', '')]
  const empty = invalidValue('spec.selector', selector, `empty selector is invalid for ${kind}`)
  return [...selectorErrors(selector, 'spec.selector'), ...(isEmptySelector(selector) ? [empty] : [])]
}

/**
 * The error if the selector does not match the template. A missing selector matches nothing, an empty one
 * everything.
 */
export function mismatchErrors({ selector, template = {} }: WorkloadSpec): FieldError[] {
  const labels = template.metadata?.labels
  const isMatch = selector !== undefined && selector !== null && selects(selector, labels ?? {})
  const why = '`selector` does not match template `labels`'
  return isMatch
    ? []
    : [invalidValue('spec.template.metadata.labels', labels === undefined ? null : sortLabels(labels), why)]
}

/** One error for an invalid selector, whatever its problems are; undefined for a valid one. */
export function invalidSelectorErrors(spec: WorkloadSpec, why: string): FieldError[] | undefined {
  return isUsable(spec.selector) ? undefined : [invalidValue('spec.selector', spec.selector, why)]
}

/** The errors of pods that are not always restarted, or that have a deadline; controllers do not allow this. */
export function restartAndDeadlineErrors({ spec = {} }: PodTemplate, kind: string): FieldError[] {
  const path = 'spec.template.spec'
  const { restartPolicy, activeDeadlineSeconds } = spec
  const why = `activeDeadlineSeconds in ${kind} is not Supported`
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [unsupported(`${path}.restartPolicy`, JSON.stringify(restartPolicy), ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbiddenValue(`${path}.activeDeadlineSeconds`, why)]),
  ]
}
