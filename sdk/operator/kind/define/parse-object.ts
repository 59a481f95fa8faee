import type { z } from 'zod'
import type { $ZodIssue } from 'zod/v4/core'
import { issueText } from '../../../engine/kube/issue-text.js'
import { isContainer, memberOf, ownMember, setMember, valueAt } from '../../../engine/kube/json-object.js'
import type { FieldProblem } from './admission.js'
import type { CustomObject, ParseResult } from './kind.js'

/** The schemas of a kind. */
interface PartSchemas<Spec extends z.ZodType, Status extends z.ZodObject, Fields extends z.ZodObject> {
  readonly spec?: Spec | undefined
  readonly fields?: Fields | undefined
  readonly status: z.ZodObject
  /** Carries a type only. */
  readonly statusType?: Status
}

/** The result of parsing one part of an object. */
type Part = { readonly value: unknown } | { readonly problems: readonly FieldProblem[] }

/** Checks a live object, fills in defaults and keeps what the schema does not know. */
export function parseObject<
  Name extends string,
  Spec extends z.ZodType,
  Status extends z.ZodObject,
  Condition extends string,
  Fields extends z.ZodObject,
>(
  schemas: PartSchemas<Spec, Status, Fields>,
  object: unknown,
): ParseResult<CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>> {
  const { status: rawStatus, ...raw } = Object(object) as Partial<CustomObject>
  const spec = schemas.spec ? parsePart(schemas.spec, raw.spec, 'spec') : { value: raw.spec }
  const fields = schemas.fields ? parsePart(schemas.fields, raw, '') : { value: raw }
  const problems = [spec, fields].flatMap((part) => ('problems' in part ? part.problems : []))
  if (problems.length > 0 || 'problems' in spec || 'problems' in fields) return { ok: false, problems }
  const status =
    rawStatus === undefined ? { value: undefined } : parsePart(schemas.status, rawStatus, 'status')
  const fits = 'value' in status
  const parsed = {
    ...raw,
    ...Object(fields.value),
    ...(spec.value !== undefined && { spec: spec.value }),
    ...(fits && rawStatus !== undefined && { status: status.value }),
  }
  return {
    ok: true,
    object: parsed as CustomObject<Name, z.output<Spec>, z.output<Status>, Condition, z.output<Fields>>,
    statusProblems: fits ? [] : status.problems,
  }
}

function parsePart(schema: z.ZodType, raw: unknown, path: string): Part {
  try {
    return checkPart(schema, raw, path)
  } catch (error) {
    // One object must not prevent that its own problem is reported, or that it is released.
    if (!(error instanceof RangeError)) throw error
    const message = `cannot be checked (${error.message}); make it smaller, or nest it less deeply`
    return { problems: [{ path, message }] }
  }
}

function checkPart(schema: z.ZodType, raw: unknown, path: string): Part {
  const parsed = schema.safeParse(raw)
  if (parsed.success) return { value: mergeUnknown(raw, parsed.data) }
  const problems = parsed.error.issues.filter(({ code }) => code !== 'unrecognized_keys')
  if (problems.length > 0) return { problems: problems.map((issue) => problemOf(issue, { raw, path })) }
  const again = schema.safeParse(withoutUnknown(raw, parsed.error.issues))
  if (again.success) return { value: mergeUnknown(raw, again.data) }
  return { problems: again.error.issues.map((issue) => problemOf(issue, { raw, path })) }
}

function problemOf(issue: $ZodIssue, { raw, path }: { raw: unknown; path: string }): FieldProblem {
  const steps = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  const message = tooManyDigits(valueAt(raw, stepsOf(issue)), issue) ?? issueText(issue)
  return { path: (path + steps.join('')).replace(/^\./, ''), message }
}

/** The problem of an integer that the API server holds in 64 bits, and that a `number` cannot hold. */
function tooManyDigits(value: unknown, issue: $ZodIssue): string | undefined {
  if (typeof value !== 'bigint' || !wantsNumber(issue)) return undefined
  const limit = value > 0n ? `most ${Number.MAX_SAFE_INTEGER}` : `least ${Number.MIN_SAFE_INTEGER}`
  return `must be at ${limit}`
}

function wantsNumber(issue: $ZodIssue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.some((variant) => variant.some(wantsNumber))
  return issue.code === 'invalid_type' && issue.expected === 'number'
}

const stepsOf = ({ path }: $ZodIssue) => path.map((step) => (typeof step === 'number' ? step : String(step)))

/**
 * A copy of a value without the fields that a strict object does not know: a newer version of the definition may have
 * them. Parts without such fields are not copied.
 */
function withoutUnknown(raw: unknown, issues: readonly $ZodIssue[]): unknown {
  const root = { value: raw }
  const copies = new Set<unknown>()
  const copied = (container: object, step: string | number): object => {
    const member = Object(memberOf(container, step))
    const copy = copies.has(member) ? member : Array.isArray(member) ? [...member] : { ...member }
    copies.add(copy)
    setMember(container, step, copy)
    return copy
  }
  for (const issue of issues) {
    const strict = ['value', ...stepsOf(issue)].reduce<object>(copied, root)
    for (const key of issue.code === 'unrecognized_keys' ? issue.keys : [])
      Reflect.deleteProperty(strict, key)
  }
  return root.value
}

/**
 * The parsed value over the raw one, so that fields that the schema does not know stay. It recurses as deep as the
 * schema: zod returns the value of an open field as it is, and a tenant may have nested that deeper than the stack.
 */
function mergeUnknown(raw: unknown, parsed: unknown): unknown {
  if (raw === parsed) return raw
  if (!isContainer(raw) || !isContainer(parsed)) return typeof raw === 'string' ? raw : (parsed ?? raw)
  if (Array.isArray(raw) && Array.isArray(parsed))
    return parsed.map((item, index) => mergeUnknown(raw[index], item))
  const parsedMembers = Object.entries(parsed).map(([name, value]) => [
    name,
    Object.hasOwn(raw, name) ? mergeUnknown(ownMember(raw, name), value) : value,
  ])
  return { ...raw, ...Object.fromEntries(parsedMembers) }
}
