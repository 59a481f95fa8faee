import { isObject } from '../base/object.js'
/**
 * How the values of a field are merged and who can own what in them: the schema of structured-merge-diff. Made
 * from the table of built-in types, or from the schema of a CustomResourceDefinition.
 */
export type FieldType = ScalarType | DeducedType | ListType | MapType

/** A value that is owned as one. */
export interface ScalarType {
  readonly form: 'scalar'
  /** What a value must be; left out, neither an object nor a list. */
  readonly is?: 'string' | 'number' | 'boolean' | 'anything'
}

/** Nothing is known: objects are merged, lists are not. */
export interface DeducedType {
  readonly form: 'deduced'
  /** The type of a value that is an object. */
  readonly map: MapType
  /** The type of a value that is a list. */
  readonly list: ListType
}

/** A list. */
export interface ListType {
  readonly form: 'list'
  readonly merge: 'atomic' | 'set' | 'map'
  /** What tells the elements of a `map` apart. */
  readonly keys: readonly ListKey[]
  readonly element: FieldType
}

/** A key of the elements of a list. */
export interface ListKey {
  readonly name: string
  /** What an element without the key is taken to have. */
  readonly default?: unknown
}

/** An object: with fields that have names, with members of one type, or both. */
export interface MapType {
  readonly form: 'map'
  readonly atomic: boolean
  /** The type of a field that has a name; `undefined` when there is none of that name. */
  field(name: string): FieldType | undefined
  /** The type of every other member; left out, there is none. */
  readonly element?: FieldType | undefined
  /** Members that nobody can own although they are there. */
  readonly hidden?: ReadonlySet<string>
}

/** A value that is neither an object nor a list. */
export const ANY_SCALAR: ScalarType = { form: 'scalar' }

/**
 * What nothing is known of. Fields are owned one by one to a depth of 500, and what is deeper as one: sets of fields
 * are walked by recursion, and an API server takes objects that are deeper than the call stack.
 */
export const DEDUCED: DeducedType = deducedOf(500)

function deducedOf(levels: number): DeducedType {
  let deduced = deducedAbove({ form: 'scalar', is: 'anything' })
  for (let level = 1; level < levels; level++) deduced = deducedAbove(deduced)
  return deduced
}

function deducedAbove(element: FieldType): DeducedType {
  return {
    form: 'deduced',
    map: { form: 'map', atomic: false, field: () => undefined, element },
    list: { form: 'list', merge: 'atomic', keys: [], element },
  }
}

/** The type by which a value is walked: a deduced one is what the value looks like. */
export function typeFor(type: FieldType, ...values: readonly unknown[]): Exclude<FieldType, DeducedType> {
  if (type.form !== 'deduced') return type
  const value = values.find((each) => each !== undefined && each !== null)
  if (Array.isArray(value)) return type.list
  return isObject(value) ? type.map : ANY_SCALAR
}

/** The type of an object's member. */
export function memberType(type: MapType, name: string): FieldType | undefined {
  return type.hidden?.has(name) ? undefined : (type.field(name) ?? type.element)
}
