import { recordOf } from '../base/object.js'
import { duplicate, type FieldError, invalidValue, required, tooLong, unsupported } from './field-error.js'
import { repeatedIndexes } from './repeated.js'
import { checkQualified } from './values.js'

const statuses = ['False', 'True', 'Unknown']
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const reasonForm =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
const maxReasonBytes = 1024
const maxMessageBytes = 32 * 1024

/** The errors of a list of conditions; `ValidateConditions` of apimachinery's meta/v1. */
export function conditionsErrors(field: string, conditions: unknown): FieldError[] {
  if (!Array.isArray(conditions)) return []
  const types = conditions.map((condition) => String(recordOf(condition).type ?? ''))
  const repeated = repeatedIndexes(types)
  return conditions.flatMap((condition, index) => {
    const path = `${field}[${index}]`
    return [
      ...(repeated.has(index) ? [duplicate(`${path}.type`, types[index])] : []),
      ...conditionErrors(path, recordOf(condition)),
    ]
  })
}

function conditionErrors(path: string, condition: Readonly<Record<string, unknown>>): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, message = '' } = condition
  const errors = checkQualified(`${path}.type`, String(type))
  if (!statuses.includes(String(status))) {
    errors.push(unsupported(`${path}.status`, JSON.stringify(status), statuses))
  }
  if (Number(observedGeneration) < 0) {
    const why = 'must be greater than or equal to zero'
    errors.push(invalidValue(`${path}.observedGeneration`, observedGeneration, why))
  }
  if (!lastTransitionTime) errors.push(required(`${path}.lastTransitionTime`, ''))
  errors.push(...reasonErrors(`${path}.reason`, String(condition.reason ?? '')))
  if (Buffer.byteLength(String(message)) > maxMessageBytes) {
    errors.push(tooLong(`${path}.message`, maxMessageBytes))
  }
  return errors
}

function reasonErrors(field: string, reason: string): FieldError[] {
  if (reason === '') return [required(field, '')]
  return [
    ...(reasonPattern.test(reason) ? [] : [invalidValue(field, reason, reasonForm)]),
    ...(Buffer.byteLength(reason) > maxReasonBytes ? [tooLong(field, maxReasonBytes)] : []),
  ]
}
