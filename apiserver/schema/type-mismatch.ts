import { goTypeOf } from '../base/go-values.js'
import { jsonTypeOf } from '../base/json-type.js'
import type { ValueType } from './schema.js'

/** Error for a value of the wrong type. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch'
}

/** The place of a value of the wrong type. */
interface MismatchPosition {
  /** The Go type that has the field. */
  readonly goName: string
  /** The path of field names, without indices. */
  readonly path: string
  /** The path of field names with the indices of list elements. */
  readonly indexedPath: string
  /** Numbers with a fraction or an exponent in the input, by {@link MismatchPosition.indexedPath}. */
  readonly decimals: ReadonlyMap<string, string>
  /** Whether Go converts the value from a map instead of decoding JSON. */
  readonly isConverted: boolean
}

/** Types with their own decoder: the JSON types that they accept, and their Go names. */
const ownDecoders: Readonly<Record<string, { readonly reads: string; readonly goName: string }>> = {
  time: { reads: 'string', goName: 'v1.Time' },
  microTime: { reads: 'string', goName: 'v1.MicroTime' },
  duration: { reads: 'string', goName: 'v1.Duration' },
  quantity: { reads: 'string', goName: 'resource.Quantity' },
  intOrString: { reads: 'int32', goName: 'intstr.IntOrString' },
}

/** Whether a type has its own decoder. */
export function hasOwnDecoder({ form }: ValueType): boolean {
  return Object.hasOwn(ownDecoders, form)
}

/**
 * The error for a value of the wrong type, with the text of Go's decoder or of
 * `runtime.DefaultUnstructuredConverter`. Called when the decoding of a request meets a value that its field cannot
 * hold.
 */
export function mismatchOf(value: unknown, type: ValueType, position: MismatchPosition): TypeMismatch {
  return new TypeMismatch(
    position.isConverted ? conversionProblem(value, type) : decodingProblem(value, type, position),
  )
}

/** The message of Go's JSON decoder. */
function decodingProblem(
  value: unknown,
  type: ValueType,
  { goName, path, indexedPath, decimals }: MismatchPosition,
): string {
  const decimal = type.form === 'int' || type.form === 'intOrString' ? decimals.get(indexedPath) : undefined
  const actualType = decimal === undefined ? formOf(value, type) : `number ${decimal}`
  const desired = ownDecoders[type.form]?.reads ?? goType(type)
  return `json: cannot unmarshal ${actualType} into Go struct field ${goName}.${path} of type ${desired}`
}

/** The JSON type of a value. Go's decoder quotes a number only if an integer is expected. */
function formOf(value: unknown, type: ValueType): string {
  const jsonType = jsonTypeOf(value)
  const isQuoted = jsonType === 'number' && (type.form === 'int' || type.form === 'intOrString')
  return isQuoted ? `number ${value}` : jsonType
}

/** The Go types of values by their form; a form that is not in the table is a `string`. */
const goNames: Readonly<Record<string, string>> = {
  bool: 'bool',
  int: 'int32',
  float: 'float64',
  bytes: '[]uint8',
}

/** The name of a Go type as error messages write it. */
function goType(type: ValueType): string {
  if (type.form === 'struct') return type.name.slice(type.name.lastIndexOf('/') + 1)
  if (type.goName !== undefined) return type.goName
  if (type.form === 'list') return `[]${goType(type.of)}`
  if (type.form === 'map') return `map[string]${goType(type.of)}`
  return ownDecoders[type.form]?.goName ?? plainGoType(type)
}

/** The underlying Go type of a named type. */
function plainGoType({ form, isLong }: { readonly form: string; readonly isLong?: true }): string {
  return isLong === true ? 'int64' : (goNames[form] ?? 'string')
}

/** The message of Go's converter from maps. */
function conversionProblem(value: unknown, type: ValueType): string {
  const actualGoType = goTypeOf(value)
  const actualKind = actualGoType.startsWith('[') ? 'slice' : (actualGoType.split('[', 1)[0] ?? actualGoType)
  if (type.form === 'list' || type.form === 'bytes') return `cannot restore slice from ${actualKind}`
  if (type.form === 'map') return `cannot restore map from ${actualKind}`
  if (type.form === 'struct') return `cannot restore struct from: ${actualKind}`
  const ownDecoder = ownDecoders[type.form]
  if (ownDecoder !== undefined)
    return `json: cannot unmarshal ${formOf(value, type)} into Go value of type ${ownDecoder.reads}`
  return isConvertible(actualGoType, type)
    ? `cannot convert ${actualGoType} to ${goType(type)}`
    : `unrecognized type: ${plainGoType(type)}`
}

/** Whether the types are convertible in Go, in a way that the converter does not support. */
function isConvertible(goType: string, { form }: ValueType): boolean {
  return (
    (goType === 'int64' && form !== 'bool') || (goType === 'float64' && (form === 'int' || form === 'float'))
  )
}
