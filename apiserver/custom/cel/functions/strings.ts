import { type GoRegExp, goRegExp } from '../../go-regexp.js'
import { durationText, formatText, timeText } from './format-text.js'
import type { FunctionLibrary } from './function-library.js'

function charAt(text: string, position: bigint): string {
  const characters = [...text]
  const index = Number(position)
  if (index < 0 || index > characters.length) throw new Error(`index out of range: ${position}`)
  return characters[index] ?? ''
}

function replace(text: string, sought: string, replacement: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(sought, () => replacement)
  const pieces = text.split(sought)
  const replaced = Math.min(Number(limit), pieces.length - 1)
  return [pieces.slice(0, replaced + 1).join(replacement), ...pieces.slice(replaced + 1)].join(sought)
}

/** A text in the format of Go's `strconv.Quote`, except for unprintable characters. */
const quote = (text: string) => JSON.stringify(text)

/** The functions of `ext.Strings` that the CEL library lacks. */
export const stringFunctions: FunctionLibrary = {
  'string.charAt(int): string': charAt,
  'string.replace(string, string): string': (text: string, sought: string, replacement: string) =>
    replace(text, sought, replacement, -1n),
  'string.replace(string, string, int): string': replace,
  'string.format(list<dyn>): string': formatText,
  'string(google.protobuf.Timestamp): string': timeText,
  'string(google.protobuf.Duration): string': durationText,
}

/** The functions of the namespace `strings`. */
export const stringNamespaceFunctions: FunctionLibrary = { 'quote(string): string': quote }

function expression(pattern: string): GoRegExp {
  try {
    return goRegExp(pattern)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Error(`Illegal regex: ${error.message}`, { cause: error })
  }
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  return expression(pattern).findAll(text, limit < 0n ? undefined : Number(limit))
}

/** Kubernetes' functions for regular expressions. */
export const regexFunctions: FunctionLibrary = {
  'matches(string, string): bool': (text: string, pattern: string) => expression(pattern).test(text),
  'string.find(string): string': (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
  'string.findAll(string, int): list<string>': findAll,
}
