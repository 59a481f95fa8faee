import type { Resource } from '../../sdk/kube/resource.js'
import { goTypeOf } from '../base/go-values.js'
import { isObject } from '../base/object.js'
import { parseGoTime } from './go-time.js'
import { formatQuantity, parseQuantity, QuantityProblem, roundedToMilli } from './quantity.js'
import type { Field, ScalarType, SchemaForm, Struct, ValueType } from './schema.js'
import { structNamed, structOf } from './schema.js'

/** A value that its type cannot hold. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch'
  /** The same in the words of `runtime.DefaultUnstructuredConverter`, which reads what is no JSON any more. */
  readonly conversion: string

  constructor(message: string, conversion = message) {
    super(message)
    this.conversion = conversion
  }
}

/** Where in an object a value stands. */
interface Place {
  /** The Go type whose field it is. */
  readonly goName: string
  /** Field names from the top, indices left out. */
  readonly path: string
  /** The same with indices. */
  readonly at: string
  /** Collects fields that no type has. */
  readonly unknown: string[]
  /** Numbers that are written with a fraction or an exponent, by {@link Place.at}. */
  readonly decimals: ReadonlyMap<string, string>
}

/** An object as its Go type holds it. */
export interface Typed {
  readonly value: Record<string, unknown>
  /** Paths of fields that were dropped because the type has none of that name. */
  readonly unknown: readonly string[]
}

/**
 * Reads an object as Go's decoder does: unknown fields, nulls and zero values that mean nothing go, everything
 * else must have its type. What needs no change is shared with the argument. Throws a {@link TypeMismatch} in
 * the decoder's words.
 */
export function readTyped(
  value: Record<string, unknown>,
  struct: Struct,
  decimals: Place['decimals'] = new Map(),
): Typed {
  const unknown: string[] = []
  const place = { goName: struct.goName, path: '', at: '', unknown, decimals }
  return { value: readStruct(value, struct, place), unknown }
}

function readStruct(value: Record<string, unknown>, struct: Struct, place: Place): Record<string, unknown> {
  const kept: [string, unknown][] = []
  let changed = false
  for (const key of Object.keys(value)) {
    const field = struct.byName.get(key) ?? typeMeta(key, struct)
    const path = place.path === '' ? key : `${place.path}.${key}`
    const at = place.at === '' ? key : `${place.at}.${key}`
    if (field === undefined) place.unknown.push(at)
    const read = field && readField(value[key], field, { ...place, goName: struct.goName, path, at })
    if (read === undefined) changed = true
    else kept.push([key, read])
    changed ||= read !== value[key]
  }
  for (const field of struct.always) {
    if (value[field.name] !== undefined && value[field.name] !== null) continue
    kept.push([field.name, emptyField(field)])
    changed = true
  }
  return changed ? Object.fromEntries(kept) : value
}

/** An object inside another, such as the template of a claim, may say what it is. */
function typeMeta(key: string, struct: Struct): Field | undefined {
  const isObject = (key === 'kind' || key === 'apiVersion') && struct.byName.has('metadata')
  return isObject ? { ...TEXT, name: key } : undefined
}

const TEXT: Omit<Field, 'name'> = {
  number: 0,
  type: { form: 'string' },
  pointer: false,
  keep: false,
  merge: undefined,
  isReplaced: false,
}

/** What Go writes for the fields of a kind that nobody has set, metadata aside; nothing for custom resources. */
export function emptyFields(resource: Pick<Resource, 'group' | 'version' | 'kind'>): Record<string, unknown> {
  const struct = structOf(resource)
  if (struct === undefined) return {}
  const { metadata: _metadata, ...fields } = emptyStruct(struct)
  return fields
}

function emptyStruct({ always }: Struct): Record<string, unknown> {
  return Object.fromEntries(always.map((field) => [field.name, emptyField(field)]))
}

function emptyField({ type, pointer }: Field): unknown {
  if (pointer) return null
  return type.form === 'struct' ? emptyStruct(structNamed(type.name)) : (ZEROS[type.form] ?? null)
}

