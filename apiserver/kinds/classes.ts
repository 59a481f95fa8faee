import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { forbidden } from '../request/status.js'
import type { KindRules, KindServices } from '../resources/kind-rules.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  tooLong,
  unsupported,
} from '../validation/field-error.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkChoice, checkOptionalChoice, checkQualified } from '../validation/values.js'
import { defaultClass } from './pod-priority.js'
import { storageClassWarnings } from './storage-warnings.js'

/** An error for each changed immutable field of the object. */
export function immutableErrors(
  object: OpenObject,
  old: OpenObject | undefined,
  names: readonly string[],
): FieldError[] {
  if (old === undefined) return []
  return names.flatMap((name) => {
    const value = object[name] ?? null
    return jsonEqual(value, old[name] ?? null) ? [] : [invalidValue(name, value, 'field is immutable')]
  })
}

/** https://kubernetes.io/docs/concepts/storage/storage-classes/ */
export const storageClassRules: KindRules = {
  validate(object, old) {
    const fixed = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']
    return [...storageClassErrors(object), ...immutableErrors(object, old, fixed)]
  },
  create: {
    warnings: storageClassWarnings,
  },
  update: {
    warnings: storageClassWarnings,
  },
  delete: {
    returnsObject: true,
  },
}

function storageClassErrors({
  provisioner,
  reclaimPolicy,
  volumeBindingMode,
  allowedTopologies,
  parameters,
}: OpenObject): FieldError[] {
  const name = String(provisioner ?? '')
  return [
    ...(name === '' ? [required('provisioner', '')] : checkQualified('provisioner', name.toLowerCase())),
    ...checkOptionalChoice('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']),
    ...parameterErrors(recordOf(parameters)),
    ...bindingErrors(volumeBindingMode),
    ...topologyErrors(Array.isArray(allowedTopologies) ? allowedTopologies.map(recordOf) : []),
  ]
}

const maxParameters = 512
const maxParameterBytes = 256 * 1024

/** The errors of the parameters of a class of storage. */
export function parameterErrors(parameters: Readonly<Record<string, unknown>>): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) return [tooLong('parameters', maxParameters)]
  const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0)
  return [
    ...('' in parameters ? [invalidValue('parameters', '', 'field can not be empty.')] : []),
    ...(bytes > maxParameterBytes ? [tooLong('parameters', maxParameterBytes)] : []),
  ]
}

const modes = ['Immediate', 'WaitForFirstConsumer']

function bindingErrors(mode: unknown): FieldError[] {
  return mode === ''
    ? [unsupported('volumeBindingMode', '""', modes)]
    : checkChoice('volumeBindingMode', mode, modes)
}

type Members = Readonly<Record<string, unknown>>

const expressionsOf = ({ matchLabelExpressions }: Members): Members[] =>
  Array.isArray(matchLabelExpressions) ? matchLabelExpressions.map(recordOf) : []

/** The maximum number of errors about duplicate terms, of which a real server has one for each pair. */
const maxDuplicates = 20_000

function topologyErrors(terms: readonly Members[]): FieldError[] {
  const earlierCounts = new Map<string, number>()
  return terms.flatMap((term, position) => {
    const path = `allowedTopologies[${position}].matchLabelExpressions`
    const expressions = expressionsOf(term)
    const text = JSON.stringify(expressions)
    const duplicates = earlierCounts.get(text) ?? 0
    earlierCounts.set(text, duplicates + 1)
    // Go starts with one empty term per term.
    const count = expressions.length === 0 ? terms.length + duplicates : duplicates
    const length = Math.min(count, Math.ceil(maxDuplicates / terms.length))
    return [...termErrors(expressions, path), ...Array.from({ length }, () => duplicate(path, ''))]
  })
}

function termErrors(expressions: readonly Members[], path: string): FieldError[] {
  const keys = expressions.map(({ key }) => String(key ?? ''))
  const repeated = repeatedIndexes(keys)
  return expressions.flatMap((each, index) => [
    ...expressionErrors(each, `${path}[${index}]`),
    ...(repeated.has(index) ? [duplicate(`${path}[${index}].key`, keys[index])] : []),
  ])
}

function expressionErrors({ key, values }: Members, path: string): FieldError[] {
  const list = Array.isArray(values) ? values : []
  const repeated = repeatedIndexes(list)
  return [
    ...(list.length === 0 ? [required(`${path}.values`, '')] : []),
    ...list.flatMap((value, index) =>
      repeated.has(index) ? [duplicate(`${path}.values[${index}]`, value)] : [],
    ),
    ...checkQualified(`${path}.key`, String(key ?? '')),
  ]
}

/** Higher values are reserved for the system. */
const maxPriority = 1_000_000_000

/** Only one class may be the default. Throws 403. */
function checkOneDefault({ metadata, globalDefault }: OpenObject, services: KindServices): undefined {
  const { name = '' } = metadata
  const currentDefault = globalDefault === true ? defaultClass(services)?.metadata.name : undefined
  if (currentDefault === undefined || currentDefault === name) return
  const resource = { group: 'scheduling.k8s.io', plural: 'priorityclasses' }
  throw forbidden(
    resource,
    name,
    `PriorityClass ${currentDefault} is already marked as default. Only one default can exist`,
  )
}

/** https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass */
export const priorityClassRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
    generation: 'constant',
  },
  validate(object, old) {
    const { value = 0, preemptionPolicy } = object
    if (old === undefined) {
      const high = `maximum allowed value of a user defined priority is ${maxPriority}`
      return [
        ...(Number(value) > maxPriority ? [forbiddenValue('value', high)] : []),
        ...checkOptionalChoice('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never']),
      ]
    }
    const isKept = value === (old.value ?? 0)
    return [
      ...(isKept ? [] : [forbiddenValue('value', 'may not be changed in an update.')]),
      ...immutableErrors(object, old, ['preemptionPolicy']),
    ]
  },
  create: {
    prepare: checkOneDefault,
  },
  update: {
    prepare: (object, _old, services) => checkOneDefault(object, services),
  },
}
