import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { FieldSet } from './field-set.js'
import { type FieldType, type ListType, type MapType, memberType, typeFor } from './field-type.js'
import { elementOf } from './list-elements.js'
import { fieldElement } from './path-element.js'

const nothing = new FieldSet()

/**
 * Returns an object without the fields of a set; does not change the input. A container that becomes empty is
 * `null`, as in `typed/remove.go` of structured-merge-diff v6.3.3.
 */
export function removeFields(value: unknown, set: FieldSet, type: FieldType): unknown {
  const actualType = typeFor(type, value)
  if (actualType.form === 'list') return removeFromList(value, set, actualType)
  return actualType.form === 'map' ? removeFromMap(value, set, actualType) : value
}

function removeFromList(value: unknown, set: FieldSet, type: ListType): unknown {
  if (!Array.isArray(value) || type.merge === 'atomic') return null
  const keptItems: unknown[] = []
  for (const item of value) {
    const element = elementOf(type, item)
    if (set.members.has(element)) continue
    const below = set.children.get(element) ?? nothing
    keptItems.push(below.isEmpty ? item : removeFields(item, below, type.element))
  }
  return keptItems.length > 0 ? keptItems : null
}

function removeFromMap(value: unknown, set: FieldSet, type: MapType): unknown {
  if (!isJsonObject(value) || type.atomic) return null
  const keptMembers: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const element = fieldElement(name)
    if (set.members.has(element)) continue
    const below = set.children.get(element) ?? nothing
    const inner = memberType(type, name)
    const isWhole = below.isEmpty || inner === undefined
    keptMembers.push([name, isWhole ? member : removeFields(member, below, inner)])
  }
  return keptMembers.length > 0 ? Object.fromEntries(keptMembers) : null
}
