/**
 * Converts a zod schema to the structural schema of a CustomResourceDefinition.
 *
 * It promises that the API server accepts what the schema accepts and refuses what the schema refuses: a construct
 * without a counterpart is refused, with its path, its name and the cure. One difference is known: the server accepts
 * integers of 64 bits, and a schema of a number those of 53 bits (`k.int64` takes all of them). It leaves to
 * {@link ../rules} whether CEL rules cost too much.
 */
import type { $ZodCheck, $ZodChecks, $ZodType, $ZodTypes } from 'zod/v4/core'
import { globalRegistry } from 'zod/v4/core'
import { convertArray } from './convert-array.js'
import { convertDefault } from './convert-default.js'
import { convertValues } from './convert-enum.js'
import { convertIntersection } from './convert-intersection.js'
import { convertNumber } from './convert-number.js'
import { asOneOf, convertObjectSchema, convertRecord } from './convert-object-schema.js'
import { convertString } from './convert-string.js'
import { convertUnion } from './convert-union.js'
import { type Extension, extensionOf, isOwnCheck } from './extension.js'
import type { JsonSchema } from './json-schema.js'
import { pipeConstruct } from './pipe-construct.js'
import { cureOf } from './refused-types.js'
import { type Findings, SchemaContext } from './schema-context.js'
import { transitionProblems } from './transition-problems.js'

/** A converted schema, with its problems. */
export interface Conversion extends Findings {
  readonly schema: JsonSchema
}

/** Options of {@link convertSchema}. */
export interface ConvertOptions {
  /** The path of the schema in messages, for example `spec`. */
  readonly path: string
  /** Descriptions are cut to so many characters. Default: not at all. */
  readonly maxDescription?: number | undefined
}

/** Converts a schema. Problems are collected, not thrown, so that an author sees all at once. */
export function convertSchema(schema: $ZodType, { path, maxDescription }: ConvertOptions): Conversion {
  const findings: Findings = { problems: [], warnings: [] }
  const convert = (schema: $ZodType, context: SchemaContext): JsonSchema => {
    if (context.isInside(schema)) return context.refuse('recursive schema', cureOf('lazy'))
    return withDescription(schema, convertNode(schema, context.withParent(schema)), maxDescription)
  }
  const converted = convert(schema, new SchemaContext({ path, findings, convert }))
  const problems = [...findings.problems, ...transitionProblems({ path, schema: converted })]
  return { schema: converted, problems, warnings: findings.warnings }
}

function withDescription(schema: $ZodType, node: JsonSchema, maxDescription?: number): JsonSchema {
  const description = globalRegistry.get(schema)?.description
  return description ? { description: description.slice(0, maxDescription), ...node } : node
}

function convertNode(schema: $ZodType, context: SchemaContext): JsonSchema {
  const extension = extensionOf(schema)
  const checks = checksOf(schema, context)
  refuseForeign(schema, { checks, extension, context })
  const node = convertKnown(extension, context) ?? convertType(schema, { checks, extension, context })
  const whole = extension.isOneOf ? asOneOf(node, context) : node
  return withRules({ ...whole, ...extension.members }, extension)
}

function convertKnown({ schema, text }: Extension, context: SchemaContext): JsonSchema | undefined {
  if (text === undefined) return schema
  const { type: _, ...checks } = context.unwrap(text)
  return { 'x-kubernetes-int-or-string': true, ...checks }
}

function withRules(node: JsonSchema, { rules }: Extension): JsonSchema {
  if (rules === undefined) return node
  return { ...node, 'x-kubernetes-validations': [...(node['x-kubernetes-validations'] ?? []), ...rules] }
}

/** The checks of a schema that its type has to convert. The schema of a string format is itself such a check. */
function checksOf(schema: $ZodType, context: SchemaContext): $ZodChecks[] {
  const { def } = schema._zod
  const self = 'check' in def && def.type !== 'custom' ? [schema as unknown as $ZodCheck] : []
  const checks = [...self, ...(def.checks ?? [])].filter((check) => !isOwnCheck(check))
  return checks.filter((check): check is $ZodChecks => isConvertible(check, context)) as $ZodChecks[]
}

function isConvertible({ _zod: { def } }: $ZodCheck, context: SchemaContext): boolean {
  const cure = cureOf(def.check)
  if (def.check === 'custom') context.refuse('refine', cure)
  else if (def.check === 'overwrite') context.refuse('trim, toLowerCase or another overwrite', cure)
  else return true
  return false
}

/** The types whose checks have counterparts. */
const checkedTypes: ReadonlySet<string> = new Set(['string', 'number', 'array'])

function refuseForeign({ _zod: { def } }: $ZodType, { checks, extension, context }: NodeParts): void {
  if (extension.schema === undefined && checkedTypes.has(def.type)) return
  for (const { _zod } of checks) {
    context.refuse(
      `check ${_zod.def.check}`,
      'cannot be checked by the API server here; use k.rule(schema, cel)',
    )
  }
}

interface NodeParts {
  readonly checks: readonly $ZodChecks[]
  readonly extension: Extension
  readonly context: SchemaContext
}

function convertType(schema: $ZodType, { checks, extension: { members }, context }: NodeParts): JsonSchema {
  const { def } = (schema as $ZodTypes)._zod
  if ('coerce' in def && def.coerce === true) return context.refuse('coerce', cureOf('coerce'))
  switch (def.type) {
    case 'string':
      return convertString(checks, context)
    case 'number':
      return convertNumber(checks, context)
    case 'boolean':
      return { type: 'boolean' }
    case 'enum':
      return convertValues(entriesOf(def.entries), context)
    case 'literal':
      return convertValues(def.values, context)
    case 'object':
      return convertObjectSchema(def, context)
    case 'record':
      return convertRecord(def, members, context)
    case 'array':
      return convertArray(def.element, { checks, members }, context)
    case 'union':
      return convertUnion(def, context)
    default:
      return convertWrapper(def, context)
  }
}

function convertWrapper(def: $ZodTypes['_zod']['def'], context: SchemaContext): JsonSchema {
  switch (def.type) {
    case 'optional':
      if (context.position === 'field') return context.unwrap(def.innerType)
      return context.refuse('optional', 'has no meaning for the elements of a list or a map; leave it out')
    case 'nullable':
      return asNullable(context.unwrap(def.innerType))
    case 'readonly':
      return context.unwrap(def.innerType)
    case 'default':
    case 'prefault':
      return convertDefault(def, context)
    case 'unknown':
    case 'any':
      return { nullable: true, 'x-kubernetes-preserve-unknown-fields': true }
    case 'intersection':
      return convertIntersection([def.left, def.right], context)
    case 'pipe':
      return context.refuse(pipeConstruct(def), cureOf(pipeConstruct(def)))
    default:
      return context.refuse(def.type, cureOf(def.type))
  }
}

/**
 * Lets a value be null. An enum moves into `allOf`: the API server checks null against an enum next to
 * `nullable` as well, and rejects it even if the enum has it.
 */
function asNullable({ enum: values, ...node }: JsonSchema): JsonSchema {
  if (values === undefined) return { ...node, nullable: true }
  return { ...node, nullable: true, allOf: [...(node.allOf ?? []), { enum: values }] }
}

/** The values of an enum; a numeric enum of TypeScript also has its names as values. */
function entriesOf(entries: Readonly<Record<string, string | number>>): (string | number)[] {
  const numbers = Object.values(entries).filter((value) => typeof value === 'number')
  return Object.entries(entries)
    .filter(([name]) => !numbers.includes(Number(name)))
    .map(([, value]) => value)
}
