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
  inOrder,
  isEmptySelector,
  isUsable,
  type LabelSelector,
  selectorErrors,
  selects,
} from '../selector-errors.js'

/** A pod to be; `core/v1`. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: PodSpec
}

/** What every spec that makes pods has. */
export interface WorkloadSpec {
  readonly selector?: LabelSelector | null
  readonly template?: PodTemplate
}

/** What is wrong with a template; `ValidatePodTemplateSpec` of Kubernetes v1.36.3. */
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

/** The selector must be there, well-formed and not empty; `kind` is what an empty one is said to be wrong for. */
export function ownSelectorErrors(selector: LabelSelector | undefined | null, kind: string): FieldError[] {
  if (selector === undefined || selector === null) return [required('spec.selector', '')]
  const empty = invalidValue('spec.selector', selector, `empty selector is invalid for ${kind}`)
  return [...selectorErrors(selector, 'spec.selector'), ...(isEmptySelector(selector) ? [empty] : [])]
}

/** Whether the selector chooses the pods of the template. One that is not there chooses nothing, an empty one anything. */
export function mismatchErrors({ selector, template = {} }: WorkloadSpec): FieldError[] {
  const labels = template.metadata?.labels
  const isMatch = selector !== undefined && selector !== null && selects(selector, labels ?? {})
  const why = '`selector` does not match template `labels`'
  return isMatch
    ? []
    : [invalidValue('spec.template.metadata.labels', labels === undefined ? null : inOrder(labels), why)]
}

/** The same where a selector that has a mistake is told as a whole. */
export function choiceErrors(spec: WorkloadSpec, why: string): FieldError[] | undefined {
  return isUsable(spec.selector) ? undefined : [invalidValue('spec.selector', spec.selector, why)]
}

/** Pods of a controller are started again, and have no end of their own. */
export function endlessErrors({ spec = {} }: PodTemplate, kind: string): FieldError[] {
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
