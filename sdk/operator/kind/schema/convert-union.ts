import type { $ZodType, $ZodUnionDef } from 'zod/v4/core'
import { jsonEqual } from '../../../engine/kube/json.js'
import { celName } from './cel-name.js'
import { convertValues, enumValues } from './convert-enum.js'
import { celString } from './convert-object-schema.js'
import type { CelRule, JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

const cure =
  'would need types inside of anyOf, which a structural schema forbids; use k.oneOf({...}), k.intOrString() or z.discriminatedUnion(...)'

/** Converts a union: of literals to an enum, with a tag to one object with rules. */
export function convertUnion(
  def: $ZodUnionDef & { discriminator?: string },
  context: SchemaContext,
): JsonSchema {
  if (def.discriminator !== undefined) return convertTagged(def.discriminator, def.options, context)
  const values = def.options.map((option) => enumValues(context.unwrap(option)))
  const definedValues = values.filter((one) => one !== undefined)
  return definedValues.length === values.length
    ? convertValues(definedValues.flat(), context)
    : context.refuse('union', cure)
}

/** One variant of a discriminated union. */
interface Variant {
  readonly tags: readonly unknown[]
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

function convertTagged(tag: string, options: readonly $ZodType[], context: SchemaContext): JsonSchema {
  const variants = options.map((option) => variantOf(tag, context.unwrap(option)))
  const taggedVariants = variants.filter((variant) => variant !== undefined)
  if (taggedVariants.length < variants.length) {
    return context.refuse(
      'discriminatedUnion',
      `takes plain objects with the tag ${tag} as a literal or an enum`,
    )
  }
  const tagSchema = convertValues(
    taggedVariants.flatMap(({ tags }) => tags),
    context,
  )
  const properties = { [tag]: tagSchema, ...mergeFields(taggedVariants, context) }
  const rules = taggedVariants.map((variant) => ruleOf(variant, { tag, properties, context }))
  return {
    type: 'object',
    properties,
    required: [tag, ...requiredEverywhere(taggedVariants)],
    'x-kubernetes-validations': rules.filter((rule) => rule !== undefined),
  }
}

function variantOf(tag: string, node: JsonSchema): Variant | undefined {
  const { type, properties = {}, required = [], description: _, ...others } = node
  const { [tag]: tagSchema, ...fields } = properties
  const tags = tagSchema && enumValues(tagSchema)
  if (type !== 'object' || tags === undefined || Object.keys(others).length > 0) return undefined
  return { tags, properties: fields, required: required.filter((name) => name !== tag) }
}

function mergeFields(variants: readonly Variant[], context: SchemaContext): Record<string, JsonSchema> {
  const merged: Record<string, JsonSchema> = {}
  for (const { properties } of variants) {
    for (const [name, schema] of Object.entries(properties)) {
      checkField(name, schema, { merged, variants, context })
      merged[name] = schema
    }
  }
  return merged
}

function checkField(
  name: string,
  schema: JsonSchema,
  {
    merged,
    variants,
    context,
  }: { merged: Record<string, JsonSchema>; variants: readonly Variant[]; context: SchemaContext },
): void {
  const construct = `discriminatedUnion field ${name}`
  const existing = Object.hasOwn(merged, name) ? merged[name] : undefined
  if (existing !== undefined && !jsonEqual(existing, schema)) {
    context.refuse(construct, 'has two different schemas; nest what differs in an object of each variant')
  }
  const isEverywhere = variants.every(({ properties }) => Object.hasOwn(properties, name))
  if (schema.default !== undefined && !isEverywhere) {
    context.refuse(
      construct,
      'has a default, which the API server would set in every variant; make it optional',
    )
  }
}

function requiredEverywhere(variants: readonly Variant[]): string[] {
  const [first, ...others] = variants
  return (first?.required ?? []).filter((name) => others.every(({ required }) => required.includes(name)))
}

/** The rule of one variant: the fields that it requires, and those of other variants, which it does not allow. */
function ruleOf(
  { tags, properties: ownProperties, required }: Variant,
  {
    tag,
    properties,
    context,
  }: { tag: string; properties: Readonly<Record<string, JsonSchema>>; context: SchemaContext },
): CelRule | undefined {
  const foreign = Object.keys(properties).filter(
    (name) => name !== tag && !Object.hasOwn(ownProperties, name),
  )
  const present = (name: string) => `has(self.${nameOf(name, context)})`
  const conditions = [...required.map(present), ...foreign.map((name) => `!${present(name)}`)]
  if (conditions.length === 0) return undefined
  const isVariant = tags.map((value) => `self.${nameOf(tag, context)} == ${celLiteral(value)}`).join(' || ')
  return {
    rule: `!(${isVariant}) || (${conditions.join(' && ')})`,
    message: messageOf({ tag, tags, required, foreign }),
  }
}

const celLiteral = (value: unknown) => (typeof value === 'string' ? celString(value) : String(value))

function nameOf(field: string, context: SchemaContext): string {
  const name = celName(field)
  if (name === undefined)
    context.refuse(`discriminatedUnion field ${field}`, 'cannot be named in CEL; rename it')
  return name ?? field
}

function messageOf(variant: {
  tag: string
  tags: readonly unknown[]
  required: readonly string[]
  foreign: readonly string[]
}): string {
  const { tag, tags, required, foreign } = variant
  const parts = [
    ...(required.length > 0 ? [`requires ${required.join(', ')}`] : []),
    ...(foreign.length > 0 ? [`does not allow ${foreign.join(', ')}`] : []),
  ]
  return `${tag} ${tags.map(celLiteral).join(' or ')} ${parts.join(' and ')}`
}
