import { ApiError, PermanentError } from '../../engine/kube/error.js'
import type { Resource } from '../../engine/kube/resource.js'

/**
 * A controller wants an object or a status that no API server takes, whatever the cluster is like: only a change of the
 * program, or of the object that it reads, helps.
 */
export class IntentError extends PermanentError {
  override readonly name = 'IntentError'
  override readonly eventReason = 'Rejected'
}

/** Throws unless an apply was given an object: `dev` does not check the types of a controller. */
export function checkIsObject({ kind }: Resource, intent: unknown): void {
  const { metadata } = Object(intent) as { metadata?: unknown }
  if (typeof metadata === 'object' && metadata !== null) return
  const given = typeof intent === 'object' && intent !== null ? 'an object without metadata' : typeof intent
  throw new IntentError(
    `${kind} cannot be applied: ctx.apply got ${given}; pass an object with metadata.name`,
  )
}

/**
 * The error for an apply whose fields do not fit the schema of the API server; undefined for another error. API servers
 * answer 500 to it, as if they had failed.
 */
export function typedPatchError(what: string, error: unknown): IntentError | undefined {
  const problem = typedPatchProblem(error)
  if (problem === undefined) return undefined
  return new IntentError(
    `${what} cannot be applied: ${problem}; ${typedPatchCure(problem, 'the controller')}`,
    { cause: error },
  )
}

/** The fields of an apply that do not fit the schema of the API server; undefined for another error. */
export function typedPatchProblem(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  // Any server may answer, so a search for an absent end must not begin again.
  const { message } = error
  const start = message.indexOf('failed to create typed patch object (')
  const end = start < 0 ? -1 : message.indexOf('): ', start)
  return end < 0 ? undefined : withoutValues(message.slice(end + '): '.length))
}

/** The cure for problems of fields; `where` is what decides their values. */
export function typedPatchCure(problem: string, where: string): string {
  return problem.includes(undeclared)
    ? `correct the name of the field in ${where}, or install the definition that has it`
    : `correct it in ${where}`
}

const undeclared = 'is not in the schema'

/** The words of an API server for a type, and plain ones. */
const plainProblems: readonly (readonly [RegExp, string])[] = [
  [/: expected numeric \(int or float\)$/, ' must be a number'],
  [/: expected string$/, ' must be a string'],
  [/: expected boolean$/, ' must be true or false'],
  [/: expected list$/, ' must be a list'],
  [/: expected map$/, ' must be an object'],
  [/: field not declared in schema$/, ` ${undeclared}`],
]

const plainProblem = (problem: string) => {
  const [form, words] = plainProblems.find(([form]) => form.test(problem)) ?? []
  return (form && words ? problem.replace(form, words) : problem).replace(/^\./, '')
}

/** The problems of fields in one line. A value that was sent may be long, or secret. */
function withoutValues(problems: string): string {
  const lines = problems.replace(/^errors:\n/, '').split('\n')
  return lines.map((line) => plainProblem(line.trim().replace(/, got .*$/s, ''))).join('; ')
}

/** The first value within an object that is not JSON, as a sentence; undefined if there is none. */
export function nonJsonProblem(value: unknown, path = ''): string | undefined {
  const why = nonJson(value)
  if (why !== undefined) return `${path} is ${why}`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const memberPath = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    const problem = nonJsonProblem(member, memberPath)
    if (problem !== undefined) return problem
  }
  return undefined
}

function nonJson(value: unknown): string | undefined {
  if (value instanceof Date) return 'a Date: write text, for example date.toISOString()'
  if (value instanceof Map || value instanceof Set)
    return `a ${value.constructor.name}: write an object or a list`
  if (ArrayBuffer.isView(value)) return 'bytes: write text, for example in base64'
  if (value instanceof Promise) return 'a promise: await it'
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}: leave it out`
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}: write a number, or leave it out`
  return undefined
}
