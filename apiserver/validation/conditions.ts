import { recordOf } from '../base/object.js'
import { duplicate, type FieldError, invalidValue, required, tooLong, unsupported } from './field-error.js'
import { checkQualified } from './values.js'

const STATUSES = ['False', 'True', 'Unknown']
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const REASON_FORM =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
const MAX_REASON_BYTES = 1024
const MAX_MESSAGE_BYTES = 32 * 1024

/** The errors of a list of conditions; `ValidateConditions` of apimachinery's meta/v1. */
export function conditionsErrors(field: string, conditions: unknown): FieldError[] {
  if (!Array.isArray(conditions)) return []
  const types = conditions.map((condition) => String(recordOf(condition).type ?? ''))
  return conditions.flatMap((condition, at) => {
    const path = `${field}[${at}]`
    const isTwin = types.indexOf(types[at] ?? '') < at
    return [
      ...(isTwin ? [duplicate(`${path}.type`, types[at])] : []),
      ...conditionErrors(path, recordOf(condition)),
    ]
  })
}

function conditionErrors(path: string, condition: Readonly<Record<string, unknown>>): FieldError[] {
  const { type = '', status = '', observedGeneration = 0, lastTransitionTime, message = '' } = condition
  const errors = checkQualified(`${path}.type`, String(type))
  if (!STATUSES.includes(String(status))) {
    errors.push(unsupported(`${path}.status`, JSON.stringify(status), STATUSES))
  }
  if (Number(observedGeneration) < 0) {
    const why = 'must be greater than or equal to zero'
    errors.push(invalidValue(`${path}.observedGeneration`, observedGeneration, why))
  }
  if (!lastTransitionTime) errors.push(required(`${path}.lastTransitionTime`, ''))
  errors.push(...reasonErrors(`${path}.reason`, String(condition.reason ?? '')))
  if (Buffer.byteLength(String(message)) > MAX_MESSAGE_BYTES) {
    errors.push(tooLong(`${path}.message`, MAX_MESSAGE_BYTES))
  }
  return errors
}

function reasonErrors(field: string, reason: string): FieldError[] {
  if (reason === '') return [required(field, '')]
  return [
    ...(REASON.test(reason) ? [] : [invalidValue(field, reason, REASON_FORM)]),
    ...(Buffer.byteLength(reason) > MAX_REASON_BYTES ? [tooLong(field, MAX_REASON_BYTES)] : []),
  ]
}
