import { celLibrary } from '../cel-library.js'
import { celEqual, EqualityIndex } from '../equality.js'
import { isDuration, nanosOf } from '../equality-key.js'
import type { FunctionLibrary } from './function-library.js'

type Ordered = bigint | number | string | boolean
type List = readonly unknown[]

/** The sort key of a value. */
function orderOf(value: unknown): Ordered {
  if (value instanceof Date) return value.getTime()
  return isDuration(value) ? nanosOf(value) : (value as Ordered)
}

const isLess = (a: unknown, b: unknown) => orderOf(a) < orderOf(b)
const compareElements = (a: unknown, b: unknown) => (isLess(a, b) ? -1 : Number(isLess(b, a)))

const comparable = [
  'int',
  'double',
  'string',
  'bool',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
]

function isSorted(list: List): boolean {
  return list.every((element, index) => index === 0 || !isLess(element, list[index - 1]))
}

/** The element that no other element precedes. */
function first(list: List, precedes: (a: unknown, b: unknown) => boolean, name: string): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`)
  return list.reduce((best, element) => (precedes(element, best) ? element : best))
}

const sumOf = (zero: bigint | number) => (list: readonly (bigint | number)[]) =>
  list.reduce((sum, each) => ((sum as number) + (each as number)) as bigint | number, zero)

interface Addable {
  addDuration(other: unknown): Addable
}

/** The sum of durations; `0s` for an empty list. */
function sumOfDurations(list: readonly Addable[]): unknown {
  const zero = celLibrary().evaluate("duration('0s')") as Addable
  return list.reduce((sum, each) => sum.addDuration(each), zero)
}

function ofType(type: string): FunctionLibrary {
  return {
    [`list<${type}>.isSorted(): bool`]: isSorted,
    [`list<${type}>.min(): ${type}`]: (list: List) => first(list, isLess, 'min'),
    [`list<${type}>.max(): ${type}`]: (list: List) => first(list, (a, b) => isLess(b, a), 'max'),
    [`list<${type}>.sort(): list<${type}>`]: (list: List) => [...list].sort(compareElements),
  }
}

function slice(list: List, from: bigint, to: bigint): List {
  if (from < 0n || to < 0n) throw new Error(`cannot slice(${from}, ${to}), negative indexes not supported`)
  if (from > to)
    throw new Error(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`)
  if (to > list.length) throw new Error(`cannot slice(${from}, ${to}), list is length ${list.length}`)
  return list.slice(Number(from), Number(to))
}

function flatten(list: List, depth: bigint): List {
  if (depth < 0n) throw new Error('level must be non-negative')
  return list.flat(Number(depth))
}

function distinct(list: List): List {
  const elements = new EqualityIndex(list)
  return list.filter((element, index) => elements.indexOf(element) === index)
}

const indexOf = (list: List, sought: unknown) => BigInt(list.findIndex((each) => celEqual(each, sought)))
const lastIndexOf = (list: List, sought: unknown) =>
  BigInt(list.findLastIndex((each) => celEqual(each, sought)))

/**
 * The functions for lists: those of Kubernetes and those of `ext.Lists`; see "CEL options, language features
 * and libraries" in https://kubernetes.io/docs/reference/using-api/cel/
 */
export const listFunctions: FunctionLibrary = {
  ...Object.assign({}, ...comparable.map(ofType)),
  'list<int>.sum(): int': sumOf(0n),
  'list<double>.sum(): double': sumOf(0),
  'list<google.protobuf.Duration>.sum(): google.protobuf.Duration': sumOfDurations,
  'list<A>.indexOf(A): int': indexOf,
  'list<A>.lastIndexOf(A): int': lastIndexOf,
  'list<A>.slice(int, int): list<A>': slice,
  'list<A>.flatten(): list<dyn>': (list: List) => flatten(list, 1n),
  'list<A>.flatten(int): list<dyn>': flatten,
  'list<A>.distinct(): list<A>': distinct,
  'list<A>.reverse(): list<A>': (list: List) => [...list].reverse(),
  'list<A>.first(): optional<A>': (list: List) => celLibrary().Optional.of(list[0]),
  'list<A>.last(): optional<A>': (list: List) => celLibrary().Optional.of(list.at(-1)),
}

/** `lists.range(3)` is `[0, 1, 2]`. */
export const listNamespaceFunctions: FunctionLibrary = {
  'range(int): list<int>': range,
}

/** The cost that one call of an expression may have on a real server. */
const maxRange = 1_000_000

function range(size: bigint): bigint[] {
  if (size > maxRange) throw new Error('operation cancelled: actual cost limit exceeded')
  return Array.from({ length: Math.max(0, Number(size)) }, (_, index) => BigInt(index))
}

/** Functions for sets as lists, by `ext.Sets`. */
export const setFunctions: FunctionLibrary = {
  'contains(list<A>, list<A>): bool': contains,
  'equivalent(list<A>, list<A>): bool': (a: List, b: List) => contains(a, b) && contains(b, a),
  'intersects(list<A>, list<A>): bool': intersects,
}

function contains(list: List, sublist: List): boolean {
  const elements = new EqualityIndex(list)
  return sublist.every((element) => elements.has(element))
}

function intersects(list: List, other: List): boolean {
  const elements = new EqualityIndex(other)
  return list.some((element) => elements.has(element))
}
