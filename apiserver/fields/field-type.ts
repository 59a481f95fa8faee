import { isJsonObject } from '../../sdk/engine/kube/json-object.js'

/**
 * The merge type of a field, which determines how its values are merged and which parts can be owned: the
 * schema of structured-merge-diff. Generated from the table of built-in types, or from the schema of a
 * CustomResourceDefinition.
 */
export type FieldType = ScalarType | DeducedType | ListType | MapType

/** A value that has one owner. */
export interface ScalarType {
  readonly form: 'scalar'
  /** The required JSON type; default any except object and list. */
  readonly is?: 'string' | 'number' | 'boolean' | 'anything'
}

/** A field without a schema: objects are merged, lists are not. */
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
  /** The keys that identify the elements of a `map` list. */
  readonly keys: readonly ListKey[]
  readonly element: FieldType
}

/** A key of the elements of a list. */
export interface ListKey {
  readonly name: string
  /** The value of the key for an element without it. */
  readonly default?: unknown
}

/** An object: with named fields, with members of one type, or both. */
export interface MapType {
  readonly form: 'map'
  readonly atomic: boolean
  /** The type of a named field; `undefined` if there is none. */
  field(name: string): FieldType | undefined
  /** The type of all other members; undefined if there are none. */
  readonly element?: FieldType | undefined
  /** Existing members that cannot be owned. */
  readonly hidden?: ReadonlySet<string>
}

/** A value that is neither an object nor a list. */
export const anyScalar: ScalarType = { form: 'scalar' }

/**
 * The type of a value without a schema. Fields down to a depth of 500 are owned separately, and deeper ones
 * together: sets of fields are traversed by recursion, and an API server accepts objects that are deeper than
 * the call stack.
 */
export const deducedType: DeducedType = deducedOf(500)

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

/** The type to traverse a value by; for a deduced type, that of the actual values. */
export function typeFor(type: FieldType, ...values: readonly unknown[]): Exclude<FieldType, DeducedType> {
  if (type.form !== 'deduced') return type
  const value = values.find((each) => each !== undefined && each !== null)
  if (Array.isArray(value)) return type.list
  return isJsonObject(value) ? type.map : anyScalar
}

/** The type of an object's member. */
export function memberType(type: MapType, name: string): FieldType | undefined {
  return type.hidden?.has(name) ? undefined : (type.field(name) ?? type.element)
}
