import { stringifyJson } from '../../sdk/engine/kube/json.js'

/**
 * An error about one field, with the texts of
 * https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/util/validation/field/errors.go
 */
export interface FieldError {
  readonly reason:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueForbidden'
    | 'FieldValueNotSupported'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
  readonly message: string
  readonly field: string
}

/** Escapes in Go that JSON does not have. */
const goEscapes: Readonly<Record<string, string>> = { '\\u0007': '\\a', '\\u000b': '\\v' }

/** A text in Go's format `%q`, which differs from JSON for control characters. */
export function quotedText(text: string): string {
  return JSON.stringify(text).replaceAll(/\\u00(?:07|0b|[01][0-9a-f])/g, (escaped) => {
    return goEscapes[escaped] ?? `\\x${escaped.slice(4)}`
  })
}

/** The text is invalid. */
export function invalidText(field: string, value: string, why: string): FieldError {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${quotedText(value)}: ${why}`, field }
}

/** The value is invalid. */
export function invalidValue(field: string, value: unknown, why: string): FieldError {
  const reasoned = why === '' ? '' : `: ${why}`
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${stringifyJson(value)}${reasoned}`, field }
}

/** The value is missing. */
export function required(field: string, why: string): FieldError {
  return { reason: 'FieldValueRequired', message: `Required value${why === '' ? '' : `: ${why}`}`, field }
}

/** The value must not be set, or not to this value. */
export function forbiddenValue(field: string, why: string): FieldError {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

/** The value is not one of the allowed ones; `shown` is the value in the message. */
export function unsupported(field: string, shown: string, allowed: readonly string[]): FieldError {
  const list = allowed.map((value) => `"${value}"`).join(', ')
  const message = `Unsupported value: ${shown}: supported values: ${list}`
  return { reason: 'FieldValueNotSupported', message, field }
}

/** The value exceeds the maximum number of bytes. */
export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes'
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maxBytes} ${unit}`, field }
}

/** The list or object exceeds the maximum number of members. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const unit = max === 1 ? 'item' : 'items'
  const message = `Too many: ${actual}: must have at most ${max} ${unit}`
  return { reason: 'FieldValueTooMany', message, field }
}

/** The value has the wrong type; `shown` is the value in the message. */
export function wrongType(field: string, shown: string, why: string): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    message: `Invalid value: ${stringifyJson(shown)}: ${why}`,
    field,
  }
}

/** The value is a duplicate. */
export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${stringifyJson(value)}`, field }
}

/** The value names a missing object. */
export function notFoundValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', message: `Not found: ${stringifyJson(value)}`, field }
}

/** The maximum length of the messages of an answer. */
const maxMessages = 8 * 2 ** 20

/** The first errors, without those that would make an answer too large for the memory of the server. */
export function firstErrors(errors: readonly FieldError[]): readonly FieldError[] {
  let length = 0
  const end = errors.findIndex(({ field, message }) => {
    length += field.length + message.length
    return length > maxMessages
  })
  return end < 0 ? errors : errors.slice(0, Math.max(end, 1))
}

/** All errors in one line: a list in brackets if there are several, each text once. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}
