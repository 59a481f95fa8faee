import { kindTypes, structFields } from '../../apiserver/schema/table.js'

const scalars = ['string', 'int', 'bool', 'bytes', 'time', 'quantity', 'intOrString', 'json'] as const

/** A type with its own JSON encoding. */
export type GoScalar = (typeof scalars)[number]

/** The properties of a value's Go type that `encoding/json` depends on. */
export type GoType =
  | { readonly is: 'pointer'; readonly to: GoType }
  | { readonly is: 'list' | 'map'; readonly of: GoType }
  | { readonly is: 'struct'; readonly members: ReadonlyMap<string, GoMember> }
  | { readonly is: GoScalar }

/** A member of a struct. */
export interface GoMember {
  readonly type: GoType
  /** Left out of JSON if it is empty: zero, nil, or of length 0. A struct is never empty. */
  readonly omitEmpty: boolean
  /** Left out of JSON if it has its zero value. */
  readonly omitZero: boolean
}

/** The members of every kind that are not in the table because they are not in protobuf. */
const typeMeta = ['kind:0:string', 'apiVersion:0:string']
const kindStructs: ReadonlySet<string> = new Set(Object.values(kindTypes))
const structs = new Map<string, GoType>()

/** The Go type of a built-in kind; `undefined` for a kind that is not in the table. */
export function goType({ apiVersion, kind }: { apiVersion: string; kind: string }): GoType | undefined {
  const id = `${apiVersion}/${kind}`
  const name = Object.hasOwn(kindTypes, id) ? kindTypes[id] : undefined
  return name === undefined ? undefined : struct(name)
}

/**
 * The type that the table writes as `*T` (a pointer), `[]T` (a list), `{}T` (a map), `#T` (a struct) or by its name.
 */
function typeOf(text: string): GoType {
  // A named type such as `<v1.PodPhase>string` is read as the type it names.
  if (text.startsWith('<')) return typeOf(text.slice(text.indexOf('>') + 1))
  if (text.startsWith('*')) return { is: 'pointer', to: typeOf(text.slice(1)) }
  if (text.startsWith('[]')) return { is: 'list', of: typeOf(text.slice(2)) }
  if (text.startsWith('{}')) return { is: 'map', of: typeOf(text.slice(2)) }
  if (text.startsWith('#')) return struct(text.slice(1))
  const scalar = scalars.find((candidate) => candidate === (text === 'microTime' ? 'time' : text))
  if (scalar) return { is: scalar }
  throw new Error(`the simulator does not know how Go decodes ${text}; add it to go-decode.ts`)
}

function struct(name: string): GoType {
  const existing = structs.get(name)
  if (existing) return existing
  const members = new Map<string, GoMember>()
  const type: GoType = { is: 'struct', members }
  // Set before its members are read, because a type may contain itself.
  structs.set(name, type)
  const listed = structFields[name]?.split(' ').filter(Boolean)
  if (!listed) throw new Error(`the table of built-in types has no type ${name}; generate the table again`)
  const fields = kindStructs.has(name) ? [...typeMeta, ...listed] : listed
  for (const [member, value] of fields.flatMap(membersOf)) members.set(member, value)
  return type
}

/** The members of a field. An embedded struct, which the table calls `^`, is replaced by its members. */
function membersOf(field: string): [string, GoMember][] {
  const [name = '', , text = '', ...flags] = field.split(':')
  const type = typeOf(text)
  if (name === '^') return type.is === 'struct' ? [...type.members] : []
  return [[name, { type, omitEmpty: !flags.includes('keep'), omitZero: flags.includes('omitzero') }]]
}
