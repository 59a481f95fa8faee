import type { OpenApiSchema } from './json-schema.js'
import { schemaReference } from './schema-reference.js'
import { textsOf } from './text-of-schema.js'

/**
 * The minimal value of a schema by its types, bounds, enums and patterns, without its CEL rules. Variants 1 and 2 are
 * different values if the schema allows more than one.
 */
export function sampleOfSchema(schema: OpenApiSchema, variant: 1 | 2): unknown {
  const { enum: choices, items = {}, minItems = 0 } = schema
  const nonEmptyChoices = choices?.filter((choice) => choice !== '')
  if (nonEmptyChoices && nonEmptyChoices.length > 0)
    return nonEmptyChoices[Math.min(variant, nonEmptyChoices.length) - 1]
  if (schema['x-kubernetes-int-or-string']) return sampleNumber(schema, variant)
  switch (schema.type) {
    case 'boolean':
      return variant === 2
    case 'integer':
    case 'number':
      return sampleNumber(schema, variant)
    case 'string':
      return textsOf(schema, variant)[0] ?? (variant === 1 ? 'one' : 'two')
    case 'array':
      return Array.from({ length: minItems }, () => sampleOfSchema(items, variant))
    default:
      return sampleObject(schema, variant)
  }
}

function sampleNumber(
  { minimum = 1, maximum = Number.MAX_SAFE_INTEGER }: OpenApiSchema,
  variant: 1 | 2,
): number {
  return Math.min(maximum, minimum + variant - 1)
}

/** The required members; if there are none, the first scalar member that is not a reference. */
function sampleObject(schema: OpenApiSchema, variant: 1 | 2): object {
  if (schema['x-kubernetes-embedded-resource']) return embeddedResource(variant)
  const { properties = {}, additionalProperties, minProperties = 0 } = schema
  const required = requiredNames(schema)
  const names = required.length > 0 ? required : scalarNames(properties).slice(0, 1)
  const members = names.flatMap((name) => {
    const memberSchema = properties[name]
    return memberSchema ? [[name, sampleOfSchema(memberSchema, variant)]] : []
  })
  if (members.length < minProperties && typeof additionalProperties === 'object')
    members.push(['one', sampleOfSchema(additionalProperties, variant)])
  return Object.fromEntries(members)
}

/** The required members, of alternatives those of the first one. */
function requiredNames({ required = [], allOf = [], anyOf = [], oneOf = [] }: OpenApiSchema): string[] {
  const [firstOfAny, firstOfOne] = [anyOf[0], oneOf[0]]
  const branches = [...allOf, ...(firstOfAny ? [firstOfAny] : []), ...(firstOfOne ? [firstOfOne] : [])]
  return [...new Set([...required, ...branches.flatMap(requiredNames)])]
}

const embeddedResource = (variant: 1 | 2) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: variant === 1 ? 'one' : 'two' },
})

const scalarTypes = ['string', 'integer', 'number', 'boolean']

function scalarNames(properties: Readonly<Record<string, OpenApiSchema>>): string[] {
  return Object.keys(properties).filter((name) => {
    const schema = properties[name]
    return schema && scalarTypes.includes(schema.type ?? '') && !schemaReference(name, schema)
  })
}
