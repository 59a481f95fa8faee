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

function check(value: unknown, type: FieldType, collector: ProblemCollector): void {
  if (value === null || value === undefined) return
  const actual = typeFor(type, value)
  if (actual.form === 'scalar') checkScalar(value, actual, collector)
  else if (actual.form === 'list') checkList(value, actual, collector)
  else checkMap(value, actual, collector)
}

function checkScalar(
  value: unknown,
  { is: expected }: ScalarType,
  { path, problems }: ProblemCollector,
): void {
  if (expected === 'anything') return
  const actualType = typeof value === 'bigint' ? 'number' : typeof value
  // Without an expected type any scalar is valid.
  if (expected === undefined ? actualType !== 'object' : actualType === expected) return
  if (expected === 'string')
    problems.push(`${path}: expected string, got &value.valueUnstructured{Value:${printGoValue(value)}}`)
  else if (expected === 'number')
    problems.push(`${path}: expected numeric (int or float), got ${goTypeOf(value)}`)
  else problems.push(`${path}: expected ${expected ?? 'any scalar'}, got &{${printValue(value)}}`)
}

function checkList(value: unknown, type: ListType, collector: ProblemCollector): void {
  if (!Array.isArray(value)) {
    collector.problems.push(`${collector.path}: expected list, got &{${printValue(value)}}`)
    return
  }
  const seenElements = new Set<string>()
  for (const [index, item] of value.entries()) {
    // The element's identity in the list: `i:` is the prefix of an index, as in managedFields.
    const element =
      type.merge === 'atomic' ? `i:${index}` : elementOrProblem(type, item, { collector, index })
    if (element === undefined) continue
    if (seenElements.has(element))
      collector.problems.push(`${collector.path}: duplicate entries for key ${showElement(element)}`)
    seenElements.add(element)
    check(item, type.element, { ...collector, path: collector.path + showElement(element) })
  }
}

function elementOrProblem(
  type: ListType,
  item: unknown,
  { collector, index }: { collector: ProblemCollector; index: number },
) {
  try {
    return elementOf(type, item)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    collector.problems.push(`${collector.path}: element ${index}: ${message}`)
    return undefined
  }
}

function checkMap(value: unknown, type: MapType, collector: ProblemCollector): void {
  if (!isJsonObject(value)) {
    collector.problems.push(`${collector.path}: expected map, got &{${printValue(value)}}`)
    return
  }
  for (const name of Object.keys(value).sort()) {
    const path = `${collector.path}.${name}`
    const inner = memberType(type, name)
    if (inner === undefined) collector.problems.push(`${path}: field not declared in schema`)
    else check(value[name], inner, { ...collector, path })
  }
}
