import * as z from 'zod'
import { issueText } from '../../engine/kube/issue-text.js'

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

/** Reads the texts of an entry by a schema. */
export function readParameters<P>(
  schema: ParameterSchema<P>,
  texts: Readonly<Record<string, string>>,
): ReadParameters<P> {
  const read = schema.safeParse({ ...texts })
  if (read.success) return { ok: true, parameters: read.data }
  return { ok: false, problems: read.error.issues.flatMap((issue) => problemsOf(issue, texts)) }
}

/** The problems of an issue: zod reports all unknown members of an object in one, and each gets a path here. */
function problemsOf(issue: z.core.$ZodIssue, texts: Readonly<Record<string, string>>): ParameterProblem[] {
  const path = issue.path.map(String)
  const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path]
  return keys.map((key) => {
    const value = key[0] === undefined ? undefined : texts[key[0]]
    return { path: key, value: value ?? '', message: messageOf(issue, value) }
  })
}

/** The sentence about an issue. A parameter without a text is missing, whatever its schema expects. */
function messageOf(issue: z.core.$ZodIssue, value: string | undefined): string {
  if (issue.code === 'unrecognized_keys') return 'is not a parameter of this plugin'
  return value === undefined && issue.path.length === 1 ? 'is required; set it' : issueText(issue)
}

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
