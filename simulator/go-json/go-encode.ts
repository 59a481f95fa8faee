import type { GoMember, GoType } from './go-type.js'
import { type GoFields, GoIntOrString, GoList, GoRaw, type GoValue } from './go-value.js'

/**
 * A value as JSON, as `json.Marshal` encodes it. Members are in the order of the struct, entries of maps in the order
 * of their keys. Empty members with `omitempty` are left out.
 *
 * See https://pkg.go.dev/encoding/json#Marshal.
 */
export function encodeGo(type: GoType, value: GoValue): unknown {
  switch (type.is) {
    case 'pointer':
      return value === undefined ? null : encodeGo(type.to, value)
    case 'struct':
      return encodeStruct(type.members, value instanceof Map ? value : new Map())
    case 'map':
      return value instanceof Map ? encodeMap(type.of, value) : null
    case 'list':
      return value instanceof GoList ? value.elements.map((element) => encodeGo(type.of, element)) : null
    default:
      return encodeScalar(type, value)
  }
}

function encodeStruct(members: ReadonlyMap<string, GoMember>, fields: GoFields): object {
  const encodedMembers = [...members].filter(([name, member]) => !isOmitted(member, fields.get(name)))
  // `fromEntries` defines members and never assigns them: a key such as `__proto__` stays a key.
  return Object.fromEntries(
    encodedMembers.map(([name, { type }]) => [name, encodeGo(type, fields.get(name))]),
  )
}

function encodeMap(of: GoType, map: GoFields): object {
  const sorted = [...map].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return Object.fromEntries(sorted.map(([key, value]) => [key, encodeGo(of, value)]))
}

function encodeScalar({ is }: GoType, value: GoValue): unknown {
  if (value instanceof GoRaw) return value.json
  if (value instanceof GoIntOrString) return value.text ?? value.int
  return value ?? zeros[is] ?? null
}

const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  int: 0,
  bool: false,
  quantity: '0',
  intOrString: 0,
}

function isOmitted({ type, omitEmpty, omitZero }: GoMember, value: GoValue): boolean {
  return (omitZero && value === undefined) || (omitEmpty && isEmpty(type, value))
}

/** Structs and types with their own JSON encoding are never empty. */
function isEmpty({ is }: GoType, value: GoValue): boolean {
  if (is === 'pointer') return value === undefined
  if (is === 'list') return !(value instanceof GoList) || value.length === 0
  if (is === 'map') return !(value instanceof Map) || value.size === 0
  return ['string', 'int', 'bool', 'bytes'].includes(is) && (!value || value === 0n)
}
