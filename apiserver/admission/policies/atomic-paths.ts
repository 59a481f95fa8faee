import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { type FieldType, memberType, typeFor } from '../../fields/field-type.js'

/**
 * The paths of lists and maps in a value that can only be replaced as a whole; `findAtomics` of k8s.io/apiserver
 * v0.36.3.
 */
export function atomicPaths(value: unknown, type: FieldType, path = ''): string[] {
  const known = typeFor(type, value, undefined)
  if (known.form === 'list' && Array.isArray(value)) {
    const own = known.merge === 'atomic' ? [path] : []
    return [...own, ...value.flatMap((element, at) => atomicPaths(element, known.element, `${path}[${at}]`))]
  }
  if (known.form !== 'map' || !isJsonObject(value)) return []
  const own = known.atomic ? [path] : []
  const below = Object.entries(value).flatMap(([name, member]) => {
    const typeOfMember = memberType(known, name)
    return typeOfMember === undefined ? [] : atomicPaths(member, typeOfMember, `${path}.${name}`)
  })
  return [...own, ...below]
}
