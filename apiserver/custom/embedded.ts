import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import type { KubeObject, ObjectMeta } from '../../sdk/engine/kube/object.js'
import { additionalOf, propertyOf, type Schema } from '../schema/structural-schema.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { validateMetadata } from '../validation/metadata.js'
import { checkPathSegmentName, checkRfc1035Label } from '../validation/names.js'

/**
 * Validates embedded objects in a custom resource (`x-kubernetes-embedded-resource`); follows
 * `pkg/apiserver/schema/objectmeta` of k8s.io/apiextensions-apiserver v0.36.3.
 */
export function validateEmbedded(value: unknown, schema: Schema | undefined, path = ''): FieldError[] {
  if (schema === undefined) return []
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => validateEmbedded(element, schema.items, `${path}[${index}]`))
  }
  if (!isJsonObject(value)) return []
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const ownProblems = isEmbedded ? validateObject(value, path) : []
  const below = Object.entries(value).flatMap(([name, member]) => {
    const property = propertyOf(schema, name)
    if (property === undefined) return validateEmbedded(member, additionalOf(schema), `${path}[${name}]`)
    return validateEmbedded(member, property, path === '' ? name : `${path}.${name}`)
  })
  return [...ownProblems, ...below]
}

function validateObject(value: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  const errors = ['apiVersion', 'kind']
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => required(`${path}.${name}`, ''))
  for (const [name, member] of Object.entries(value)) {
    if (name === 'apiVersion') errors.push(...validateText(member, `${path}.apiVersion`))
    if (name === 'kind') errors.push(...validateKind(member, `${path}.kind`))
    if (name === 'metadata' && isJsonObject(member)) errors.push(...validateEmbeddedMetadata(member, path))
  }
  return errors
}

function validateText(value: unknown, path: string): FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')]
  return value === '' ? [invalidValue(path, value, 'must not be empty')] : []
}

function validateKind(value: unknown, path: string): FieldError[] {
  const errors = validateText(value, path)
  if (errors.length > 0) return errors
  const problem = checkRfc1035Label(String(value).toLowerCase())
  if (problem === undefined) return []
  return [invalidValue(path, value, `may have mixed case, but should otherwise match: ${problem}`)]
}

/** The metadata of an embedded object does not need a name. */
function validateEmbeddedMetadata(metadata: ObjectMeta, path: string): FieldError[] {
  const object: KubeObject = { metadata: { ...metadata, name: metadata.name ?? 'unnamed' } }
  return validateMetadata(object, checkPathSegmentName).map((error) => ({
    ...error,
    field: `${path}.${error.field}`,
  }))
}
