import { kindTypes, structFields } from '../../apiserver/schema/table.js'

const scalars = ['string', 'int', 'bool', 'bytes', 'time', 'quantity', 'intOrString', 'json'] as const

/** A type with a JSON form of its own. */
export type GoScalar = (typeof scalars)[number]

/** How Go holds a value, as `encoding/json` cares. */
export type GoType =
  | { readonly is: 'pointer'; readonly to: GoType }
  | { readonly is: 'list' | 'map'; readonly of: GoType }
  | { readonly is: 'struct'; readonly members: ReadonlyMap<string, GoMember> }
  | { readonly is: GoScalar }

/** A member of a struct. */
export interface GoMember {
  readonly type: GoType
  /** Left out of JSON where it is empty: zero, nil, or of no length. A struct never is. */
  readonly omitEmpty: boolean
  /** Left out of JSON where it is its zero value. */
  readonly omitZero: boolean
}

/** The members of every kind that the table does not list, because they are not in protobuf. */
const typeMeta = ['kind:0:string', 'apiVersion:0:string']
const kindStructs: ReadonlySet<string> = new Set(Object.values(kindTypes))
const structs = new Map<string, GoType>()

/** The Go type of a built-in kind; `undefined` for a kind that is not in the table. */
export function goType({ apiVersion, kind }: { apiVersion: string; kind: string }): GoType | undefined {
  const id = `${apiVersion}/${kind}`
  const name = Object.hasOwn(kindTypes, id) ? kindTypes[id] : undefined
  return name === undefined ? undefined : struct(name)
}

/** The type that the table writes as `*T` (a pointer), `[]T` (a list), `{}T` (a map), `#T` (a struct) or by its name. */
function typeOf(text: string): GoType {
  // A named type such as `<v1.PodPhase>string` is read as the type it names.
  if (text.startsWith('<')) return typeOf(text.slice(text.indexOf('>') + 1))
  if (text.startsWith('*')) return { is: 'pointer', to: typeOf(text.slice(1)) }
  if (text.startsWith('[]')) return { is: 'list', of: typeOf(text.slice(2)) }
  if (text.startsWith('{}')) return { is: 'map', of: typeOf(text.slice(2)) }
  if (text.startsWith('#')) return struct(text.slice(1))
  const scalar = scalars.find((one) => one === (text === 'microTime' ? 'time' : text))
  if (scalar) return { is: scalar }
  throw new Error(`how Go reads ${text} as JSON is not known to the simulator; add it to go-decode.ts`)
}

function struct(name: string): GoType {
  const known = structs.get(name)
  if (known) return known
  const members = new Map<string, GoMember>()
  const type: GoType = { is: 'struct', members }
  // Before its members are read: a type may contain itself.
  structs.set(name, type)
  const listed = structFields[name]?.split(' ').filter(Boolean)
  if (!listed) throw new Error(`no type ${name} in the table of built-in types; generate it anew`)
  const fields = kindStructs.has(name) ? [...typeMeta, ...listed] : listed
  for (const [member, value] of fields.flatMap(membersOf)) members.set(member, value)
  return type
}

/** The member of a field. The members of an embedded struct, which the table calls `^`, are in the field's place. */
function membersOf(field: string): [string, GoMember][] {
  const [name = '', , text = '', ...flags] = field.split(':')
  const type = typeOf(text)
  if (name === '^') return type.is === 'struct' ? [...type.members] : []
  return [[name, { type, omitEmpty: !flags.includes('keep'), omitZero: flags.includes('omitzero') }]]
}
