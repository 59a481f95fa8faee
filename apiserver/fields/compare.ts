import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { FieldSet, type PathElement } from './field-set.js'
import { type FieldType, type ListType, type MapType, memberType, typeFor } from './field-type.js'
import { duplicatesIn, indexList } from './list-elements.js'
import { fieldElement } from './path-element.js'

/** The differences between two states of an object, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

/** Compares two states of an object, as `typed/compare.go` of structured-merge-diff v6.3.3 does. */
export function compare(old: unknown, next: unknown, type: FieldType): Comparison {
  const comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() }
  compareAt({ old, next, type }, [], comparison)
  return comparison
}

/** Fields that the write cannot change are not differences. */
export function withoutIgnored({ added, modified, removed }: Comparison, ignored: FieldSet): Comparison {
  return {
    added: added.recursiveDifference(ignored),
    modified: modified.recursiveDifference(ignored),
    removed: removed.recursiveDifference(ignored),
  }
}

/** Two values of one field; `undefined` for a missing one. */
interface ComparedValues {
  readonly old: unknown
  readonly next: unknown
  readonly type: FieldType
}

function compareAt({ old, next, type }: ComparedValues, path: PathElement[], comparison: Comparison): void {
  // Identical references need no comparison.
  if (old === next) return
  const actualType = typeFor(type, next, old)
  if (isLeaf(actualType, old, next)) {
    addLeaf({ old, next }, path, comparison)
    return
  }
  if (actualType.form === 'list') compareLists({ old, next, type: actualType }, path, comparison)
  else if (actualType.form === 'map') compareMaps({ old, next, type: actualType }, path, comparison)
  if (path.length === 0) return
  if (old === undefined) comparison.added.insert(path)
  else if (next === undefined) comparison.removed.insert(path)
}

/** Two empty values are compared as a leaf, which distinguishes a missing value from an empty one. */
function isLeaf(type: Exclude<FieldType, { form: 'deduced' }>, old: unknown, next: unknown): boolean {
  if (type.form === 'scalar') return true
  if (type.form === 'list') return type.merge === 'atomic' || (isEmptyValue(old) && isEmptyValue(next))
  return type.atomic || (isEmptyValue(old) && isEmptyValue(next))
}

function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return !isJsonObject(value) || isEmptyObject(value)
}

function isEmptyObject(value: object): boolean {
  for (const _ in value) return false
  return true
}

function addLeaf(
  { old, next }: Pick<ComparedValues, 'old' | 'next'>,
  path: PathElement[],
  { added, removed, modified }: Comparison,
): void {
  if (old === undefined) added.insert(path)
  else if (next === undefined) removed.insert(path)
  else if (!jsonEqual(old, next)) modified.insert(path)
}

function compareLists(
  { old, next, type }: ComparedValues & { readonly type: ListType },
  path: PathElement[],
  comparison: Comparison,
): void {
  const lists = { old: Array.isArray(old) ? old : [], next: Array.isArray(next) ? next : [] }
  const before = indexList(type, lists.old)
  const after = indexList(type, lists.next)
  const duplicates = {
    old: before.size === lists.old.length ? undefined : duplicatesIn(type, lists.old),
    next: after.size === lists.next.length ? undefined : duplicatesIn(type, lists.next),
  }
  for (const element of new Set([...before.keys(), ...after.keys()])) {
    path.push(element)
    const values = { old: before.get(element), next: after.get(element), type: type.element }
    const doubled = { old: duplicates.old?.get(element), next: duplicates.next?.get(element) }
    if (doubled.old === undefined && doubled.next === undefined) compareAt(values, path, comparison)
    else compareDuplicates(values, doubled, { path, comparison })
    path.pop()
  }
}

interface Duplicates {
  readonly old: readonly unknown[] | undefined
  readonly next: readonly unknown[] | undefined
}

/** Duplicate elements of a list are compared as a group, separately from unique ones. */
function compareDuplicates(
  { old, next, type }: ComparedValues,
  duplicates: Duplicates,
  { path, comparison }: { readonly path: PathElement[]; readonly comparison: Comparison },
): void {
  if (duplicates.old !== undefined && duplicates.next !== undefined) {
    if (!jsonEqual(duplicates.old, duplicates.next)) comparison.modified.insert(path)
  } else if (duplicates.old !== undefined) {
    compareAt({ old: undefined, next, type }, path, comparison)
    comparison.removed.insert(path)
  } else {
    compareAt({ old, next: undefined, type }, path, comparison)
    comparison.added.insert(path)
  }
}

function compareMaps(
  { old, next, type }: ComparedValues & { readonly type: MapType },
  path: PathElement[],
  comparison: Comparison,
): void {
  const before = isJsonObject(old) ? old : {}
  const after = isJsonObject(next) ? next : {}
  for (const name of Object.keys(after)) compareMember(name)
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) compareMember(name)

  function compareMember(name: string): void {
    const inner = memberType(type, name)
    if (inner === undefined) return
    const oldMember = Object.hasOwn(before, name) ? before[name] : undefined
    const nextMember = Object.hasOwn(after, name) ? after[name] : undefined
    if (oldMember === nextMember) return
    path.push(fieldElement(name))
    compareAt({ old: oldMember, next: nextMember, type: inner }, path, comparison)
    path.pop()
  }
}
