import type { z } from 'zod'
import type { Conversion, ConvertOptions } from '../schema/convert.js'
import { convertSchema } from '../schema/convert.js'
import type { CelRule, JsonSchema } from '../schema/json-schema.js'
import { patternProblem } from '../schema/pattern-problem.js'
import type { KindProblem } from '../schema/problem.js'
import { checkFields } from './check-fields.js'
import { conditionsSchema } from './condition.js'
import type { NameLimits } from './kind.js'
import { unconvertedField } from './unconverted-field.js'
import { zeroValues } from './zero-values.js'

/** The parts of the schema of a version. */
export interface RootParts {
  /** Prefix of paths in messages; empty for the hub. */
  readonly path: string
  readonly spec?: z.ZodType | undefined
  readonly fields?: z.ZodObject | undefined
  readonly status?: z.ZodObject | undefined
  /** Whether the status has a schema of its own that is not the one of the hub; default false. */
  readonly isOwnStatus?: boolean
  /** Whether the status of a version can have fields that another version cannot hold; default false. */
  readonly areStatusesDifferent?: boolean
  readonly effects?: readonly string[] | undefined
  readonly name?: NameLimits | undefined
  readonly rules?: readonly CelRule[] | undefined
  readonly description?: string | undefined
  readonly maxDescription?: number | undefined
}

/** A schema with the findings about it. */
export interface RootSchema {
  readonly schema: JsonSchema
  /** The values of the required fields of the status until a run sets them. */
  readonly initialStatus: object
  readonly problems: readonly KindProblem[]
  readonly warnings: readonly KindProblem[]
}

/** The schemas of the parts, with what was found in each. */
interface ConvertedParts {
  readonly spec: Conversion | undefined
  readonly status: Conversion | undefined
  readonly members: Conversion | undefined
}

/** The schema of a whole object. */
export function rootSchema(parts: RootParts): RootSchema {
  const converted = convertParts(parts)
  const initialStatus = initialStatusOf(parts, converted)
  return {
    schema: objectSchema(parts, converted),
    initialStatus,
    problems: problemsOf(parts, converted, initialStatus),
    warnings: warningsOf(converted),
  }
}

function convertParts({ path, spec, fields, status, maxDescription }: RootParts): ConvertedParts {
  const convert = (schema: z.ZodType, field: string) =>
    convertSchema(schema, { path: path + field, maxDescription } satisfies ConvertOptions)
  return {
    spec: spec && convert(spec, 'spec'),
    status: status && convert(status, 'status'),
    members: fields && convert(fields, 'fields'),
  }
}

function objectSchema(
  { spec: given, name, rules: ownRules = [], description, maxDescription, ...managed }: RootParts,
  { spec, status, members }: ConvertedParts,
): JsonSchema {
  const isSpecRequired = given && given._zod.optin === undefined
  const required = [...(members?.schema.required ?? []), ...(isSpecRequired ? ['spec'] : [])]
  const rules = [...ownRules, ...(members?.schema['x-kubernetes-validations'] ?? [])]
  return {
    ...(description && { description: description.slice(0, maxDescription) }),
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', ...(name && { properties: { name: nameSchema(name) } }) },
      ...members?.schema.properties,
      ...(spec && { spec: spec.schema }),
      ...(status && { status: withManaged(status.schema, managed) }),
    },
    ...(required.length > 0 && { required }),
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  }
}

/**
 * The values of the required fields. Empty for a version other than the hub with a status of its own, and for a kind
 * with effects, which are written before any of these fields is known.
 */
function initialStatusOf(
  { status: statusType, isOwnStatus = false, effects = [] }: RootParts,
  { status }: ConvertedParts,
): object {
  const mayRequire = !isOwnStatus && effects.length === 0
  return statusType && status && mayRequire ? zeroValues(statusType, status.schema) : {}
}

