import { ConfigError, type ConfigProblem } from './config-error.js'
import type { ConfigField } from './config-field.js'
import { unknownName } from './parse-config-schema.js'
import { valueProblem } from './value-problem.js'

/**
 * Checks the values of a configuration and fills in defaults. Throws a {@link ConfigError} with every mistake.
 *
 * @example
 * ```ts
 * const fields = parseConfigSchema([{ name: 'Replicas', alias: 'replicas', integer: { default: 1 } }])
 * checkConfig(fields, {}) // { replicas: 1 }
 * ```
 */
export function checkConfig(fields: readonly ConfigField[], values: unknown): Record<string, unknown> {
  const config = values ?? {}
  if (typeof config !== 'object' || Array.isArray(config))
    throw new ConfigError([{ path: 'config', message: 'must be an object' }])
  const checked = fields.map((field) => ({ field, ...checkOne(field, config as Record<string, unknown>) }))
  const problems = [
    ...checked.flatMap(({ problem }) => problem ?? []),
    ...unknownAliases(fields, Object.keys(config)),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.fromEntries(checked.map(({ field, value }) => [field.alias, value]))
}

/** The values of the secret fields of a checked configuration, as texts. */
export function secretTexts(
  fields: readonly ConfigField[],
  config: Readonly<Record<string, unknown>>,
): string[] {
  return fields
    .filter(({ spec }) => spec.secret)
    .flatMap(({ alias }) => config[alias])
    .filter((value): value is string => typeof value === 'string' && value !== '')
}

interface CheckResult {
  readonly value?: unknown
  readonly problem?: ConfigProblem
}

function checkOne(field: ConfigField, values: Record<string, unknown>): CheckResult {
  const { alias, spec } = field
  const path = `config.${alias}`
  const value = Object.hasOwn(values, alias) ? values[alias] : undefined
  const isGiven = value !== undefined && value !== null
  if (!isGiven && spec.required) return { problem: { path, message: 'is required; set it' } }
  if (isGiven && !spec.editable)
    return { problem: { path, message: 'must not be set, because it is not editable' } }
  const used = isGiven ? value : spec.default
  const message = valueProblem(field, used)
  if (!message) return { value: used }
  return { problem: { path, message: isGiven ? message : `is not set, and its default ${message}` } }
}

/** The most unknown values that are reported: the hint of each is searched among all fields. */
const maxUnknown = 20

function unknownAliases(fields: readonly ConfigField[], keys: readonly string[]): ConfigProblem[] {
  const aliases = [...new Set(fields.map(({ alias }) => alias))]
  const known = new Set(aliases)
  return keys
    .filter((key) => !known.has(key))
    .slice(0, maxUnknown)
    .map((key) => ({ path: 'config', message: unknownName('the value', key, aliases) }))
}
