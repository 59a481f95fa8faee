/**
 * How the values of a field are merged and who can own what in them: the schema of structured-merge-diff. Made
 * from the table of built-in types, or from the schema of a CustomResourceDefinition.
 */
export type FieldType = ScalarType | DeducedType | ListType | MapType

/** A value that is owned as one. */
export interface ScalarType {
  readonly form: 'scalar'
  /** What a value must be; left out, anything. */
  readonly is?: 'string' | 'number' | 'boolean'
}

/** Nothing is known: objects are merged, lists are not. */
export interface DeducedType {
  readonly form: 'deduced'
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

/** Anything, owned as one. */
export const ANY_SCALAR: ScalarType = { form: 'scalar' }

/** What nothing is known of. */
export const DEDUCED: DeducedType = { form: 'deduced' }

const DEDUCED_MAP: MapType = { form: 'map', atomic: false, field: () => undefined, element: DEDUCED }
const DEDUCED_LIST: ListType = { form: 'list', merge: 'atomic', keys: [], element: DEDUCED }

/** The type by which a value is walked: a deduced one is what the value looks like. */
export function typeFor(type: FieldType, ...values: readonly unknown[]): Exclude<FieldType, DeducedType> {
  if (type.form !== 'deduced') return type
  const value = values.find((each) => each !== undefined && each !== null)
  if (Array.isArray(value)) return DEDUCED_LIST
  return isObject(value) ? DEDUCED_MAP : ANY_SCALAR
}

/** The type of an object's member. */
export function memberType(type: MapType, name: string): FieldType | undefined {
  return type.hidden?.has(name) ? undefined : (type.field(name) ?? type.element)
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
