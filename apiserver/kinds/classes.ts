import { jsonEqual } from '../../sdk/kube/json.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
} from '../validation/field-error.js'
import { labelName } from '../validation/names.js'
import { checkChoice, checkOptionalChoice, checkQualified, checkRequiredName } from '../validation/values.js'
import { type KindRules, type OpenObject, recordOf } from './kind-rules.js'
import { storageClassWarnings } from './storage-warnings.js'

/** An error for each of the object's own fields that an update changes. */
function keptErrors(object: OpenObject, old: OpenObject | undefined, names: readonly string[]): FieldError[] {
  if (old === undefined) return []
  return names.flatMap((name) => {
    const value = object[name] ?? null
    return jsonEqual(value, old[name] ?? null) ? [] : [invalidValue(name, value, 'field is immutable')]
  })
}

/** https://kubernetes.io/docs/concepts/storage/storage-classes/ */
export const storageClassRules: KindRules = {
  returnsDeleted: true,
  warnings: storageClassWarnings,
  validate(object, old) {
    const fixed = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']
    return [...storageClassErrors(object), ...keptErrors(object, old, fixed)]
  },
}

function storageClassErrors({
  provisioner,
  reclaimPolicy,
  volumeBindingMode,
  allowedTopologies,
}: OpenObject): FieldError[] {
  const name = String(provisioner ?? '')
  return [
    ...(name === '' ? [required('provisioner', '')] : checkQualified('provisioner', name.toLowerCase())),
    ...checkOptionalChoice('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']),
    ...checkChoice('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
    ...topologyErrors(Array.isArray(allowedTopologies) ? allowedTopologies.map(recordOf) : []),
  ]
}

type Members = Readonly<Record<string, unknown>>

const expressionsOf = ({ matchLabelExpressions }: Members): Members[] =>
  Array.isArray(matchLabelExpressions) ? matchLabelExpressions.map(recordOf) : []

function topologyErrors(terms: readonly Members[]): FieldError[] {
  return terms.flatMap((term, at) => {
    const path = `allowedTopologies[${at}].matchLabelExpressions`
    // Go begins with as many empty terms as there are terms.
    const isEmpty = expressionsOf(term).length === 0
    const shown = (each: Members) => JSON.stringify(expressionsOf(each))
    const twins = terms.slice(0, at).filter((each) => shown(each) === shown(term)).length
    const count = isEmpty ? terms.length + twins : twins
    return [
      ...expressionsOf(term).flatMap((each, index) => expressionErrors(each, `${path}[${index}]`)),
      ...Array.from({ length: count }, () => duplicate(path, '')),
    ]
  })
}

function expressionErrors({ key, values }: Members, path: string): FieldError[] {
  const list = Array.isArray(values) ? values : []
  return [
    ...(list.length === 0 ? [required(`${path}.values`, '')] : []),
    ...list.flatMap((value, at) =>
      list.indexOf(value) < at ? [duplicate(`${path}.values[${at}]`, value)] : [],
    ),
    ...checkQualified(`${path}.key`, String(key ?? '')),
  ]
}

/** What is above is the system's. */
const MAX_PRIORITY = 1_000_000_000

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass */
export const priorityClassRules: KindRules = {
  metadataOnUpdate: 'change',
  generation: 'constant',
  validate(object, old) {
    const { value = 0, preemptionPolicy } = object
    if (old === undefined) {
      const high = `maximum allowed value of a user defined priority is ${MAX_PRIORITY}`
      return [
        ...(Number(value) > MAX_PRIORITY ? [forbiddenValue('value', high)] : []),
        ...checkOptionalChoice('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never']),
      ]
    }
    const isKept = value === (old.value ?? 0)
    return [
      ...(isKept ? [] : [forbiddenValue('value', 'may not be changed in an update.')]),
      ...keptErrors(object, old, ['preemptionPolicy']),
    ]
  },
}

/** https://kubernetes.io/docs/concepts/containers/runtime-class/ */
export const runtimeClassRules: KindRules = {
  createOnUpdate: true,
  versionedUpdate: true,
  checksFinalizers: false,
  validate(object, old) {
    const { handler } = object
    if (old !== undefined) return keptErrors(object, old, ['handler'])
    return checkRequiredName('handler', String(handler ?? ''), labelName)
  },
}
