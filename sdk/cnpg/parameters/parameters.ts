import * as z from 'zod'
import { issueText } from '../../engine/kube/issue-text.js'
import { nearestName } from '../../engine/kube/nearest-name.js'

/** A parameter that does not fit the schema. */
export interface ParameterProblem {
  /** The path below `parameters`, for example `['labels', 'team']`. */
  readonly path: readonly string[]
  /** The text of the parameter in the Cluster; empty if it is absent. */
  readonly value: string
  readonly message: string
}

/** Parameters that were read. */
export type ReadParameters<P> =
  | { readonly ok: true; readonly parameters: P }
  | { readonly ok: false; readonly problems: readonly ParameterProblem[] }

/** A schema of parameters: every input is a text or absent. */
export type ParameterSchema<P> = z.ZodType<P>

/** The most problems that are reported one by one: users write the parameters, and there may be very many. */
const maxProblems = 20

/**
 * Reads the texts of an entry by a schema. With more than 20 problems, the last one says how many there are in
 * addition.
 */
export function readParameters<P>(
  schema: ParameterSchema<P>,
  texts: Readonly<Record<string, string>>,
): ReadParameters<P> {
  const read = schema.safeParse({ ...texts })
  if (read.success) return { ok: true, parameters: read.data }
  const mistakes = read.error.issues.flatMap(mistakesOf)
  const names = parameterNames(schema)
  const problems = mistakes.slice(0, maxProblems).map((one) => problemOf(one, texts, names))
  const left = mistakes.length - problems.length
  if (left > 0)
    problems.push({
      path: [],
      value: '',
      message: `${left} more problems are not shown; correct these first`,
    })
  return { ok: false, problems }
}

/** A mistake in one parameter. */
interface Mistake {
  readonly path: readonly string[]
  readonly issue: z.core.$ZodIssue
}

/** The mistakes of an issue: zod reports all unknown members of an object in one, and each is one here. */
function mistakesOf(issue: z.core.$ZodIssue): Mistake[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ path, issue }]
  return issue.keys.map((key) => ({ path: [...path, key], issue }))
}

function problemOf(
  { path, issue }: Mistake,
  texts: Readonly<Record<string, string>>,
  names: readonly string[],
): ParameterProblem {
  const value = path[0] === undefined ? undefined : texts[path[0]]
  const message = issue.code === 'unrecognized_keys' ? unknownParameter(path, names) : messageOf(issue, value)
  return { path, value: value ?? '', message }
}

/** The sentence about an issue. A parameter without a text is missing, whatever its schema expects. */
function messageOf(issue: z.core.$ZodIssue, value: string | undefined): string {
  return value === undefined && issue.path.length === 1 ? 'is required; set it' : issueText(issue)
}

/** The number of changed letters up to which a name counts as a misspelling of a known one. */
const maxTypos = 2

/** The sentence about an unknown parameter, with the one that was probably meant, or else with all that there are. */
function unknownParameter([name = '', ...within]: readonly string[], names: readonly string[]): string {
  if (within.length > 0 || names.length === 0) return 'is not a parameter of this plugin (remove it)'
  const maxLength = Math.max(...names.map((one) => one.length)) + maxTypos
  const nearest = name.length > maxLength ? undefined : nearestName(name, names)
  return nearest && nearest.distance <= maxTypos
    ? `is not a parameter of this plugin (did you mean ${nearest.name}?)`
    : `is not a parameter of this plugin (it has ${names.join(', ')})`
}

/** The names of the parameters in a schema; none if it is not a plain object. */
const parameterNames = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

/** Parameters as texts again, the defaults included. Throws a `TypeError` if a value has no text form. */
export function writeParameters<P>(schema: ParameterSchema<P>, parameters: P): Record<string, string> {
  const encoded = z.encode(schema, parameters) as Record<string, unknown>
  const written = Object.entries(encoded).filter(([, value]) => value !== undefined)
  return Object.fromEntries(written.map(([name, value]) => [name, textOf(name, value)]))
}

/** The text of a parameter's value, as a Cluster has it. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  throw new TypeError(`parameter ${name} has no text form: declare it with jsonText(…)`)
}
