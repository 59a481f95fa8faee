import { maxStructDepth, tooDeep } from './max-depth.js'
import {
  embeddedMember,
  type Field,
  type Scalar,
  type SchemaForm,
  type Struct,
  structNamed,
  type ValueType,
} from './schema.js'

/**
 * Decodes the protobuf format of built-in objects, which typed clients send; responses are always JSON. The
 * format is that of `generated.proto` next to each group's Go types in k8s.io/api.
 */

/** The prefix of every encoded object; a `runtime.Unknown` follows. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00])

/** One encoded field: a number, or bytes. */
interface WireField {
  readonly number: number
  readonly value: bigint | Buffer
}

/** The stated kind of encoded bytes, and the bytes of the object. */
export interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Buffer
}

/** Decodes the envelope of an object. Throws a `SyntaxError` for invalid bytes. */
export function openEnvelope(bytes: Uint8Array): Envelope {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.subarray(0, 4).equals(magic)) {
    const prefix = `expected prefix [${[...magic].join(' ')}]`
    throw new SyntaxError(`provided data does not appear to be a protobuf message, ${prefix}`)
  }
  if (buffer.byteLength === magic.byteLength) throw new SyntaxError('empty body')
  const unknown = fieldsByNumber(buffer.subarray(4))
  const type = fieldsByNumber(bytesOf(unknown.get(1)))
  return {
    apiVersion: bytesOf(type.get(1)).toString('utf8'),
    kind: bytesOf(type.get(2)).toString('utf8'),
    raw: bytesOf(unknown.get(2)),
  }
}

function bytesOf(value: bigint | Buffer | undefined): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

function fieldsByNumber(bytes: Buffer): Map<number, bigint | Buffer> {
  return new Map([...readFields(bytes)].map(({ number, value }) => [number, value]))
}

/** Decodes an object of a struct; unknown fields are skipped. Throws a `SyntaxError`. */
export function readMessage(bytes: Buffer, struct: Struct, depth = 1): Record<string, unknown> {
  if (depth > maxStructDepth) throw new SyntaxError(tooDeep)
  const members = new Map<string, unknown>()
  for (const { number, value } of readFields(bytes)) {
    const field = struct.byNumber.get(number)
    if (field === undefined) continue
    if (field.name === embeddedMember) {
      for (const [name, member] of Object.entries(readEmbedded(value, field, depth)))
        members.set(name, member)
    } else addMember(members, field, { value, depth })
  }
  return Object.fromEntries(
    [...members].map(([name, member]) => [name, member instanceof Map ? Object.fromEntries(member) : member]),
  )
}

function readEmbedded(value: bigint | Buffer, { type }: Field, depth: number): Record<string, unknown> {
  return type.form === 'struct' ? readMessage(bytesOf(value), structNamed(type.name), depth + 1) : {}
}

/** An encoded value, and the number of structs that it is in. */
interface NestedValue {
  readonly value: bigint | Buffer
  readonly depth: number
}

/** Adds a field to the members. A list grows in place, and so does a map, which stays a `Map` until the end. */
function addMember(
  members: Map<string, unknown>,
  { name, type, pointer }: Field,
  { value, depth }: NestedValue,
): void {
  if (type.form === 'list') {
    const list = memberOf(members, name, () => [] as unknown[])
    for (const element of readRepeated({ value, depth }, type.of)) list.push(element)
  } else if (type.form === 'map') {
    const entry = fieldsByNumber(bytesOf(value))
    const map = memberOf(members, name, () => new Map<string, unknown>())
    const key = bytesOf(entry.get(1)).toString('utf8')
    map.set(key, readValue({ value: entry.get(2) ?? Buffer.alloc(0), depth }, type.of))
  } else {
    const read = readValue({ value, depth }, type)
    // A struct that is not a pointer is always sent, even if it is empty.
    const isNothing = type.form === 'struct' && !pointer && Object.keys(read as object).length === 0
    if (!isNothing && read !== undefined) members.set(name, read)
  }
}

/** The member of that name, made with its first element. */
function memberOf<Member>(members: Map<string, unknown>, name: string, make: () => Member): Member {
  const existing = members.get(name) as Member | undefined
  if (existing !== undefined) return existing
  const made = make()
  members.set(name, made)
  return made
}

/** Numbers may be packed into one field. */
function readRepeated({ value, depth }: NestedValue, type: ValueType): unknown[] {
  const isNumber = type.form === 'int' || type.form === 'bool'
  if (!isNumber || typeof value === 'bigint') return [readValue({ value, depth }, type)]
  const numbers: unknown[] = []
  for (let index = 0; index < value.byteLength; ) {
    const { number, next } = readVarint(value, index)
    numbers.push(readValue({ value: number, depth }, type))
    index = next
  }
  return numbers
}

