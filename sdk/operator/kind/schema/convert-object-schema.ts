import type { $ZodObjectDef, $ZodRecordDef, $ZodType } from 'zod/v4/core'
import type { CelRule, JsonSchema } from './json-schema.js'
import type { SchemaContext } from './schema-context.js'

/** Whether the parent may leave a field out. */
const isOptional = (schema: $ZodType) => schema._zod.optin !== undefined

/** Converts an object. */
export function convertObjectSchema({ shape, catchall }: $ZodObjectDef, context: SchemaContext): JsonSchema {
  return { ...convertShape(shape, context), ...convertCatchall(catchall, context) }
}

function convertShape(shape: Readonly<Record<string, $ZodType>>, context: SchemaContext): JsonSchema {
  const fields = Object.entries(shape)
  const required = fields.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  return {
    type: 'object',
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map(([name, field]) => [name, context.field(name, field)])),
    }),
    ...(required.length > 0 && { required }),
  }
}

function convertCatchall(catchall: $ZodType | undefined, context: SchemaContext): JsonSchema {
  switch (catchall?._zod.def.type) {
    case undefined:
      return {}
    case 'never':
      context.warn('strictObject', 'refuses unknown fields in zod, while the API server prunes them')
      return {}
    case 'unknown':
    case 'any':
      return { 'x-kubernetes-preserve-unknown-fields': true }
    default:
      return context.refuse(
        'catchall',
        'cannot be combined with fields in a CRD; put a z.record(...) into a field',
      )
  }
}

/** Makes an object of which exactly one field is set. */
export function asOneOf({ required: _, ...node }: JsonSchema, context: SchemaContext): JsonSchema {
  for (const [name, { default: value }] of Object.entries(node.properties ?? {})) {
    if (value === undefined) continue
    context.refuse(`k.oneOf with a default for ${name}`, 'would set a second field; leave the default out')
  }
  return { ...node, minProperties: 1, maxProperties: 1 }
}

/** Converts a record. With a set of possible keys it is an object with these fields. */
export function convertRecord(
  { keyType, valueType, ...def }: $ZodRecordDef & { readonly partial?: boolean },
  members: JsonSchema | undefined,
  context: SchemaContext,
): JsonSchema {
  if (def.mode === 'loose') return context.refuse('looseRecord', 'has no counterpart; use z.record(...)')
  const keys = context.key(keyType)
  if (keys.enum !== undefined) return convertKnownKeys(keys.enum.map(String), { valueType, ...def }, context)
  const node: JsonSchema = {
    type: 'object',
    additionalProperties: context.element(valueType, '{}'),
    ...members,
  }
  if (keys.type !== 'string')
    return context.refuse('record', 'needs keys of type string; use z.record(z.string(), ...)')
  const rules = keyRules(keys)
  if (rules === undefined) return context.refuse('record key', 'takes .min, .max and .regex only')
  if (rules.length > 0 && node.maxProperties === undefined) {
    return context.refuse(
      'record with checked keys',
      'needs a limit for its CEL rule; use k.record(key, value, { maxProperties })',
    )
  }
  return rules.length > 0 ? { ...node, 'x-kubernetes-validations': rules } : node
}

function convertKnownKeys(
  keys: readonly string[],
  { valueType, partial }: { valueType: $ZodType; partial?: boolean },
  context: SchemaContext,
): JsonSchema {
  const properties = Object.fromEntries(keys.map((key) => [key, context.field(key, valueType)]))
  const isRequired = partial !== true && !isOptional(valueType)
  return { type: 'object', properties, ...(isRequired && { required: [...keys] }) }
}

/** The CEL rules that stand for the checks of keys; `undefined` if a check has none. */
function keyRules({ type: _, description: __, ...checks }: JsonSchema): CelRule[] | undefined {
  const { minLength, maxLength, pattern, ...others } = checks
  if (Object.keys(others).length > 0) return undefined
  const rules: CelRule[] = []
  const add = (rule: string, message: string) =>
    rules.push({ rule: `self.all(key, ${rule})`, message: `keys ${message}` })
  if (minLength !== undefined) add(`key.size() >= ${minLength}`, `must have at least ${minLength} characters`)
  if (maxLength !== undefined) add(`key.size() <= ${maxLength}`, `must have at most ${maxLength} characters`)
  if (pattern !== undefined) add(`key.matches(${celString(pattern)})`, `must match ${pattern}`)
  return rules
}

/** A text as CEL writes it: JSON is a subset of it. */
export const celString = (text: string) => JSON.stringify(text)
