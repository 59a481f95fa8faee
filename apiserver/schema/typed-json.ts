import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { type DecodeContext, refuse } from './decode-context.js'
import { maxStructDepth, tooDeep } from './max-depth.js'
import { roundToMilli } from './quantity.js'
import {
  type Field,
  type ScalarType,
  type SchemaForm,
  type Struct,
  structNamed,
  type ValueType,
} from './schema.js'
import { TypeMismatch } from './type-mismatch.js'
import { readByteList, readBytes } from './typed-bytes.js'
import { isIntegerOf, isWhole, readQuantity, readTime, truncateInteger } from './typed-scalars.js'
import { emptyField, isZero, zeroOf } from './zero-values.js'

/** An object as its Go type holds it. */
export interface TypedObject {
  readonly value: Record<string, unknown>
  /** Paths of fields that were dropped because the type does not have them. */
  readonly unknown: readonly string[]
}

/** Options of {@link readTyped}. */
export interface ReadTypedOptions {
  readonly decimals?: DecodeContext['decimals']
  readonly isConverted?: boolean
}

/**
 * Reads an object as Go's decoder does: drops unknown fields, nulls and omitted zero values, and checks the
 * types of all others. Unchanged parts are shared with the argument. Throws a {@link TypeMismatch} with the
 * decoder's text.
 */
export function readTyped(
  value: Record<string, unknown>,
  struct: Struct,
  { decimals = new Map(), isConverted = false }: ReadTypedOptions = {},
): TypedObject {
  const unknown: string[] = []
  const mismatches: TypeMismatch[] = []
  const context = {
    goName: struct.goName,
    path: '',
    indexedPath: '',
    depth: 0,
    unknown,
    decimals,
    isConverted,
    mismatches,
  }
  const read = readStruct(value, struct, context)
  const [first] = mismatches
  if (first !== undefined) throw first
  return { value: read, unknown }
}

function readStruct(
  value: Record<string, unknown>,
  struct: Struct,
  context: DecodeContext,
): Record<string, unknown> {
  const depth = context.depth + 1
  if (depth > maxStructDepth) throw new TypeMismatch(tooDeep)
  const keptMembers: [string, unknown][] = []
  let changed = false
  for (const key of context.isConverted ? keysInOrder(value, struct) : Object.keys(value)) {
    const field = struct.byName.get(key) ?? typeMeta(key, struct)
    const step = `${field?.through ?? ''}${key}`
    const path = context.path === '' ? step : `${context.path}.${step}`
    const indexedPath = context.indexedPath === '' ? key : `${context.indexedPath}.${key}`
    if (field === undefined) context.unknown.push(indexedPath)
    const read =
      field && readField(value[key], field, { ...context, goName: struct.goName, path, indexedPath, depth })
    if (read === undefined) changed = true
    else keptMembers.push([key, read])
    changed ||= read !== value[key]
  }
  for (const field of struct.always) {
    if (value[field.name] !== undefined && value[field.name] !== null) continue
    keptMembers.push([field.name, emptyField(field)])
    changed = true
  }
  return changed ? Object.fromEntries(keptMembers) : value
}

/** A converter iterates over the fields of the type, not over the members of the object. */
function keysInOrder(value: Record<string, unknown>, { byName }: Struct): string[] {
  const knownNames = [...byName.keys()].filter((name) => Object.hasOwn(value, name))
  return [...knownNames, ...Object.keys(value).filter((name) => !byName.has(name))]
}

/** An embedded object, such as the template of a claim, may have a kind and version. */
function typeMeta(key: string, struct: Struct): Field | undefined {
  const isObject = (key === 'kind' || key === 'apiVersion') && struct.isKind
  return isObject ? { ...text, name: key } : undefined
}

const text: Omit<Field, 'name'> = {
  number: 0,
  type: { form: 'string' },
  pointer: false,
  keep: false,
  merge: undefined,
  isReplaced: false,
}

function readField(value: unknown, field: Field, context: DecodeContext): unknown {
  if (value === undefined || value === null) return undefined
  const { type, pointer, keep } = field
  const read = readValue(value, type, context)
  return read !== undefined && !pointer && !keep && isZero(read, type) ? undefined : read
}

