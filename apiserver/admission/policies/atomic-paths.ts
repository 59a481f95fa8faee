import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { type FieldType, memberType, typeFor } from '../../fields/field-type.js'

/**
 * The paths of lists and maps in a value that can only be replaced as a whole; `findAtomics` of k8s.io/apiserver
 * v0.36.3.
 */
export function atomicPaths(value: unknown, type: FieldType, path = ''): string[] {
  const actualType = typeFor(type, value, undefined)
  if (actualType.form === 'list' && Array.isArray(value)) {
    const ownPath = actualType.merge === 'atomic' ? [path] : []
    return [
      ...ownPath,
      ...value.flatMap((element, index) => atomicPaths(element, actualType.element, `${path}[${index}]`)),
    ]
  }
  if (actualType.form !== 'map' || !isJsonObject(value)) return []
  const ownPath = actualType.atomic ? [path] : []
  const below = Object.entries(value).flatMap(([name, member]) => {
    const typeOfMember = memberType(actualType, name)
    return typeOfMember === undefined ? [] : atomicPaths(member, typeOfMember, `${path}.${name}`)
  })
  return [...ownPath, ...below]
}
