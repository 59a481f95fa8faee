import { jsonEqual, stringifyJson } from '../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../sdk/engine/kube/json-object.js'
import { asGoNumber } from '../base/go-values.js'
import { additionalOf, propertyOf, type Schema } from '../schema/structural-schema.js'
import { type FieldError, required, tooMany, unsupported } from '../validation/field-error.js'
import { checkNumber, checkString } from './check-scalar.js'
import { checkType } from './check-type.js'
import { correlatedMember, elementCorrelation, type Old } from './correlation.js'
import { Findings, fieldOf, invalidField, invalidWhole, type ValidationFinding } from './findings.js'
import { checkFormat } from './formats.js'

/** The path of a value, and its old value. */
export interface FieldContext {
  /** The path in the validator's format: `''` at the root, `spec.seats`, `spec.rows[0]`. */
  readonly path: string
  /** The value before an update, if it can be correlated; https://kep.k8s.io/4008 */
  readonly old?: Old | undefined
}

/**
 * Validates a value by its schema, with the texts of `pkg/validation/validate` of k8s.io/kube-openapi. An
 * unchanged value that was already invalid passes.
 */
export function validateValue(
  value: unknown,
  schema: Schema,
  context: FieldContext = { path: '' },
): FieldError[] {
  return validate(value, schema, context).all.map(({ error }) => error)
}

/** An unchanged value may stay invalid. */
function validate(value: unknown, schema: Schema, context: FieldContext): Findings {
  const findings = check(value, schema, context)
  if (findings.isValid || context.old === undefined) return findings
  if (!jsonEqual(value, context.old.value)) return findings
  const forgiven = new Findings()
  forgiven.matches = findings.matches
  return forgiven
}

function check(value: unknown, schema: Schema, context: FieldContext): Findings {
  const { path } = context
  const findings = new Findings()
  findings.add(checkType(value, schema, path))
  if (value === null) return findings.add(checkEnum(value, schema, path))
  findings.merge(checkComposition(value, schema, context))
  findings.matches += findings.isValid ? 3 : 2
  if (typeof value === 'string') {
    findings.add(checkString(value, schema, path), checkFormat(value, schema, path))
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    findings.add(...checkNumber(value, schema, path))
  } else if (Array.isArray(value)) checkList(value, schema, { context, findings })
  findings.add(checkEnum(value, schema, path))
  findings.matches += 2
  if (isJsonObject(value)) checkObject(value, schema, { context, findings })
  return findings
}

/** Null is never one of the values, even if the list contains it. */
function checkEnum(value: unknown, schema: Schema, path: string): ValidationFinding | undefined {
  // The real server stores the numbers of a schema as floating-point numbers, even if they lose digits.
  const allowed = (schema.enum ?? []).map((each) => (typeof each === 'bigint' ? Number(each) : each))
  const isAllowed = value !== null && allowed.some((each) => jsonEqual(each, value))
  if (allowed.length === 0 || isAllowed) return undefined
  const allowedTexts = allowed.map((each) => (typeof each === 'string' ? each : stringifyJson(each)))
  const text = `${path} in body should be one of [${allowedTexts.join(' ')}]`
  return { text, error: unsupported(fieldOf(path), stringifyJson(asGoNumber(value)), allowedTexts) }
}

interface Task {
  readonly context: FieldContext
  readonly findings: Findings
}

function checkList(list: readonly unknown[], schema: Schema, { context, findings }: Task): void {
  const { path } = context
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  if (items !== undefined) {
    const oldOf = elementCorrelation(schema, context.old)
    for (const [index, element] of list.entries()) {
      findings.merge(validate(element, items, { path: `${path}[${index}]`, old: oldOf(element) }))
    }
  }
  if (list.length < minItems) {
    const text = `${path} in body should have at least ${minItems} items`
    findings.add(invalidField(path, list.length, text))
  }
  if (list.length > maxItems) {
    const text = `${path} in body should have at most ${maxItems} items`
    findings.add({ text, error: tooMany(fieldOf(path), list.length, maxItems) })
  }
}

function checkObject(
  object: Readonly<Record<string, unknown>>,
  schema: Schema,
  { context, findings }: Task,
): void {
  const { path } = context
  checkSize(Object.keys(object).length, schema, { context, findings })
  const isClosed = schema.additionalProperties === false
  for (const [name, member] of Object.entries(object)) {
    const property = propertyOf(schema, name)
    const below = property === undefined ? additionalOf(schema) : property
    if (below === undefined) {
      const text = `${path}.${name} in body is a forbidden property`
      if (isClosed) findings.add(invalidField(path, name, text))
      continue
    }
    const memberPath = path === '' && property !== undefined ? name : `${path}.${name}`
    const old = correlatedMember(name, context)
    findings.merge(validate(member, below, { path: memberPath, old }))
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(object, name)) continue
    const missingPath = `${path}.${name}`
    findings.add({ text: `${missingPath} in body is required`, error: required(fieldOf(missingPath), '') })
  }
}

function checkSize(size: number, schema: Schema, { context: { path }, findings }: Task): void {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  if (size < minProperties) {
    const text = `${path} in body should have at least ${minProperties} properties`
    findings.add(invalidField(path, size, text))
  }
  if (size > maxProperties) {
    const text = `${path} in body should have at most ${maxProperties} properties`
    findings.add({ text, error: tooMany(fieldOf(path), size, maxProperties) })
  }
}

function checkComposition(value: unknown, schema: Schema, context: FieldContext): Findings {
  const findings = new Findings()
  const quoted = JSON.stringify(context.path)
  const judge = (schemas: readonly Schema[]) => schemas.map((each) => check(value, each, context))
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) {
    const results = judge(schema.anyOf)
    const good = results.find(({ isValid }) => isValid)
    if (good === undefined) findings.add(invalidWhole(`${quoted} must validate at least one schema (anyOf)`))
    findings.merge(good ?? bestOf(results))
  }
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) findOne(judge(schema.oneOf), quoted, findings)
  if (schema.allOf !== undefined && schema.allOf.length > 0) findAll(judge(schema.allOf), quoted, findings)
  if (schema.not !== undefined && check(value, schema.not, context).isValid) {
    findings.add(invalidWhole(`${quoted} must not validate the schema (not)`))
  }
  return findings
}

function findOne(results: readonly Findings[], quoted: string, findings: Findings): void {
  const good = results.filter(({ isValid }) => isValid)
  const [only] = good
  if (only !== undefined && good.length === 1) {
    findings.merge(only)
    return
  }
  const countText = good.length === 0 ? 'Found none valid' : `Found ${good.length} valid alternatives`
  findings.add(invalidWhole(`${quoted} must validate one and only one schema (oneOf). ${countText}`))
  if (good.length === 0) findings.merge(bestOf(results))
}

function findAll(results: readonly Findings[], quoted: string, findings: Findings): void {
  for (const result of results) findings.merge(result)
  const valid = results.filter(({ isValid }) => isValid).length
  if (valid === results.length) return
  const countText = valid === 0 ? '. None validated' : ''
  findings.add(invalidWhole(`${quoted} must validate all the schemas (allOf)${countText}`))
}

/** The first result with the most passed checks. */
function bestOf(results: readonly Findings[]): Findings {
  return results.reduce(
    (best, each) => (each.matches > best.matches ? each : best),
    results[0] ?? new Findings(),
  )
}