function readValue({ value, depth }: NestedValue, type: ValueType): unknown {
  switch (type.form) {
    case 'struct':
      return readMessage(bytesOf(value), structNamed(type.name), depth + 1)
    // A list inside a list or map is a message with a repeated first field.
    case 'list':
      return [...readFields(bytesOf(value))].map((field) => readValue({ value: field.value, depth }, type.of))
    case 'map':
      return {}
    default:
      return readScalar({ value, depth }, type.form)
  }
}

/** A schema in one field, or its alternative in another field. */
function readSchemaForm(value: Buffer, form: SchemaForm, depth: number): unknown {
  const fields = fieldsByNumber(value)
  const schema = fields.get(form === 'schemaOrBool' ? 2 : 1)
  const type: ValueType = { form: 'struct', name: 'apiextensions/v1.JSONSchemaProps' }
  if (schema !== undefined) return readValue({ value: schema, depth }, type)
  if (form === 'schemaOrBool') return numberOf(fields.get(1)) !== 0n
  const element: ValueType = form === 'schemaOrList' ? type : { form: 'string' }
  return [...readFields(value)].map((field) => readValue({ value: field.value, depth }, element))
}

function readScalar({ value, depth }: NestedValue, form: Scalar): unknown {
  if (typeof value === 'bigint') return form === 'bool' ? value !== 0n : toNumber(BigInt.asIntN(64, value))
  switch (form) {
    case 'bytes':
      return value.toString('base64')
    case 'time':
      return readTime(value, 0)
    case 'microTime':
      return readTime(value, 6)
    case 'quantity':
      return bytesOf(fieldsByNumber(value).get(1)).toString('utf8')
    case 'intOrString':
      return readIntOrString(value)
    case 'duration':
      return `${Number(numberOf(fieldsByNumber(value).get(1))) / 1e9}s`
    case 'schemaOrBool':
    case 'schemaOrList':
    case 'schemaOrStrings':
      return readSchemaForm(value, form, depth)
    case 'json':
    case 'anything':
      return JSON.parse(bytesOf(fieldsByNumber(value).get(1)).toString('utf8') || 'null')
    case 'float':
      return value.readDoubleLE(0)
    default:
      return value.toString('utf8')
  }
}

function toNumber(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function numberOf(value: bigint | Buffer | undefined): bigint {
  return typeof value === 'bigint' ? value : 0n
}

/** Undefined for the zero time, which means no time. */
function readTime(bytes: Buffer, fractionDigits: number): string | undefined {
  const fields = fieldsByNumber(bytes)
  if (fields.size === 0) return undefined
  const seconds = Number(BigInt.asIntN(64, numberOf(fields.get(1))))
  const text = new Date(seconds * 1000).toISOString().slice(0, 19)
  if (fractionDigits === 0) return `${text}Z`
  const nanos = String(numberOf(fields.get(2))).padStart(9, '0')
  return `${text}.${nanos.slice(0, fractionDigits)}Z`
}

function readIntOrString(bytes: Buffer): number | string {
  const fields = fieldsByNumber(bytes)
  if (numberOf(fields.get(1)) === 1n) return bytesOf(fields.get(3)).toString('utf8')
  return Number(BigInt.asIntN(32, numberOf(fields.get(2))))
}

function* readFields(bytes: Buffer): Generator<WireField> {
  for (let index = 0; index < bytes.byteLength; ) {
    const tag = readVarint(bytes, index)
    const { value, next } = readWire(bytes, tag.next, Number(tag.number & 7n))
    yield { number: Number(tag.number >> 3n), value }
    index = next
  }
}

function readWire(bytes: Buffer, start: number, wireType: number): { value: bigint | Buffer; next: number } {
  if (wireType === 0) {
    const { number, next } = readVarint(bytes, start)
    return { value: number, next }
  }
  const prefix =
    wireType === 2 ? readVarint(bytes, start) : { number: BigInt(fixedSize(wireType)), next: start }
  const dataEnd = prefix.next + Number(prefix.number)
  if (dataEnd > bytes.byteLength) throw new SyntaxError('unexpected EOF')
  return { value: bytes.subarray(prefix.next, dataEnd), next: dataEnd }
}

function fixedSize(wireType: number): number {
  if (wireType === 1) return 8
  if (wireType === 5) return 4
  throw new SyntaxError(`the protobuf body has a field of the unknown wire type ${wireType}`)
}

function readVarint(bytes: Buffer, start: number): { number: bigint; next: number } {
  let number = 0n
  for (let index = start, shift = 0n; index < bytes.byteLength && shift < 70n; index++, shift += 7n) {
    const byte = bytes[index] ?? 0
    number |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { number: BigInt.asUintN(64, number), next: index + 1 }
  }
  throw new SyntaxError('unexpected EOF')
}
