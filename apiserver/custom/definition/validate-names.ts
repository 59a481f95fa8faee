import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkRfc1035Label } from '../../validation/names.js'
import type { DefinedNames } from './definition.js'

/** Checks that the required names exist. */
export function validateRequiredNames(names: DefinedNames): FieldError[] {
  const needed = ['plural', 'singular', 'kind', 'listKind'] as const
  return needed.filter((field) => names[field] === '').map((field) => required(`spec.names.${field}`, ''))
}

/** Checks the form of names. */
export function validateNames(names: DefinedNames, path: string): FieldError[] {
  const errors = [
    ...validateLabel(names.plural, `${path}.plural`),
    ...validateLabel(names.singular, `${path}.singular`),
    ...validateKind(names.kind, `${path}.kind`),
    ...validateKind(names.listKind, `${path}.listKind`),
    ...validateLabels(names.shortNames, `${path}.shortNames`),
  ]
  if (names.kind !== '' && names.kind === names.listKind) {
    errors.push(invalidValue(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'))
  }
  return [...errors, ...validateLabels(names.categories, `${path}.categories`)]
}

function validateLabel(name: string, path: string): FieldError[] {
  const problem = name === '' ? undefined : checkRfc1035Label(name)
  return problem === undefined ? [] : [invalidValue(path, name, problem)]
}

function validateKind(kind: string, path: string): FieldError[] {
  const problem = kind === '' ? undefined : checkRfc1035Label(kind.toLowerCase())
  if (problem === undefined) return []
  return [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${problem}`)]
}

function validateLabels(names: readonly string[] = [], path: string): FieldError[] {
  return names.flatMap((name, index) => {
    const problem = checkRfc1035Label(name)
    return problem === undefined ? [] : [invalidValue(`${path}[${index}]`, name, problem)]
  })
}
