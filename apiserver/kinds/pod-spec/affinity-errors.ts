/** The errors of a pod's affinity; `validateAffinity` of Kubernetes v1.36.3. */
import { labelValueProblems } from '../../../sdk/engine/kube/label-syntax.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { checkName, checkQualified } from '../../validation/values.js'
import { type LabelSelector, selectorErrors } from '../selector-errors.js'
import { labelKeyErrors } from './label-key-errors.js'

interface Requirement {
  readonly key?: string
  readonly operator?: string
  readonly values?: readonly string[]
}

interface NodeTerm {
  readonly matchExpressions?: readonly Requirement[]
  readonly matchFields?: readonly Requirement[]
}

/** A selector of nodes, by any of its terms. */
export interface NodeSelector {
  /** Null if the request had none. */
  readonly nodeSelectorTerms?: readonly NodeTerm[] | null
}

interface PodTerm {
  readonly labelSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
  readonly namespaceSelector?: LabelSelector
  readonly namespaces?: readonly string[]
  readonly topologyKey?: string
}

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number
    readonly podAffinityTerm?: PodTerm
  }[]
}

/** The affinity of a pod to nodes and to other pods, and its anti-affinity to other pods. */
export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight?: number
      readonly preference?: NodeTerm
    }[]
  }
  readonly podAffinity?: PodAffinity
  readonly podAntiAffinity?: PodAffinity
}

const requiredField = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredField = 'preferredDuringSchedulingIgnoredDuringExecution'

/** Checks an affinity; `path` is its place. */
export function affinityErrors(
  { nodeAffinity, podAffinity, podAntiAffinity }: Affinity,
  path: string,
): FieldError[] {
  return [
    ...nodeErrors(nodeAffinity ?? {}, `${path}.nodeAffinity`),
    ...podErrors(podAffinity ?? {}, `${path}.podAffinity`),
    ...podErrors(podAntiAffinity ?? {}, `${path}.podAntiAffinity`),
  ]
}

function nodeErrors(affinity: NonNullable<Affinity['nodeAffinity']>, path: string): FieldError[] {
  const { [requiredField]: needed, [preferredField]: preferred = [] } = affinity
  return [
    ...(needed === undefined ? [] : nodeSelectorErrors(needed, `${path}.${requiredField}`)),
    ...preferred.flatMap(({ weight = 0, preference = {} }, index) => [
      ...weightErrors(weight, `${path}.${preferredField}[${index}].weight`),
      ...termErrors(preference, `${path}.${preferredField}[${index}].preference`, () => []),
    ]),
  ]
}

/** The errors of a selector of nodes; `ValidateNodeSelector` of Kubernetes v1.36.3. */
export function nodeSelectorErrors({ nodeSelectorTerms }: NodeSelector, path: string): FieldError[] {
  const terms = `${path}.nodeSelectorTerms`
  if (!nodeSelectorTerms?.length) return [required(terms, 'must have at least one node selector term')]
  return nodeSelectorTerms.flatMap((term, index) => termErrors(term, `${terms}[${index}]`, checkLabelValue))
}

function weightErrors(weight: number, field: string): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalidValue(field, weight, 'must be in the range 1-100')]
}

type CheckValue = (field: string, value: string) => FieldError[]

const checkLabelValue: CheckValue = (field, value) =>
  labelValueProblems(value).map((problem) => invalidValue(field, value, problem))

function termErrors(
  { matchExpressions = [], matchFields = [] }: NodeTerm,
  path: string,
  checkValue: CheckValue,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((each, position) => [
      ...expressionErrors(each, `${path}.matchExpressions[${position}]`),
      ...(each.values ?? []).flatMap((value, index) =>
        checkValue(`${path}.matchExpressions[${position}].values[${index}]`, value),
      ),
    ]),
    ...matchFields.flatMap((each, index) => fieldErrors(each, `${path}.matchFields[${index}]`)),
  ]
}

const unknownOperator = 'not a valid selector operator'

function expressionErrors({ key = '', operator = '', values = [] }: Requirement, path: string): FieldError[] {
  return [...countErrors(operator, values, path), ...checkQualified(`${path}.key`, key)]
}

function countErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  const field = `${path}.values`
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(field, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return []
      return [forbiddenValue(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return []
      return [required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalidValue(`${path}.operator`, operator, unknownOperator)]
  }
}

function fieldErrors({ key = '', operator = '', values = [] }: Requirement, path: string): FieldError[] {
  const isKnown = operator === 'In' || operator === 'NotIn'
  const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
  return [
    ...(isKnown ? [] : [invalidValue(`${path}.operator`, operator, unknownOperator)]),
    ...(isKnown && values.length !== 1 ? [required(`${path}.values`, single)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => checkName(`${path}.values[${index}]`, value, checkSubdomainName))
      : [invalidValue(`${path}.key`, key, 'not a valid field selector key')]),
  ]
}

function podErrors(
  { [requiredField]: needed = [], [preferredField]: preferred = [] }: PodAffinity,
  path: string,
): FieldError[] {
  return [
    ...needed.flatMap((term, index) => podTermErrors(term, `${path}.${requiredField}[${index}]`)),
    ...preferred.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => [
      ...weightErrors(weight, `${path}.${preferredField}[${index}].weight`),
      ...podTermErrors(podAffinityTerm, `${path}.${preferredField}[${index}].podAffinityTerm`),
    ]),
  ]
}

function podTermErrors(term: PodTerm, path: string): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term
  return [
    ...selectorErrors(labelSelector, `${path}.labelSelector`),
    ...selectorErrors(namespaceSelector, `${path}.namespaceSelector`),
    ...namespaces.flatMap((name) => checkName(`${path}.namespace`, name, checkLabelName)),
    ...labelKeyErrors(term, path),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...checkQualified(`${path}.topologyKey`, topologyKey),
  ]
}
