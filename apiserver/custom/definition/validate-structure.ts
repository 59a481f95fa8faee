import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { propertyOf, type Schema } from '../../schema/structural-schema.js'
import { type FieldError, forbiddenValue, invalidValue, required } from '../../validation/field-error.js'
import { goRegExp } from '../go-regexp.js'

type Level = 'root' | 'item' | 'field'

const junctors = ['anyOf', 'allOf', 'oneOf'] as const
const intOrString: readonly Schema[] = [{ type: 'integer' }, { type: 'string' }]
const withoutType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

/**
 * Checks that a schema is structural: the type of every field is specified outside of `anyOf`, `allOf`,
 * `oneOf` and `not`. Follows `pkg/apiserver/schema/validation.go` of k8s.io/apiextensions-apiserver v0.36.3;
 * https://kep.k8s.io/1111
 */
export function validateStructure(schema: Schema, path: string): FieldError[] {
  const errors = [...validateNode(schema, 'root', path), ...validateCompleteness(schema, path)]
  const textOf = ({ field, message }: FieldError) => `${field}: ${message}`
  return errors.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

function validateNode(schema: Schema, level: Level, path: string): FieldError[] {
  const { items, additionalProperties, properties = {} } = schema
  const errors: FieldError[] = []
  if (schema.type === 'array' && items === undefined)
    errors.push(required(`${path}.items`, 'must be specified'))
  if (items !== undefined) errors.push(...validateNode(items, 'item', `${path}.items`))
  for (const [name, property] of Object.entries(properties)) {
    if (level === 'root' && name === 'metadata') errors.push(...validateRootMetadata(property, path))
    else errors.push(...validateNode(property, 'field', `${path}.properties[${name}]`))
  }
  if (additionalProperties !== undefined && level === 'root') {
    errors.push(forbiddenValue(`${path}.additionalProperties`, 'must not be used at the root'))
  }
  if (typeof additionalProperties === 'object') {
    errors.push(...validateNode(additionalProperties, 'field', `${path}.additionalProperties`))
  }
  return [
    ...errors,
    ...validateExtensions(schema, path),
    ...validateJunctors(schema, path),
    ...validateType(schema, level, path),
  ]
}

/** The root schema may restrict only the name in the metadata. */
function validateRootMetadata({ properties = {}, ...rest }: Schema, path: string): FieldError[] {
  const { type: _type, description: _description, ...others } = rest
  const allowed = Object.keys(properties).every((name) => name === 'name' || name === 'generateName')
  if (allowed && Object.keys(others).length === 0) return []
  const why =
    'must not specify anything other than name and generateName, but metadata is implicitly specified'
  return [forbiddenValue(`${path}.properties[metadata]`, why)]
}

function validateExtensions(schema: Schema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  const others = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const
  return others
    .filter((member) => schema[member] === true)
    .map((member) =>
      invalidValue(`${path}.${member}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    )
}

function validateType(schema: Schema, level: Level, path: string): FieldError[] {
  const { type = '' } = schema
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const field = `${path}.type`
  const errors: FieldError[] = []
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(field, why) : invalidValue(field, type, why))
  } else if (type === '' && !mayLackType(schema)) errors.push(required(field, withoutType[level]))
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(field, type, 'must be object at the root'))
  }
  if (!isEmbedded || schema['x-kubernetes-preserve-unknown-fields'] === true) return errors
  if (Object.keys(schema.properties ?? {}).length > 0) return errors
  const why =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
  return [...errors, required(`${path}.properties`, why)]
}

function mayLackType(schema: Schema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  )
}

/** Checks the contents of `anyOf`, `allOf`, `oneOf` and `not`, and the pattern. */
function validateJunctors(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const junctor of junctors) {
    if (junctor === 'anyOf' && jsonEqual(schema.anyOf, intOrString)) continue
    for (const [index, nested] of (schema[junctor] ?? []).entries()) {
      const isException = junctor === 'allOf' && index === 0 && jsonEqual(nested.anyOf, intOrString)
      if (!isException) errors.push(...validateNested(nested, `${path}.${junctor}[${index}]`))
    }
  }
  if (schema.not !== undefined) errors.push(...validateNested(schema.not, `${path}.not`))
  const problem = patternProblem(schema.pattern ?? '')
  if (problem !== undefined) {
    const why = `must be a valid regular expression, but isn't: ${problem}`
    errors.push(invalidValue(`${path}.pattern`, schema.pattern, why))
  }
  return errors
}

function patternProblem(pattern: string): string | undefined {
  try {
    goRegExp(pattern)
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
    throw error
  }
}

/** Members that define the structure of a value, and therefore must not depend on its value. */
const structural: readonly (readonly [keyof Schema | 'title', string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function validateNested(schema: Schema, path: string): FieldError[] {
  const errors = validateJunctors(schema, path)
  if (schema.items !== undefined) errors.push(...validateNested(schema.items, `${path}.items`))
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...validateNested(property, `${path}.properties[${name}]`))
  }
  for (const [member, why] of structural) {
    if (Object.hasOwn(schema, member)) errors.push(forbiddenValue(`${path}.${member}`, why))
  }
  if (propertyOf(schema, 'metadata') !== undefined) {
    const why = 'must not be specified in a nested context'
    errors.push(forbiddenValue(`${path}.properties[metadata]`, why))
  }
  return errors
}

interface NestedSchema {
  readonly schema: Schema | undefined
  readonly path: string
}

/** A restricted field must also be specified outside of the junctors. */
function validateCompleteness(schema: Schema, path: string): FieldError[] {
  return junctorsOf({ schema, path }).flatMap((nested) => complete(nested, { schema, path }))
}

function junctorsOf({ schema, path }: NestedSchema): NestedSchema[] {
  const lists = junctors.flatMap((junctor) =>
    (schema?.[junctor] ?? []).map((nested, index) => ({
      schema: nested,
      path: `${path}.${junctor}[${index}]`,
    })),
  )
  return schema?.not === undefined ? lists : [...lists, { schema: schema.not, path: `${path}.not` }]
}

function complete(nested: NestedSchema, structural: NestedSchema): FieldError[] {
  if (nested.schema === undefined) return []
  if (structural.schema === undefined)
    return [required(structural.path, `because it is defined in ${nested.path}`)]
  const errors = junctorsOf(nested).flatMap((inner) => complete(inner, structural))
  const items = { schema: nested.schema.items, path: `${nested.path}.items` }
  errors.push(...complete(items, { schema: structural.schema.items, path: `${structural.path}.items` }))
  for (const [name, property] of Object.entries(nested.schema.properties ?? {})) {
    const step = `.properties[${name}]`
    const counterpart = { schema: propertyOf(structural.schema, name), path: `${structural.path}${step}` }
    errors.push(...complete({ schema: property, path: `${nested.path}${step}` }, counterpart))
  }
  return errors
}