/** What Go writes for a value that was never set, where that is not null. */
const ZEROS: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int: 0,
  float: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
}

function readField(value: unknown, { type, pointer, keep }: Field, place: Place): unknown {
  if (value === undefined || value === null) return undefined
  const read = readValue(value, type, place)
  return !pointer && !keep && isZero(read, type) ? undefined : read
}

function isZero(value: unknown, { form }: ValueType): boolean {
  if (form === 'list') return Array.isArray(value) && value.length === 0
  if (form === 'map') return Object.keys(value as object).length === 0
  return form !== 'struct' && !KEPT_AS_IS.has(form) && (value === '' || value === 0 || value === false)
}

/** Forms whose empty values mean something. */
const KEPT_AS_IS: ReadonlySet<string> = new Set(['json', 'anything', 'schemaOrBool'])

function readValue(value: unknown, type: ValueType, place: Place): unknown {
  switch (type.form) {
    case 'struct':
      if (!isObject(value)) throw mismatch(value, type, place)
      return readStruct(value, structNamed(type.name), place)
    case 'list':
      if (!Array.isArray(value)) throw mismatch(value, type, place)
      return readElements(value, type.of, place)
    case 'map':
      if (!isObject(value)) throw mismatch(value, type, place)
      return readMembers(value, type.of, place)
    default:
      return readScalar(value, type, place)
  }
}

function readElements(values: readonly unknown[], type: ValueType, place: Place): readonly unknown[] {
  const read = values.map((value, index) => readElement(value, type, insideOf(type, place, `[${index}]`)))
  return read.some((value, index) => value !== values[index]) ? read : values
}

function readMembers(value: Record<string, unknown>, type: ValueType, place: Place): Record<string, unknown> {
  let changed = false
  const read: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    const member = readMember(value[key], type, insideOf(type, place, `.${key}`))
    changed ||= member !== value[key]
    read.push([key, member])
  }
  return changed ? Object.fromEntries(read) : value
}

/** A map of quantities is what a container, a node or a quota has of each resource, which is counted in thousandths. */
function readMember(value: unknown, type: ValueType, place: Place): unknown {
  const member = readElement(value, type, place)
  return type.form === 'quantity' ? roundedToMilli(String(member)) : member
}

/** Only in structs are there fields whose place is told. */
function insideOf({ form }: ValueType, place: Place, step: string): Place {
  return form === 'struct' ? { ...place, at: place.at + step } : place
}

/** An element of a list or map is never left out: null is its type's zero value. */
function readElement(value: unknown, type: ValueType, place: Place): unknown {
  return value === null ? zeroOf(type) : readValue(value, type, place)
}

function zeroOf(type: ValueType): unknown {
  const { form } = type
  if (form === 'struct') return emptyStruct(structNamed(type.name))
  if (form === 'map') return {}
  if (form === 'list') return []
  if (form === 'bool') return false
  if (form === 'quantity') return '0'
  return form === 'int' || form === 'float' ? 0 : ''
}

function readScalar(value: unknown, expected: ScalarType, place: Place): unknown {
  const { form } = expected
  const type = typeof value
  switch (form) {
    case 'json':
    case 'anything':
      return value
    case 'schemaOrBool':
    case 'schemaOrList':
    case 'schemaOrStrings':
      return readSchemaForm(value, form, place)
    case 'bool':
      if (type === 'boolean') return value
      break
    case 'int':
      if (!place.decimals.has(place.at) && isIntegerOf(value, expected)) return value
      break
    case 'float':
      if (type === 'number' || type === 'bigint') return value
      break
    case 'quantity':
      if (type === 'string' || type === 'number') return readQuantity(String(value))
      break
    case 'intOrString':
      if (type === 'string' || (type === 'number' && !place.decimals.has(place.at))) return value
      break
    case 'bytes':
      if (type === 'string') return checkBase64(value as string)
      break
    case 'time':
    case 'microTime':
      if (type === 'string') return readTime(value as string, form)
      break
    default:
      if (type === 'string') return value
  }
  throw mismatch(value, expected, place)
}

