import { goTypes } from './go-types.js'

/** A type with a JSON form of its own. */
export type GoScalar = 'string' | 'int' | 'bool' | 'bytes' | 'time' | 'quantity' | 'intOrString' | 'json'

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

const structs = new Map<string, GoType>()

/**
 * The type that the table writes as `*T` (a pointer), `[]T` (a list), `{}T` (a map), or by its name; `undefined` for a
 * kind that is not in the table.
 */
export function goType(text: string): GoType | undefined {
  if (text.startsWith('*')) return { is: 'pointer', to: known(text.slice(1)) }
  if (text.startsWith('[]')) return { is: 'list', of: known(text.slice(2)) }
  if (text.startsWith('{}')) return { is: 'map', of: known(text.slice(2)) }
  return isScalar(text) ? { is: text } : struct(text)
}

function known(text: string): GoType {
  const type = goType(text)
  if (type) return type
  throw new Error(`the table of Go types lacks ${text}`)
}

function struct(name: string): GoType | undefined {
  const row = Object.hasOwn(goTypes, name) ? goTypes[name] : undefined
  if (row === undefined || structs.has(name)) return structs.get(name)
  const members = new Map<string, GoMember>()
  const type: GoType = { is: 'struct', members }
  // Before its members are read: a type may contain itself.
  structs.set(name, type)
  for (const [member, text] of Object.entries(row)) members.set(member, memberOf(text))
  return type
}

function memberOf(text: string): GoMember {
  const type = known(text.replace(/[?!]+$/, ''))
  return { type, omitEmpty: text.includes('?'), omitZero: text.includes('!') }
}

const scalars: ReadonlySet<string> = new Set<GoScalar>([
  ...(['string', 'int', 'bool', 'bytes', 'time', 'quantity', 'intOrString', 'json'] as const),
])

const isScalar = (text: string): text is GoScalar => scalars.has(text)