function problemsOf(
  { path, name }: RootParts,
  { spec, status, members }: ConvertedParts,
  initialStatus: object,
): KindProblem[] {
  return [
    ...[spec, members, status].flatMap((part) => part?.problems ?? []),
    ...(members ? checkFields(members.schema, `${path}fields`) : []),
    ...(spec ? checkSpec(spec.schema, { path, problems: spec.problems }) : []),
    ...(status ? checkStatus(status.schema, { path, initialStatus }) : []),
    ...checkName(name),
  ]
}

/** A controller writes its own status, so a number there needs no warning. */
function warningsOf({ spec, status, members }: ConvertedParts): KindProblem[] {
  return [
    ...[spec, members].flatMap((part) => part?.warnings ?? []),
    ...(status?.warnings ?? []).filter(({ construct }) => construct !== 'number'),
  ]
}

function nameSchema({ maxLength, minLength, pattern }: NameLimits): JsonSchema {
  return {
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern && { pattern: pattern.source }),
  }
}

/** A text for each field; see `convertStatus`. */
const unconvertedSchema: JsonSchema = {
  description: 'Fields of the status that this version cannot hold. Clients keep it as it is.',
  type: 'object',
  additionalProperties: { type: 'string' },
}

function withManaged(
  status: JsonSchema,
  { effects = [], areStatusesDifferent = false }: Pick<RootParts, 'effects' | 'areStatusesDifferent'>,
): JsonSchema {
  const observedGeneration: JsonSchema = { type: 'integer', format: 'int64', minimum: 0 }
  const managed = {
    conditions: conditionsSchema,
    observedGeneration,
    ...(effects.length > 0 && { effects: journalSchema(effects) }),
    ...(areStatusesDifferent && { [unconvertedField]: unconvertedSchema }),
  }
  return { ...status, properties: { ...status.properties, ...managed } }
}

/**
 * The token of a thing that may be about to be created, or the id of the one that exists, for each effect, and for
 * each of its keys.
 */
function journalSchema(effects: readonly string[]): JsonSchema {
  const text: JsonSchema = { type: 'string' }
  const members = { pending: text, id: text }
  const things: JsonSchema = {
    type: 'array',
    items: { type: 'object', properties: { key: text, ...members }, required: ['key'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  }
  const entry: JsonSchema = { type: 'object', properties: { ...members, things } }
  return { type: 'object', properties: Object.fromEntries(effects.map((name) => [name, entry])) }
}

function checkSpec(
  { type }: JsonSchema,
  { path, problems }: { path: string; problems: readonly KindProblem[] },
): KindProblem[] {
  if (type === 'object' || problems.length > 0) return []
  return [
    { path: `${path}spec`, construct: type ?? 'schema', message: 'is not an object; use z.object({...})' },
  ]
}

/** Conditions and effects are written before anything else is known, with the initial values of required fields. */
function checkStatus(
  { properties = {}, required = [] }: JsonSchema,
  { path, initialStatus }: { path: string; initialStatus: object },
): KindProblem[] {
  const managed = ['conditions', 'effects', 'observedGeneration'].filter((name) =>
    Object.hasOwn(properties, name),
  )
  const isReserved = Object.hasOwn(properties, unconvertedField)
  return [
    ...(isReserved ? [reservedProblem(path)] : []),
    ...managed.map((name) => ({
      path: `${path}status.${name}`,
      construct: 'field',
      message: 'is added to every status; leave it out, and name condition types in conditions',
    })),
    ...required
      .filter((name) => !Object.hasOwn(initialStatus, name))
      .map((name) => ({
        path: `${path}status.${name}`,
        construct: 'required field',
        message: 'would forbid to write a condition before it is known; make it .optional()',
      })),
  ]
}

const reservedProblem = (path: string): KindProblem => ({
  path: `${path}status.${unconvertedField}`,
  construct: 'field',
  message: 'is reserved for fields of the status that another version of the kind lacks; choose another name',
})

function checkName(limits: NameLimits | undefined): KindProblem[] {
  const why = limits?.pattern && patternProblem(limits.pattern)
  return why ? [{ path: 'name.pattern', construct: String(limits.pattern), message: why }] : []
}
