import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { type Field, type Struct, structNamed, type ValueType } from './schema.js'

type Members = Readonly<Record<string, unknown>>

const visited = new Map<Struct, readonly Field[]>()

/**
 * An object as a real server reads it back from protobuf, which has no empty lists or maps: required ones
 * become null. Returns the argument if nothing changes.
 */
export function withoutEmpties<T extends Members>(value: T, struct: Struct): T {
  let changed: Record<string, unknown> | undefined
  for (const { name, type, pointer, keep } of fieldsToVisit(struct)) {
    const before = value[name]
    if (before === undefined || before === null) continue
    const after =
      keep && !pointer && isEmpty(before) && isCollection(type) ? null : withoutEmptyParts(before, type)
    if (after === before) continue
    changed ??= { ...value }
    changed[name] = after
  }
  return (changed ?? value) as T
}

function withoutEmptyParts(value: unknown, type: ValueType): unknown {
  if (type.form === 'struct')
    return isJsonObject(value) ? withoutEmpties(value, structNamed(type.name)) : value
  if (type.form !== 'list' || !Array.isArray(value)) return value
  const visitedItems = value.map((item) => withoutEmptyParts(item, type.of))
  return visitedItems.some((item, index) => item !== value[index]) ? visitedItems : value
}

const isCollection = ({ form }: ValueType) => form === 'list' || form === 'map'

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
}

/** The fields that may be empty lists or maps, or that may contain them. */
function fieldsToVisit(struct: Struct): readonly Field[] {
  const existing = visited.get(struct)
  if (existing !== undefined) return existing
  // Ends the recursion for a type that contains itself.
  visited.set(struct, [])
  const fields = [...struct.byName.values()].filter(
    ({ type, keep }) => (keep && isCollection(type)) || mayContainEmpties(type),
  )
  visited.set(struct, fields)
  return fields
}

function mayContainEmpties(type: ValueType): boolean {
  if (type.form === 'list') return mayContainEmpties(type.of)
  return type.form === 'struct' && fieldsToVisit(structNamed(type.name)).length > 0
}
