import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { OpenObject } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, forbiddenValue, required } from '../../validation/field-error.js'
import { checkQualified } from '../../validation/values.js'
import { parameterErrors } from '../classes.js'
import { addFinalizer, classProtection } from '../volumes.js'

interface AttributesClass {
  readonly driverName?: string
  readonly parameters?: Readonly<Record<string, string>>
}

/** https://kubernetes.io/docs/concepts/storage/volume-attributes-classes/ */
export const volumeAttributesClassRules: KindRules = {
  validate: classErrors,
  create: {
    prepare(object) {
      addFinalizer(object, classProtection)
    },
  },
  update: {
    validate: changeErrors,
  },
}

function classErrors({ driverName = '', parameters = {} }: OpenObject & AttributesClass): FieldError[] {
  const isEmpty = Object.keys(parameters).length === 0
  return [
    ...(driverName === ''
      ? [required('driverName', '')]
      : checkQualified('driverName', driverName.toLowerCase())),
    ...parameterErrors(parameters),
    ...(isEmpty ? [required('parameters', 'must contain at least one key/value pair')] : []),
  ]
}

function changeErrors(object: OpenObject & AttributesClass, old: OpenObject & AttributesClass): FieldError[] {
  const isUnchanged = (name: keyof AttributesClass) => jsonEqual(object[name] ?? null, old[name] ?? null)
  return (['driverName', 'parameters'] as const)
    .filter((name) => !isUnchanged(name))
    .map((name) => forbiddenValue(name, `updates to ${name} are forbidden.`))
}
