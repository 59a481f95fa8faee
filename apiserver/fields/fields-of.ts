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

function collect(value: unknown, type: FieldType, at: Collector): void {
  const known = typeFor(type, value)
  if (known.form === 'scalar') at.set.insert(at.path)
  else if (known.form === 'list') collectList(value, known, at)
  else collectMap(value, known, at)
}

function collectList(value: unknown, type: ListType, at: Collector): void {
  if (type.merge === 'atomic') {
    at.set.insert(at.path)
    return
  }
  if (!Array.isArray(value)) return
  const duplicates = duplicatesIn(type, value)
  for (const item of value) {
    const element = elementOf(type, item)
    at.path.push(element)
    // The members of duplicate elements have no owner.
    if (duplicates?.has(element) !== true) collect(item, type.element, at)
    at.set.insert(at.path)
    at.path.pop()
  }
}

function collectMap(value: unknown, type: MapType, at: Collector): void {
  if (type.atomic) {
    at.set.insert(at.path)
    return
  }
  if (!isJsonObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    const inner = memberType(type, name)
    if (inner === undefined) continue
    at.path.push(fieldElement(name))
    collect(member, inner, at)
    const isBare = member === null || (isJsonObject(member) && Object.keys(member).length === 0)
    if (isBare || type.field(name) === undefined) at.set.insert(at.path)
    at.path.pop()
  }
}
