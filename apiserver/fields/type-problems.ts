import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { goTypeOf, printGoValue, printValue } from '../base/go-values.js'
import {
  type FieldType,
  type ListType,
  type MapType,
  memberType,
  type ScalarType,
  typeFor,
} from './field-type.js'
import { elementOf } from './list-elements.js'
import { showElement } from './path-element.js'

/** The type errors of an object, in the words of structured-merge-diff's `typed/validate.go`. */
export function typeProblems(value: unknown, type: FieldType): string[] {
  const problems: string[] = []
  check(value, type, { path: '', problems })
  return problems
}

/** The place of the checked value, and the list of all problems found so far. */
interface ProblemCollector {
  readonly path: string
  readonly problems: string[]
}

function check(value: unknown, type: FieldType, at: ProblemCollector): void {
  if (value === null || value === undefined) return
  const actual = typeFor(type, value)
  if (actual.form === 'scalar') checkScalar(value, actual, at)
  else if (actual.form === 'list') checkList(value, actual, at)
  else checkMap(value, actual, at)
}

function checkScalar(
  value: unknown,
  { is: expected }: ScalarType,
  { path, problems }: ProblemCollector,
): void {
  if (expected === 'anything') return
  const found = typeof value === 'bigint' ? 'number' : typeof value
  // Without an expected type any scalar is valid.
  if (expected === undefined ? found !== 'object' : found === expected) return
  if (expected === 'string')
    problems.push(`${path}: expected string, got &value.valueUnstructured{Value:${printGoValue(value)}}`)
  else if (expected === 'number')
    problems.push(`${path}: expected numeric (int or float), got ${goTypeOf(value)}`)
  else problems.push(`${path}: expected ${expected ?? 'any scalar'}, got &{${printValue(value)}}`)
}

function checkList(value: unknown, type: ListType, at: ProblemCollector): void {
  if (!Array.isArray(value)) {
    at.problems.push(`${at.path}: expected list, got &{${printValue(value)}}`)
    return
  }
  const seen = new Set<string>()
  for (const [index, item] of value.entries()) {
    // The element's identity in the list: `i:` is the prefix of an index, as in managedFields.
    const element = type.merge === 'atomic' ? `i:${index}` : elementOrProblem(type, item, { at, index })
    if (element === undefined) continue
    if (seen.has(element)) at.problems.push(`${at.path}: duplicate entries for key ${showElement(element)}`)
    seen.add(element)
    check(item, type.element, { ...at, path: at.path + showElement(element) })
  }
}

function elementOrProblem(
  type: ListType,
  item: unknown,
  { at, index }: { at: ProblemCollector; index: number },
) {
  try {
    return elementOf(type, item)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    at.problems.push(`${at.path}: element ${index}: ${message}`)
    return undefined
  }
}

function checkMap(value: unknown, type: MapType, at: ProblemCollector): void {
  if (!isJsonObject(value)) {
    at.problems.push(`${at.path}: expected map, got &{${printValue(value)}}`)
    return
  }
  for (const name of Object.keys(value).sort()) {
    const path = `${at.path}.${name}`
    const inner = memberType(type, name)
    if (inner === undefined) at.problems.push(`${path}: field not declared in schema`)
    else check(value[name], inner, { ...at, path })
  }
}
