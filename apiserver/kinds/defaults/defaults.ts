/**
 * The API's defaults: a table by Go type, like the real defaulting functions. A type has its defaults
 * everywhere, in a Pod as in the template of a CronJob, and types without defaults cost nothing. The rules of
 * the kinds handle defaults that depend on other objects or on the old state.
 */

import { type OpenObject, recordOf } from '../../base/object.js'
import type { ServedResource } from '../../resources/served-resource.js'
import { type Field, structNamed, typeNameOf, type ValueType } from '../../schema/schema.js'
import { coreDefaults } from './core.js'
import { groupDefaults } from './groups.js'
import { type Defaults, isMissing, type Members, withMissingMembers } from './members.js'
import { podDefaults } from './pods.js'

const table: Readonly<Record<string, Defaults>> = { ...coreDefaults, ...podDefaults, ...groupDefaults }

/**
 * Sets the defaults of a built-in object. For an object that is stored in another version, the rules of its
 * kind do that.
 */
export function setDefaults(object: OpenObject, resource: ServedResource): void {
  const type = typeNameOf(resource)
  if (type !== undefined && resource.conversion === undefined)
    Object.assign(object, withDefaults(object, type))
}

/** A value of a type with its defaults set; the same value if nothing changes. */
function withDefaults(value: Members, type: string): Members {
  let filled = withOwn(value, table[type])
  for (const field of fieldsWithDefaults(type)) {
    const before = filled[field.name]
    if (before === undefined || before === null) continue
    const after = fillValue(before, field.type)
    if (after === before) continue
    if (filled === value) filled = { ...value }
    filled[field.name] = after
  }
  return filled
}

function withOwn(value: Members, defaults: Defaults | undefined): Members {
  if (defaults === undefined) return value
  if (typeof defaults === 'function') return defaults(value)
  return Object.keys(defaults).some((name) => isMissing(value[name]))
    ? withMissingMembers(defaults, value)
    : value
}

function fillValue(value: unknown, type: ValueType): unknown {
  if (type.form === 'struct') return withDefaults(recordOf(value), type.name)
  if (type.form === 'list') {
    const list = value as readonly unknown[]
    const filled = list.map((element) => fillValue(element, type.of))
    return filled.some((element, index) => element !== list[index]) ? filled : value
  }
  return value
}

const fieldsByType = new Map<string, readonly Field[]>()

/** The fields of a type that have defaults at any depth. */
function fieldsWithDefaults(type: string): readonly Field[] {
  const cached = fieldsByType.get(type)
  if (cached !== undefined) return cached
  // Ends the recursion for a type that contains itself.
  fieldsByType.set(type, [])
  const fields = [...structNamed(type).byName.values()].filter((field) => hasDefaults(field.type))
  fieldsByType.set(type, fields)
  return fields
}

function hasDefaults(type: ValueType): boolean {
  if (type.form === 'list') return hasDefaults(type.of)
  if (type.form !== 'struct') return false
  return table[type.name] !== undefined || fieldsWithDefaults(type.name).length > 0
}
