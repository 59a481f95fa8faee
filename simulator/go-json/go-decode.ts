import { parseGoTime } from '../../apiserver/schema/go-time.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { GoMember, GoScalar, GoType } from './go-type.js'
import { type GoFields, GoIntOrString, GoList, GoRaw, type GoValue } from './go-value.js'
import { JsonMembers, type JsonNode, parseMembers } from './json-members.js'

/**
 * Decodes a JSON text into a value that a Go program already holds, as `json.Unmarshal` does. Members that
 * are not in the text are kept. Maps are merged. Elements of lists are decoded into the old elements. `null`
 * empties pointers, lists, maps and types with their own JSON encoding, and does not change other values.
 * Members are read in the order of the text. Throws if Go would return an error.
 *
 * See https://pkg.go.dev/encoding/json#Unmarshal.
 */
export function decodeGo(type: GoType, text: string, old: GoValue = undefined): GoValue {
  return decode(type, parseMembers(text), old)
}

function decode(type: GoType, node: JsonNode, old: GoValue): GoValue {
  switch (type.is) {
    case 'pointer':
      return node === null ? undefined : (decode(type.to, node, old) ?? zeroOf(type.to))
    case 'struct':
      return node === null ? old : decodeStruct(type.members, membersOf(node, type), fieldsOf(old))
    case 'map':
      return node === null ? undefined : decodeMap(type.of, membersOf(node, type), fieldsOf(old))
    case 'list':
      return node === null ? undefined : decodeList(type.of, node, old instanceof GoList ? old : undefined)
    default:
      return decodeScalar(type.is, node, old)
  }
}

function decodeStruct(
  members: ReadonlyMap<string, GoMember>,
  { entries }: JsonMembers,
  old: GoFields,
): GoFields {
  const fields = new Map(old)
  for (const [written, node] of entries) {
    const name = members.has(written) ? written : namedLike(members, written)
    const member = members.get(name)
    if (member) fields.set(name, decode(member.type, node, fields.get(name)))
  }
  return fields
}

/** Go ignores the case of a name if no member has exactly this name. */
function namedLike(members: ReadonlyMap<string, GoMember>, written: string): string {
  const folded = written.toLowerCase()
  return [...members.keys()].find((name) => name.toLowerCase() === folded) ?? written
}

/** Maps are merged, but each value is decoded into a new one. */
function decodeMap(of: GoType, { entries }: JsonMembers, old: GoFields): GoFields {
  const map = new Map(old)
  for (const [key, node] of entries) map.set(key, decode(of, node, undefined) ?? zeroOf(of))
  return map
}

function decodeList(of: GoType, node: JsonNode, old: GoList | undefined): GoList {
  if (!Array.isArray(node)) throw mismatchError('list', node)
  if (node.length === 0) return new GoList([])
  const memory = [...(old?.memory ?? [])]
  for (const [index, element] of node.entries()) {
    // Go reuses the memory behind a slice before it allocates new memory.
    memory[index] = decode(of, element, memory[index]) ?? zeroOf(of)
  }
  return new GoList(memory, node.length)
}

function decodeScalar(scalar: GoScalar, node: JsonNode, old: GoValue): GoValue {
  switch (scalar) {
    case 'string':
      return node === null ? old : requireFit(typeof node === 'string', scalar, node)
    case 'bool':
      return node === null ? old : requireFit(typeof node === 'boolean', scalar, node)
    case 'int':
      return node === null ? old : requireFit(isInteger(node), scalar, node)
    case 'bytes':
      return node === null ? undefined : requireFit(isBase64(node), scalar, node)
    case 'quantity':
      // `null` empties the number but not the cached text, and the text is what Go encodes.
      return node === null ? old : String(requireFit(isQuantity(node), scalar, node))
    case 'time':
      return node === null ? undefined : decodeTime(node)
    case 'intOrString':
      return decodeIntOrString(node, old)
    case 'json':
      return new GoRaw(plain(node))
  }
}

function decodeTime(node: JsonNode): string {
  const time = parseGoTime(String(requireFit(typeof node === 'string', 'time', node)), false)
  if ('text' in time) return time.text
  throw new PluginError('INVALID_RESPONSE', time.problem)
}

function decodeIntOrString(node: JsonNode, old: GoValue): GoIntOrString {
  const { int } = old instanceof GoIntOrString ? old : new GoIntOrString(0)
  if (typeof node === 'string') return new GoIntOrString(int, node)
  return new GoIntOrString(node === null ? int : Number(requireFit(isInteger(node), 'intOrString', node)))
}

/** The value that a nil pointer is set to, and the elements of maps and lists that are `null`. */
function zeroOf(type: GoType): GoValue {
  if (type.is === 'struct') return new Map()
  if (type.is === 'intOrString') return new GoIntOrString(0)
  if (type.is === 'int') return 0
  if (type.is === 'bool') return false
  return type.is === 'string' ? '' : undefined
}

function requireFit(fits: boolean, goTypeName: string, node: JsonNode): string | number | bigint | boolean {
  if (fits) return node as string
  throw mismatchError(goTypeName, node)
}

const isInteger = (node: JsonNode) => typeof node === 'bigint' || Number.isInteger(node)
const isBase64 = (node: JsonNode) =>
  typeof node === 'string' && node.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(node)
const isQuantity = (node: JsonNode) =>
  /^[+-]?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/.test(String(node))

function membersOf(node: JsonNode, type: GoType): JsonMembers {
  if (node instanceof JsonMembers) return node
  throw mismatchError(type.is, node)
}

const fieldsOf = (old: GoValue): GoFields => (old instanceof Map ? old : new Map())

function mismatchError(goTypeName: string, node: JsonNode): PluginError {
  const jsonTypeName = node instanceof JsonMembers ? 'object' : Array.isArray(node) ? 'array' : typeof node
  return new PluginError(
    'INVALID_RESPONSE',
    `json: cannot unmarshal ${jsonTypeName} into Go value of type ${goTypeName}`,
  )
}

function plain(node: JsonNode): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (!(node instanceof JsonMembers)) return node
  return parseJson(
    `{${node.entries.map(([name, value]) => `${stringifyJson(name)}:${stringifyJson(plain(value))}`)}}`,
  )
}
