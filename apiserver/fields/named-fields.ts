import { FieldSet } from './field-set.js'
import { type FieldType, memberType } from './field-type.js'

const none: FieldType = { form: 'scalar' }

/**
 * The set with every named field on its paths as a member: `EnsureNamedFieldsAreMembers` of
 * structured-merge-diff. `.data.a` of a ConfigMap adds `.data`, because that is a named field.
 */
export function withNamedFields(set: FieldSet, type: FieldType): FieldSet {
  const members = new Set(set.members)
  const children = new Map<string, FieldSet>()
  for (const [element, child] of set.children) {
    const isField = element.startsWith('f:')
    if (isField && type.form === 'map' && type.field(element.slice(2)) !== undefined) members.add(element)
    children.set(element, withNamedFields(child, below(type, element)))
  }
  return new FieldSet(members, children)
}

function below(type: FieldType, element: string): FieldType {
  if (type.form === 'deduced') return type
  if (type.form === 'list') return type.element
  return type.form === 'map' ? (memberType(type, element.slice(2)) ?? none) : none
}
