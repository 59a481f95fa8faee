import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { additionalOf, propertyOf, type Schema } from '../schema/structural-schema.js'
import { duplicate, type FieldError, invalidValue } from '../validation/field-error.js'

/**
 * Checks that sets have no duplicate values and map lists no duplicate keys; follows
 * `pkg/apiserver/schema/listtype` of k8s.io/apiextensions-apiserver v0.36.3.
 */
export function validateListTypes(value: unknown, schema: Schema | undefined, path = ''): FieldError[] {
  if (schema === undefined) return []
  if (Array.isArray(value)) {
    const below = value.flatMap((element, index) =>
      validateListTypes(element, schema.items, `${path}[${index}]`),
    )
    return [...validateList(value, schema, path), ...below]
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const property = propertyOf(schema, name)
    if (property === undefined) return validateListTypes(member, additionalOf(schema), `${path}[${name}]`)
    return validateListTypes(member, property, path === '' ? name : `${path}.${name}`)
  })
}

function validateList(list: readonly unknown[], schema: Schema, path: string): FieldError[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeatedAt(list).map((index) => duplicate(`${path}[${index}]`, list[index]))
    case 'map':
      return validateMap(list, schema['x-kubernetes-list-map-keys'] ?? [], path)
    default:
      return []
  }
}

function validateMap(list: readonly unknown[], names: readonly string[], path: string): FieldError[] {
  const wrongAt = list.findIndex((element) => element !== null && !isJsonObject(element))
  if (wrongAt >= 0) {
    const why = 'must be an object for an array of list-type map'
    return [invalidValue(`${path}[${wrongAt}]`, list[wrongAt], why)]
  }
  const keys = list.map((element) => keyOf(element, names))
  return repeatedAt(keys).map((index) => duplicate(`${path}[${index}]`, keys[index]))
}

function keyOf(element: unknown, names: readonly string[]): Record<string, unknown> {
  const members = isJsonObject(element) ? element : {}
  const present = names.filter((name) => Object.hasOwn(members, name)).sort()
  return Object.fromEntries(present.map((name) => [name, members[name]]))
}

/** The indices of second occurrences; further ones are not reported. */
function repeatedAt(list: readonly unknown[]): number[] {
  const countByText = new Map<string, number>()
  const repeated: number[] = []
  for (const [index, element] of list.entries()) {
    const text = stringifyJson(element)
    const times = (countByText.get(text) ?? 0) + 1
    countByText.set(text, times)
    if (times === 2) repeated.push(index)
  }
  return repeated
}
