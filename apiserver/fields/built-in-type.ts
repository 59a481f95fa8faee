import { fieldNotes } from '../schema/field-notes.js'
import { type Field, type Struct, structNamed, type ValueType } from '../schema/schema.js'
import {
  anyScalar,
  deducedType,
  type FieldType,
  type ListKey,
  type ListType,
  type MapType,
} from './field-type.js'

const kindFields: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['kind', { form: 'scalar', is: 'string' }],
  ['apiVersion', { form: 'scalar', is: 'string' }],
])

const types = new Map<string, MapType>()

/** The merge type of a built-in type's objects, by its name in the table; a kind's has `kind` and `apiVersion`. */
export function builtInType(name: string): MapType {
  const existing = types.get(name)
  if (existing !== undefined) return existing
  const struct = structNamed(name)
  const structure = structType(name, struct)
  const type = struct.isKind ? withKindFields(structure) : structure
  types.set(name, type)
  return type
}

/** A type with the additional fields `kind` and `apiVersion` of whole objects. */
export function withKindFields(type: MapType): MapType {
  return { ...type, field: (name) => type.field(name) ?? kindFields.get(name) }
}

function structType(name: string, struct: Struct): MapType {
  const fields = new Map<string, FieldType>()
  const field = (fieldName: string) => {
    const goField = struct.byName.get(fieldName)
    if (goField === undefined) return undefined
    const existing = fields.get(fieldName) ?? fieldType(name, goField)
    fields.set(fieldName, existing)
    return existing
  }
  return { form: 'map', atomic: notesOf(name).has('.'), field }
}

type Notes = ReadonlyMap<string, readonly string[]>

const notes = new Map<string, Notes>()

/** The notes of the API about the fields of a type, by field name. */
export function notesOf(typeName: string): Notes {
  const existing = notes.get(typeName)
  if (existing !== undefined) return existing
  const words = (fieldNotes[typeName] ?? '').split(' ').filter(Boolean)
  const read = new Map(words.map((word) => [word.slice(0, word.indexOf(':')), word.split(':').slice(1)]))
  notes.set(typeName, read)
  return read
}

/** The value after `name=` in the notes about a field. */
export function noteValue(words: readonly string[], name: string): string | undefined {
  return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
}

function fieldType(owner: string, { name, type }: Field): FieldType {
  const words = notesOf(owner).get(name) ?? []
  if (type.form === 'list') return listType(type.of, words)
  const valueFieldType = valueType(type)
  if (valueFieldType.form !== 'map') return valueFieldType
  if (words.includes('atomic')) return { ...valueFieldType, atomic: true }
  return words.includes('granular') ? { ...valueFieldType, atomic: false } : valueFieldType
}

function listType(of: ValueType, words: readonly string[]): ListType {
  const element = valueType(of)
  const keys = noteValue(words, 'map')
  if (keys === undefined) {
    return { form: 'list', merge: words.includes('set') ? 'set' : 'atomic', keys: [], element }
  }
  return { form: 'list', merge: 'map', keys: keys.split(',').map((key) => keyOf(key, of)), element }
}

/** The default of a key is that of its field. */
function keyOf(name: string, of: ValueType): ListKey {
  if (of.form !== 'struct') return { name }
  const words = notesOf(of.name).get(name) ?? []
  const field = structNamed(of.name).byName.get(name)
  const value = noteValue(words, 'default') ?? zeroKey(field)
  return value === undefined ? { name } : { name, default: value }
}

/** A missing key that is always written has its zero value. */
function zeroKey(field: Field | undefined): string | number | undefined {
  if (field === undefined || !field.keep || field.pointer) return undefined
  return field.type.form === 'int' ? 0 : ''
}

function valueType(type: ValueType): FieldType {
  switch (type.form) {
    case 'struct':
      return builtInType(type.name)
    case 'list':
      return listType(type.of, [])
    case 'map':
      return { form: 'map', atomic: false, field: () => undefined, element: valueType(type.of) }
    case 'json':
      return { form: 'scalar', is: 'anything' }
    case 'anything':
    case 'schemaOrBool':
    case 'schemaOrList':
    case 'schemaOrStrings':
      return deducedType
    case 'string':
    case 'bytes':
    case 'duration':
      return { form: 'scalar', is: 'string' }
    case 'bool':
      return { form: 'scalar', is: 'boolean' }
    case 'int':
    case 'float':
      return { form: 'scalar', is: 'number' }
    default:
      return anyScalar
  }
}
