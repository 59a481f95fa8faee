import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { goTypeOf } from '../base/go-values.js'
import { badRequest } from '../request/status.js'
import { mergeLists } from './merge-lists.js'
import { checkOrder, elementType, sortMergedList } from './merge-order.js'
import { badTypeError, unknownDirectiveError } from './merge-problems.js'
import { type FieldMerge, fieldMerge, type MergeType } from './merge-type.js'

type Members = Record<string, unknown>

const directiveKey = '$patch'
const retainKeys = '$retainKeys'
const deletePrefix = '$deleteFromPrimitiveList'
const orderPrefix = '$setElementOrder'

/**
 * Applies a strategic merge patch. Neither argument is changed, and unchanged parts are shared. It follows
 * https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/util/strategicpatch/patch.go, whose directives
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 * explains. Throws 400 for malformed directives, and 500 for most other errors.
 */
export function applyStrategicMerge(original: Members, patch: Members, type: MergeType): Members {
  if (Object.hasOwn(patch, directiveKey)) return applyDirective(patch)
  const merged = retainedMembers(original, patch)
  const remaining = new Map(Object.entries(patch))
  remaining.delete(retainKeys)
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix)) continue
    remaining.delete(key)
    mergeOrdered(nameAfter(key, orderPrefix), order, { merged, rest: remaining, type })
  }
  for (const [key, value] of remaining) mergeMember(merged, [key, value], type)
  // fromEntries defines members instead of assigning them, so that `__proto__` is an ordinary member.
  return Object.fromEntries(merged)
}

function applyDirective(patch: Members): Members {
  const { [directiveKey]: directive, ...rest } = patch
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  throw unknownDirectiveError(directive, patch)
}

/** The members of an object that a patch retains; all if it has no such directive. */
function retainedMembers(original: Members, patch: Members): Map<string, unknown> {
  const entries = Object.entries(original)
  if (!Object.hasOwn(patch, retainKeys)) return new Map(entries)
  const names = patch[retainKeys]
  if (!Array.isArray(names)) throw badRetainKeysError()
  const retainedNames = new Set<unknown>(names)
  if (!Object.entries(patch).every((entry) => isRetained(entry, retainedNames))) throw badRetainKeysError()
  return new Map(entries.filter(([name]) => retainedNames.has(name)))
}

function isRetained([key, value]: readonly [string, unknown], retainedNames: ReadonlySet<unknown>): boolean {
  if (key === retainKeys || value === null || retainedNames.has(key)) return true
  return key.startsWith(deletePrefix) || key.startsWith(orderPrefix)
}

const badRetainKeysError = () => badRequest('invalid patch format of retainKeys')

const forms: Readonly<Record<string, string>> = {
  [deletePrefix]: 'primitive list',
  [orderPrefix]: 'setElementOrder list',
}

/** The field name in a directive such as `$setElementOrder/ports`. */
function nameAfter(key: string, prefix: string): string {
  if (key.startsWith(`${prefix}/`)) return key.slice(prefix.length + 1)
  throw badRequest(`invalid patch format of ${forms[prefix]}`)
}

/** The state of merging an object. */
interface ObjectMerge {
  readonly merged: Map<string, unknown>
  /** The remaining part of the patch. */
  readonly rest: Map<string, unknown>
  readonly type: MergeType
}

/** Merges a list whose order the patch specifies, and sorts it. */
function mergeOrdered(name: string, order: unknown, { merged, rest, type }: ObjectMerge): void {
  const desired = listOf(order)
  const before = merged.has(name) ? listOf(merged.get(name)) : undefined
  const orderList = rest.has(name) ? listOf(rest.get(name)) : undefined
  const field = fieldMerge(type, name)
  const mergeKey = typeof field.list === 'object' ? field.list.mergeKey : undefined
  checkOrder(orderList ?? [], desired, mergeKey)
  const list = orderList === undefined ? before : listFromPatch(before, orderList, field)
  if (list === undefined) return
  elementType(before ?? [], orderList ?? [])
  merged.set(name, sortMergedList(list, { desired, before: before ?? [], mergeKey }))
  rest.delete(name)
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badTypeError([], value)
  return value
}

function listFromPatch(before: unknown[] | undefined, patchList: unknown[], field: FieldMerge): unknown[] {
  return before === undefined
    ? listOf(withoutDirectives(patchList))
    : mergeOrReplaceList(before, patchList, field)
}

function mergeOrReplaceList(
  before: readonly unknown[],
  patchList: readonly unknown[],
  field: FieldMerge,
): unknown[] {
  return field.list === undefined ? [...patchList] : mergeListItems(before, patchList, field)
}

function mergeListItems(
  before: readonly unknown[],
  patchList: readonly unknown[],
  field: FieldMerge,
): unknown[] {
  const mergeItems = (old: Members, patch: Members) => applyStrategicMerge(old, patch, field.type)
  const mergeKey = typeof field.list === 'object' ? field.list.mergeKey : undefined
  return mergeLists(before, patchList, { mergeKey, mergeItems })
}

function mergeMember(
  merged: Map<string, unknown>,
  [key, value]: readonly [string, unknown],
  type: MergeType,
): void {
  const isDeletion = key.startsWith(deletePrefix)
  const name = isDeletion ? nameAfter(key, deletePrefix) : key
  if (value === null) {
    merged.delete(name)
    return
  }
  const before = merged.get(name)
  const isAlike = merged.has(name) && goTypeOf(before) === goTypeOf(value)
  if (isDeletion) {
    if (isAlike) merged.set(name, withoutValues(listOf(before), listOf(value), fieldMerge(type, name)))
    return
  }
  const next = isAlike ? mergeValue(before, value, () => fieldMerge(type, name)) : valueToAdd(value)
  if (next === undefined) merged.delete(name)
  else merged.set(name, next)
}

function mergeValue(before: unknown, value: unknown, fieldOf: () => FieldMerge): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return mergeOrReplaceList(before, value, fieldOf())
  if (!isJsonObject(before) || !isJsonObject(value)) return value
  const { isReplaced, type } = fieldOf()
  return isReplaced ? value : applyStrategicMerge(before, value, type)
}

/** Plain values are deleted from any list, merged or not; for objects the directive is ignored. */
function withoutValues(list: readonly unknown[], values: readonly unknown[], field: FieldMerge): unknown[] {
  if (values.some(isJsonObject)) return mergeListItems(list, values, field)
  if (list.length > 0 || values.length > 0) elementType(list, values)
  const deleted = new Set(values)
  return list.filter((item) => !deleted.has(item))
}

/** The value that a patch adds for a missing member, without directives; undefined if there are only directives. */
function valueToAdd(value: unknown): unknown {
  return withoutDirectives(withoutNulls(value))
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, directiveKey)) return undefined
  const members = Object.entries(value).map(([name, member]) => [name, withoutDirectives(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}
