import { re2 } from '../../engine/kube/lazy-packages.js'
import type { ConfigField } from './config-field.js'

/** Why a value does not fit its field; undefined if it does. The value of a secret field is not quoted. */
export function valueProblem(field: ConfigField, value: unknown): string | undefined {
  const problem = problemOf(field, value)
  if (problem === undefined || field.spec.secret) return problem
  return `${problem}, got ${JSON.stringify(value)?.slice(0, 100)}`
}

function problemOf({ type, spec }: ConfigField, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? patternMismatch(spec.regex, value) : 'must be a text'
    case 'integer':
      return Number.isSafeInteger(value)
        ? boundsProblem(value as number, spec)
        : 'must be an integer of at most 2^53'
    case 'float':
      return Number.isFinite(value) ? boundsProblem(value as number, spec) : 'must be a finite number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'option':
      return typeof value === 'string' && spec.values.includes(value)
        ? undefined
        : `must be one of ${spec.values.join(', ')}`
    case 'multiple-options':
      return choiceProblem(spec, value)
  }
}

function boundsProblem(value: number, { min, max }: { min?: number | undefined; max?: number | undefined }) {
  if (min !== undefined && value < min) return `must be at least ${min}`
  if (max !== undefined && value > max) return `must be at most ${max}`
  return undefined
}

function choiceProblem(
  { values, min, max }: { values: string[]; min?: number | undefined; max?: number | undefined },
  value: unknown,
): string | undefined {
  if (!Array.isArray(value)) return 'must be a list'
  const allowed: ReadonlySet<unknown> = new Set(values)
  if (!value.every((one) => allowed.has(one))) return `must only have values of ${values.join(', ')}`
  if (new Set(value).size < value.length) return 'must not have a value twice'
  const problem = boundsProblem(value.length, { min, max })
  return problem && `${problem.replace('be', 'have')} values`
}

function patternMismatch(regex: string | undefined, value: string): string | undefined {
  if (regex === undefined || compile(regex).matcher(value).find()) return undefined
  return `must match ${regex}`
}

/** Why a pattern is not valid in RE2, which matches in linear time; undefined if the pattern is valid. */
export function regexProblem(regex: string): string | undefined {
  try {
    compile(regex)
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `is not a pattern of RE2 (${why}); write it without look-around and back-references`
  }
}

/** Loaded at the first pattern: most configurations have none. */
const compile = (regex: string) => re2().RE2JS.compile(regex)