/**
 * Reads what has a decoder of its own in Go: what is unknown in it is dropped without a word, and what is of
 * another form is left out, but for what may be true or false.
 */
function readSchemaForm(value: unknown, form: SchemaForm, around: Place): unknown {
  const place = { ...around, unknown: [] }
  const type: ValueType = { form: 'struct', name: `apiextensions/v1.${SCHEMA_PROPS}` }
  if (isObject(value)) return readValue(value, type, place)
  if (form === 'schemaOrBool') {
    if (typeof value === 'boolean') return value
    throw new TypeMismatch('boolean or JSON schema expected')
  }
  if (!Array.isArray(value)) return undefined
  return readElements(value, form === 'schemaOrList' ? type : { form: 'string' }, place)
}

const SCHEMA_PROPS = 'JSONSchemaProps'

function checkBase64(text: string): string {
  const bad = /[^A-Za-z0-9+/=\r\n]/.exec(text)
  if (bad !== null) throw notBase64(bad.index)
  const digits = text.replace(/[\r\n]/g, '')
  if (digits.length % 4 !== 0) throw notBase64(4 * Math.floor(digits.length / 4))
  return text
}

function notBase64(at: number): TypeMismatch {
  const problem = `illegal base64 data at input byte ${at}`
  return new TypeMismatch(problem, `error decoding from json: ${problem}`)
}

function readQuantity(text: string): string {
  try {
    return formatQuantity(parseQuantity(text))
  } catch (error) {
    if (error instanceof QuantityProblem) throw new TypeMismatch(error.message)
    throw error
  }
}

function readTime(text: string, form: 'time' | 'microTime'): string {
  const read = parseGoTime(text, form === 'microTime')
  if ('problem' in read) throw new TypeMismatch(read.problem)
  return read.text
}

/** Whether a value is an integer that a field has room for. */
function isIntegerOf(value: unknown, { isLong = false }: { readonly isLong?: boolean }): boolean {
  if (typeof value === 'bigint') return isLong && BigInt.asIntN(64, value) === value
  return Number.isInteger(value) && (isLong || Math.abs(Number(value) + 0.5) < 2 ** 31)
}

const GO_NAMES: Readonly<Record<string, string>> = {
  bool: 'bool',
  int: 'int32',
  intOrString: 'int32',
  float: 'float64',
  bytes: 'uint8',
  time: 'string',
}

function goType(type: ValueType): string {
  switch (type.form) {
    case 'list':
      return `[]${goType(type.of)}`
    case 'map':
      return `map[string]${goType(type.of)}`
    case 'struct':
      return type.name.slice(type.name.lastIndexOf('/') + 1)
    default:
      if (type.isLong === true) return 'int64'
      return GO_NAMES[type.form] ?? 'string'
  }
}

function mismatch(value: unknown, type: ValueType, { goName, path, at, decimals }: Place): TypeMismatch {
  const decimal = decimals.get(at)
  const found = decimal === undefined ? formOf(value, type) : `number ${decimal}`
  const field = `Go struct field ${goName}.${path}`
  const message = `json: cannot unmarshal ${found} into ${field} of type ${goType(type)}`
  return new TypeMismatch(message, conversionProblem(value, type))
}

/** Go's decoder says which number it is only where an integer belongs. */
function formOf(value: unknown, type: ValueType): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return (typeof value === 'number' || typeof value === 'bigint') && type.form === 'int'
    ? `number ${value}`
    : typeof value
}

function conversionProblem(value: unknown, type: ValueType): string {
  const found = goTypeOf(value)
  const kind = found.startsWith('[') ? 'slice' : (found.split('[', 1)[0] ?? found)
  if (type.form === 'list') return `cannot restore slice from ${kind}`
  if (type.form === 'map') return `cannot restore map from ${kind}`
  if (type.form === 'struct') return `cannot restore struct from: ${kind}`
  if (isObject(value) || Array.isArray(value)) return `unrecognized type: ${goType(type)}`
  return `cannot convert ${found} to ${goType(type)}`
}
