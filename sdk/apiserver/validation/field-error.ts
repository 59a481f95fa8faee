import { stringifyJson } from '../../kube/json.js'

/**
 * One thing wrong with one field, worded as
 * https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/util/validation/field/errors.go
 */
export interface FieldError {
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueForbidden'
    | 'FieldValueNotSupported'
    | 'FieldValueTooLong'
  readonly message: string
  readonly field: string
}

/** The value is there and wrong. */
export function invalidValue(field: string, value: unknown, why: string): FieldError {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${stringifyJson(value)}: ${why}`, field }
}

/** The value is missing. */
export function required(field: string, why: string): FieldError {
  return { reason: 'FieldValueRequired', message: `Required value${why === '' ? '' : `: ${why}`}`, field }
}

/** The value may not be set, or not to this. */
export function forbiddenValue(field: string, why: string): FieldError {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

/** The value is not one of the allowed ones; `shown` is the value as the message shows it. */
export function unsupported(field: string, shown: string, allowed: readonly string[]): FieldError {
  const list = allowed.map((value) => `"${value}"`).join(', ')
  const message = `Unsupported value: ${shown}: supported values: ${list}`
  return { reason: 'FieldValueNotSupported', message, field }
}

/** The value has more bytes than it may. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maxBytes} bytes`, field }
}

/** All errors in one line: a list in brackets if there are several, each text once. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}
