import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { FieldSet, type PathElement } from './field-set.js'
import { type FieldType, type ListType, type MapType, memberType, typeFor } from './field-type.js'
import { duplicatesIn, elementOf } from './list-elements.js'
import { fieldElement } from './path-element.js'

/**
 * The set of all fields of an object, as `typed/tofieldset.go` of structured-merge-diff v6.3.3 computes it.
 */
export function fieldsOf(value: unknown, type: FieldType): FieldSet {
  const set = new FieldSet()
  collect(value, type, { path: [], set })
  return set
}

interface Collector {
  readonly path: PathElement[]
  readonly set: FieldSet
}

function collect(value: unknown, type: FieldType, collector: Collector): void {
  const actualType = typeFor(type, value)
  if (actualType.form === 'scalar') collector.set.insert(collector.path)
  else if (actualType.form === 'list') collectList(value, actualType, collector)
  else collectMap(value, actualType, collector)
}

function collectList(value: unknown, type: ListType, collector: Collector): void {
  if (type.merge === 'atomic') {
    collector.set.insert(collector.path)
    return
  }
  if (!Array.isArray(value)) return
  const duplicates = duplicatesIn(type, value)
  for (const item of value) {
    const element = elementOf(type, item)
    collector.path.push(element)
    // The members of duplicate elements have no owner.
    if (duplicates?.has(element) !== true) collect(item, type.element, collector)
    collector.set.insert(collector.path)
    collector.path.pop()
  }
}

function collectMap(value: unknown, type: MapType, collector: Collector): void {
  if (type.atomic) {
    collector.set.insert(collector.path)
    return
  }
  if (!isJsonObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    const inner = memberType(type, name)
    if (inner === undefined) continue
    collector.path.push(fieldElement(name))
    collect(member, inner, collector)
    const isBare = member === null || (isJsonObject(member) && Object.keys(member).length === 0)
    if (isBare || type.field(name) === undefined) collector.set.insert(collector.path)
    collector.path.pop()
  }
}
