import type { ApiError } from '../../sdk/engine/kube/error.js'
import { goTypeOf, printValue } from '../base/go-values.js'
import { failure } from '../request/status.js'

/** 500 for an unknown `$patch` directive, or one that is not allowed there. */
export function unknownDirectiveError(directive: unknown, patch: unknown): ApiError {
  return failure(500, `unknown patch type: ${printText(directive)} in map: ${printValue(patch)}`)
}

/** 500 for an element of a merged list without its merge key. */
export function noMergeKeyError(item: unknown, mergeKey: string): ApiError {
  return failure(500, `map: ${printValue(item)} does not contain declared merge key: ${mergeKey}`)
}

/** 500 for a value of the wrong type in a patch. */
export function badTypeError(expected: unknown, actual: unknown): ApiError {
  const received = actual === null ? '%!s(<nil>)' : goTypeOf(actual)
  return failure(500, `expected a ${goTypeOf(expected)}, but received a ${received}`)
}

/** A value in Go's format `%s`. */
function printText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printText).join(' ')}]`
  if (typeof value === 'string') return value
  return value === null ? '%!s(<nil>)' : `%!s(${goTypeOf(value)}=${printValue(value)})`
}
