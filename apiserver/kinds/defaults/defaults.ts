/**
 * What the API fills in when a client says nothing: a table by Go type, as the real defaulting functions are. A type
 * is defaulted wherever it stands, in a Pod as in the template of a CronJob, and types without any default in them
 * cost nothing. What depends on other objects, or on what was there before, is left to the rules of the kinds.
 */

import { type OpenObject, recordOf } from '../../base/object.js'
import type { ServedResource } from '../../resources/served-resource.js'
import { type Field, structNamed, typeNameOf, type ValueType } from '../../schema/schema.js'
import { coreDefaults } from './core.js'
import { groupDefaults } from './groups.js'
import { completed, type Defaults, isMissing, type Members } from './members.js'
import { podDefaults } from './pods.js'

const table: Readonly<Record<string, Defaults>> = { ...coreDefaults, ...podDefaults, ...groupDefaults }

/**
 * Fills in an object of a built-in kind. One that is stored in the form of another version is left to the rules of
 * its kind, which know that form.
 */
export function setDefaults(object: OpenObject, resource: ServedResource): void {
  const type = typeNameOf(resource)
  if (type !== undefined && resource.conversion === undefined)
    Object.assign(object, withDefaults(object, type))
}

/** A value of a type of the table, with what was left out filled in; the same value when nothing was. */
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
  return Object.keys(defaults).some((name) => isMissing(value[name])) ? completed(defaults, value) : value
}

function fillValue(value: unknown, type: ValueType): unknown {
  if (type.form === 'struct') return withDefaults(recordOf(value), type.name)
  if (type.form === 'list') {
    const list = value as readonly unknown[]
    const filled = list.map((element) => fillValue(element, type.of))
    return filled.some((element, at) => element !== list[at]) ? filled : value
  }
  return value
}

const known = new Map<string, readonly Field[]>()

/** The fields of a type in whose types something is filled in, at any depth. */
function fieldsWithDefaults(type: string): readonly Field[] {
  const found = known.get(type)
  if (found !== undefined) return found
  // A type that holds itself ends here the second time.
  known.set(type, [])
  const fields = [...structNamed(type).byName.values()].filter((field) => hasDefaults(field.type))
  known.set(type, fields)
  return fields
}

function hasDefaults(type: ValueType): boolean {
  if (type.form === 'list') return hasDefaults(type.of)
  if (type.form !== 'struct') return false
  return table[type.name] !== undefined || fieldsWithDefaults(type.name).length > 0
}