function readValue(value: unknown, type: ValueType, context: DecodeContext): unknown {
  switch (type.form) {
    case 'struct':
      if (!isJsonObject(value)) return refuse(value, type, context)
      return readStruct(value, structNamed(type.name), context)
    case 'list':
      if (!Array.isArray(value)) return refuse(value, type, context)
      return readElements(value, type.of, context)
    case 'map':
      if (!isJsonObject(value)) return refuse(value, type, context)
      return readMembers(value, type.of, context)
    default:
      return readScalar(value, type, context)
  }
}

function readElements(
  values: readonly unknown[],
  type: ValueType,
  context: DecodeContext,
): readonly unknown[] {
  const read = values.map((value, index) => readElement(value, type, insideOf(type, context, `[${index}]`)))
  return read.some((value, index) => value !== values[index]) ? read : values
}

function readMembers(
  value: Record<string, unknown>,
  type: ValueType,
  context: DecodeContext,
): Record<string, unknown> {
  let changed = false
  const read: [string, unknown][] = []
  for (const key of Object.keys(value)) {
    const member = readMember(value[key], type, insideOf(type, context, `.${key}`))
    changed ||= member !== value[key]
    read.push([key, member])
  }
  return changed ? Object.fromEntries(read) : value
}

/** A map of quantities contains resources of a container, node or quota, which are rounded to thousandths. */
function readMember(value: unknown, type: ValueType, context: DecodeContext): unknown {
  const member = readElement(value, type, context)
  return type.form === 'quantity' ? roundToMilli(String(member)) : member
}

/** Only the fields of structs have a path. */
function insideOf({ form }: ValueType, context: DecodeContext, step: string): DecodeContext {
  return form === 'struct' ? { ...context, indexedPath: context.indexedPath + step } : context
}

/** An element of a list or map is never omitted: null is the zero value of its type. */
function readElement(value: unknown, type: ValueType, context: DecodeContext): unknown {
  return value === null ? zeroOf(type) : readValue(value, type, context)
}

function readScalar(value: unknown, expected: ScalarType, context: DecodeContext): unknown {
  const { form } = expected
  switch (form) {
    case 'json':
    case 'anything':
      return value
    case 'schemaOrBool':
    case 'schemaOrList':
    case 'schemaOrStrings':
      return readSchemaForm(value, form, context)
    case 'quantity':
      return readQuantity(typeof value === 'object' ? '{}' : String(value))
    case 'bytes':
      if (Array.isArray(value)) return readByteList(value, context)
      break
    case 'int':
      if (isIntegerHere(value, expected, context))
        return context.isConverted ? truncateInteger(value as number | bigint, expected) : value
  }
  if (!isOfForm(value, form, context)) return refuse(value, expected, context)
  if (form === 'bytes') return readBytes(value as string, context)
  return form === 'time' || form === 'microTime' ? readTime(value as string, form) : value
}

/** Whether an integer field takes a number. A converter has read it as a 64-bit number and cuts it. */
function isIntegerHere(value: unknown, expected: ScalarType, context: DecodeContext): boolean {
  if (context.isConverted) return isWhole(value)
  return !context.decimals.has(context.indexedPath) && isIntegerOf(value, expected)
}

/** Whether a value has the JSON type of a scalar; an integer is checked by {@link isIntegerHere}. */
function isOfForm(value: unknown, form: ScalarType['form'], context: DecodeContext): boolean {
  const type = typeof value
  switch (form) {
    case 'bool':
      return type === 'boolean'
    case 'float':
      return type === 'number' || type === 'bigint'
    case 'intOrString':
      return type === 'string' || (!context.decimals.has(context.indexedPath) && isIntegerOf(value, {}))
    case 'int':
      return false
    default:
      return type === 'string'
  }
}

/**
 * Reads a value with its own decoder in Go: unknown members are dropped without a report, and values of
 * another type are omitted, except where a boolean is allowed.
 */
function readSchemaForm(value: unknown, form: SchemaForm, around: DecodeContext): unknown {
  const context = { ...around, unknown: [] }
  const type: ValueType = { form: 'struct', name: `apiextensions/v1.${schemaProps}` }
  if (isJsonObject(value)) return readValue(value, type, context)
  if (form === 'schemaOrBool') {
    if (typeof value === 'boolean') return value
    throw new TypeMismatch('boolean or JSON schema expected')
  }
  if (!Array.isArray(value)) return undefined
  return readElements(value, form === 'schemaOrList' ? type : { form: 'string' }, context)
}

const schemaProps = 'JSONSchemaProps'
