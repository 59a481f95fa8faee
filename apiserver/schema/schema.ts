import type { Resource } from '../../sdk/engine/kube/resource.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { fieldNotes } from './field-notes.js'
import { kindTypes, structFields } from './table.js'

/** The type of a value in JSON and in protobuf. */
export type ValueType =
  | { readonly form: 'list' | 'map'; readonly of: ValueType; readonly goName?: string }
  | { readonly form: 'struct'; readonly name: string }
  | ScalarType

/** A scalar in JSON, or a value that is not inspected. */
export interface ScalarType {
  readonly form: Scalar
  /** Whether an integer has 64 bits; otherwise it has 32. */
  readonly isLong?: true
  /** Go's name of the type if it is a named type. */
  readonly goName?: string
}

/** Types that are scalars in JSON, or are not inspected. */
export type Scalar =
  | 'string'
  | 'bool'
  | 'int'
  | 'float'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'json'
  | 'anything'
  | SchemaForm

/** The alternatives to a schema in a CustomResourceDefinition. */
export type SchemaForm = 'schemaOrBool' | 'schemaOrList' | 'schemaOrStrings'

/** The merge strategy of lists: by a key of each element, or as a set of plain values. */
export type ListStrategy = { readonly mergeKey: string } | 'set'

/** One field of a struct. */
export interface Field {
  readonly name: string
  /** The number of the protobuf field. */
  readonly number: number
  readonly type: ValueType
  /** Whether a zero value differs from no value. */
  readonly pointer: boolean
  /** Whether a zero value is written out. */
  readonly keep: boolean
  /** The strategic merge strategy of the field if it is a list. */
  readonly merge: ListStrategy | undefined
  /** Whether a strategic merge patch replaces the object instead of merging it. */
  readonly isReplaced: boolean
  /** The embedded structs through which Go finds the field, each followed by a dot. */
  readonly through?: string
}

/** A struct as the Go types of the built-in kinds declare it. */
export interface Struct {
  /** The type's name without its package. */
  readonly goName: string
  readonly fields: readonly Field[]
  /** Whether objects of the type have `kind` and `apiVersion`, which the table does not list. */
  readonly isKind: boolean
  /** The fields in JSON, including those of embedded structs. */
  readonly byName: ReadonlyMap<string, Field>
  readonly byNumber: ReadonlyMap<number, Field>
  /** Fields that are written even if they were never set. */
  readonly always: readonly Field[]
}

/** The name of an embedded field, whose own fields replace it in JSON. */
export const embeddedMember = '^'

const structs = new Map<string, Struct>()
const kinds = new Set(Object.values(kindTypes))

/** The struct of a resource's objects; undefined for custom resources. */
export function structOf(resource: Pick<Resource, 'group' | 'version' | 'kind'>): Struct | undefined {
  const name = typeNameOf(resource)
  return name === undefined ? undefined : structNamed(name)
}

/** The name of that struct in the table of built-in types. */
export function typeNameOf(resource: Pick<Resource, 'group' | 'version' | 'kind'>): string | undefined {
  return kindTypes[`${apiVersionOf(resource)}/${resource.kind}`]
}

/** The struct of every object's metadata. */
export function metadataStruct(): Struct {
  return structNamed('meta/v1.ObjectMeta')
}

/** A struct of the table, parsed at its first use. Throws for an unknown name. */
export function structNamed(name: string): Struct {
  const existing = structs.get(name)
  if (existing !== undefined) return existing
  const words = structFields[name]
  if (words === undefined)
    throw new Error(`the table of built-in types has no type ${name}; generate the table again`)
  const longs = longFieldsOf(name)
  const fields = words
    .split(' ')
    .filter(Boolean)
    .map((word) => withLength(readField(word), longs))
  const byName = new Map(fields.flatMap(flatten).map((field) => [field.name, field]))
  const struct: Struct = {
    goName: name.slice(name.indexOf('.') + 1),
    fields,
    isKind: kinds.has(name) || name === 'meta/v1.DeleteOptions',
    byName,
    byNumber: new Map(fields.map((field) => [field.number, field])),
    always: [...byName.values()].filter(isAlways),
  }
  structs.set(name, struct)
  return struct
}

/** Whether Go always writes a field: structs that are held by value, and fields without `omitempty`. */
function isAlways({ name, type, pointer, keep }: Field): boolean {
  const isStruct = type.form === 'struct' || type.form === 'quantity'
  return keep || (!pointer && (isStruct || isWrittenTime({ name, type })))
}

/** Whether a field is a time that Go writes even if it is zero: all times except the creation time. */
export function isWrittenTime({ name, type }: Pick<Field, 'name' | 'type'>): boolean {
  return (type.form === 'time' || type.form === 'microTime') && name !== 'creationTimestamp'
}

function flatten(field: Field): readonly Field[] {
  if (field.name !== embeddedMember || field.type.form !== 'struct') return [field]
  const { goName, byName } = structNamed(field.type.name)
  return [...byName.values()].map((each) => ({ ...each, through: `${goName}.${each.through ?? ''}` }))
}

function readField(word: string): Field {
  const [name = '', number = '', type = '', ...flags] = word.split(':')
  const mergeKey = flags.find((flag) => flag.startsWith('mergeKey='))?.slice('mergeKey='.length)
  return {
    name,
    number: Number(number),
    type: readType(type),
    pointer: type.startsWith('*'),
    keep: flags.includes('keep'),
    merge: mergeKey === undefined ? (flags.includes('set') ? 'set' : undefined) : { mergeKey },
    isReplaced: flags.includes('replace'),
  }
}

/** The fields of a type with 64-bit integers, directly or in their elements. */
function longFieldsOf(type: string): ReadonlySet<string> {
  const words = (fieldNotes[type] ?? '').split(' ').filter((word) => /:int64(?::|$)/.test(word))
  return new Set(words.map((word) => word.slice(0, word.indexOf(':'))))
}

function withLength(field: Field, longs: ReadonlySet<string>): Field {
  return longs.has(field.name) ? { ...field, type: longType(field.type) } : field
}

function longType(type: ValueType): ValueType {
  if (type.form === 'list' || type.form === 'map') return { ...type, of: longType(type.of) }
  return type.form === 'int' ? { form: 'int', isLong: true } : type
}

function readType(text: string): ValueType {
  if (text.startsWith('*')) return readType(text.slice(1))
  if (text.startsWith('<')) return namedType(text)
  if (text.startsWith('[]')) return { form: 'list', of: readType(text.slice(2)) }
  if (text.startsWith('{}')) return { form: 'map', of: readType(text.slice(2)) }
  if (text.startsWith('#')) return { form: 'struct', name: text.slice(1) }
  return { form: text as Scalar }
}

function namedType(text: string): ValueType {
  const closing = text.indexOf('>')
  return { ...readType(text.slice(closing + 1)), goName: text.slice(1, closing) } as ValueType
}
