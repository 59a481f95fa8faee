import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { Schema } from '../../schema/structural-schema.js'
import { type FieldError, forbiddenValue, invalidValue, unsupported } from '../../validation/field-error.js'
import { ruleTree } from '../cel/rule-tree.js'
import { pruneResource } from '../prune.js'
import { reuseByContent } from '../reuse-by-content.js'
import { validateValue } from '../validate-value.js'
import { validateListType } from './validate-list-type.js'
import { validateCompiled, validateRuleMembers } from './validate-rules.js'
import { validateStructure } from './validate-structure.js'

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** Members that are allowed next to `properties` at the root if the status is a subresource. */
const rootMembers = new Set([
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
])
const rootNames =
  '[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]'

/** Validates the schema of one version: it must be structural, and its defaults must be valid. */
export const validateSchema = reuseByContent(schemaErrors, { keeps: (errors) => errors.length === 0 })

function schemaErrors(schema: Schema, path: string, hasStatus: boolean): FieldError[] {
  const errors = hasStatus ? validateRoot(schema, path) : []
  if (schema.nullable === true) {
    errors.push(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'))
  }
  const structural = validateStructure(schema, path)
  const wrong = [
    ...errors,
    ...(structural.length > 0 ? structural : validateDefaults(schema, path)),
    ...validateNode(schema, path),
  ]
  // Rules are compiled only if the schema is valid, because they take their types from it.
  return wrong.length > 0 ? wrong : validateCompiled(ruleTree(schema), { path })
}

function validateRoot(schema: Schema, path: string): FieldError[] {
  if (schema.type !== 'object' && schema.type !== undefined) {
    const why =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
    return [invalidValue(`${path}.type`, schema.type, why)]
  }
  if (Object.keys(schema).every((member) => rootMembers.has(member))) return []
  const why = `only ${rootNames} fields are allowed at the root of the schema if the status subresource is enabled`
  return [invalidValue(path, schema, why)]
}

/** Validates this node and all nodes below it. */
function validateNode(schema: Schema, path: string): FieldError[] {
  const below = childrenOf(schema).flatMap(([name, child]) => validateNode(child, `${path}.${name}`))
  return [
    ...validateMembers(schema, path),
    ...below,
    ...validateListType(schema, path),
    ...validateRuleMembers(schema, path),
  ]
}

/** The direct subschemas of a schema with their paths. */
function childrenOf(schema: Schema): (readonly [string, Schema])[] {
  const children: (readonly [string, Schema])[] = []
  const { additionalProperties, items, not } = schema
  if (typeof additionalProperties === 'object') children.push(['additionalProperties', additionalProperties])
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    children.push([`properties[${name}]`, property])
  }
  if (not !== undefined) children.push(['not', not])
  for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, child] of (schema[junctor] ?? []).entries())
      children.push([`${junctor}[${index}]`, child])
  }
  if (items !== undefined && !Array.isArray(items)) children.push(['items', items])
  return children
}

const unsupportedMembers = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
]

/** Validates the members of one node, in the order of a kube-apiserver. */
function validateMembers(schema: Schema, path: string): FieldError[] {
  const { type = '' } = schema
  const isKnown = type === '' || types.includes(type)
  return [
    ...(isKnown ? [] : [unsupported(`${path}.type`, JSON.stringify(type), types)]),
    ...unsupportedMembers
      .filter((member) => Object.hasOwn(schema, member))
      .map((member) => forbiddenValue(`${path}.${member}`, `${member} is not supported`)),
    ...forbiddenMembers(schema)
      .filter(({ isSet }) => isSet)
      .map(({ member, why }) => forbiddenValue(`${path}.${member}`, why)),
    ...preserveErrors(schema, `${path}.x-kubernetes-preserve-unknown-fields`),
  ]
}

interface ForbiddenMember {
  readonly member: string
  /** Whether the schema has the member with the forbidden value. */
  readonly isSet: boolean
  readonly why: string
}

/** The members whose values are allowed in OpenAPI, but not in a definition. */
function forbiddenMembers({ type, items, uniqueItems, ...schema }: Schema): ForbiddenMember[] {
  const { additionalProperties, properties = {} } = schema
  const hasProperties = Object.keys(properties).length > 0
  return [
    {
      member: 'type',
      isSet: type === 'null',
      why: 'type cannot be set to null, use nullable as an alternative',
    },
    { member: 'items', isSet: Array.isArray(items), why: 'items must be a schema object and not an array' },
    {
      member: 'uniqueItems',
      isSet: uniqueItems === true,
      why: 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    },
    {
      member: 'additionalProperties',
      isSet: hasProperties && additionalProperties !== undefined && additionalProperties !== true,
      why: 'additionalProperties and properties are mutual exclusive',
    },
  ]
}

function preserveErrors(schema: Schema, field: string): FieldError[] {
  const isFalse = schema['x-kubernetes-preserve-unknown-fields'] === false
  return isFalse ? [invalidValue(field, false, 'must be true or undefined')] : []
}

function validateDefaults(schema: Schema, path: string): FieldError[] {
  const { default: value, ...rest } = schema
  const defaultErrors =
    value === undefined || value === null ? [] : validateDefault(value, rest, `${path}.default`)
  const items = schema.items === undefined ? [] : validateDefaults(schema.items, `${path}.items`)
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    validateDefaults(property, `${path}.properties[${name}]`),
  )
  return [...defaultErrors, ...items, ...properties]
}

function validateDefault(value: unknown, schema: Schema, path: string): FieldError[] {
  // In a wrapper, because pruning starts at an object.
  const pruned = pruneResource({ value }, { properties: { value: schema } }).value
  const errors = jsonEqual(pruned, { value })
    ? []
    : [invalidValue(path, value, 'must not have unknown fields')]
  const wrong = validateValue(value, schema).map((error) => ({
    ...error,
    field: error.field === '<nil>' ? path : `${path}.${error.field}`,
  }))
  return [...errors, ...wrong]
}
