import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, forbiddenValue, invalidValue, tooLong } from '../validation/field-error.js'
import { checkConfigKey } from '../validation/names.js'

/** The maximum total size of a ConfigMap's or Secret's values. */
const maxDataBytes = 1024 * 1024

/** https://kubernetes.io/docs/concepts/configuration/configmap/ */
export const configMapRules: KindRules = {
  validate(object) {
    const data = recordOf(object.data)
    const binaryData = recordOf(object.binaryData)
    return [
      ...validateKeys('data', data, binaryData),
      ...validateKeys('binaryData', binaryData),
      ...validateSize([data, binaryData], '[]'),
    ]
  },
  update: {
    validate: (object, old) => validateImmutable(object, old, ['data', 'binaryData']),
  },
}

function validateKeys(field: string, values: object, others: object = {}): FieldError[] {
  const errors: FieldError[] = []
  for (const key of Object.keys(values)) {
    const problem = checkConfigKey(key)
    if (problem !== undefined) errors.push(invalidValue(`${field}[${key}]`, key, problem))
    if (Object.hasOwn(others, key)) {
      errors.push(invalidValue(`${field}[${key}]`, key, 'duplicate of key present in binaryData'))
    }
  }
  return errors
}

/** Checks the keys of a Secret's data. */
export function validateDataKeys(data: object): FieldError[] {
  return validateKeys('data', data)
}

/** Checks the total size of values; base64 counts with its decoded size. */
export function validateSize([texts = {}, binaries = {}]: readonly object[], field: string): FieldError[] {
  let bytes = 0
  for (const value of Object.values(texts)) bytes += Buffer.byteLength(value)
  for (const value of Object.values(binaries)) bytes += Buffer.byteLength(value, 'base64')
  return bytes > maxDataBytes ? [tooLong(field, maxDataBytes)] : []
}

/** The errors of changes to an object with `immutable: true`: clearing this flag, and changing any of `fields`. */
export function validateImmutable(
  object: OpenObject,
  old: OpenObject,
  fields: readonly string[],
): FieldError[] {
  if (old.immutable !== true) return []
  const why = 'field is immutable when `immutable` is set'
  const errors = object.immutable === true ? [] : [forbiddenValue('immutable', why)]
  for (const field of fields) {
    if (!jsonEqual(object[field], old[field])) errors.push(forbiddenValue(field, why))
  }
  return errors
}
