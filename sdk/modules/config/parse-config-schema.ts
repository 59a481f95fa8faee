// The schema of a configuration in both spellings: { name, alias, <type>: {…} } and { type, name, alias, spec }.
import { nearestName } from '../../engine/kube/nearest-name.js'
import { ConfigError, type ConfigProblem } from './config-error.js'
import { type ConfigField, type ConfigType, fieldSpecs } from './config-field.js'
import { regexProblem, valueProblem } from './value-problem.js'

const types = Object.keys(fieldSpecs) as ConfigType[]

/** The types by their names in both spellings. */
const typeNames: Readonly<Record<string, ConfigType>> = {
  ...Object.fromEntries(types.map((type) => [type, type])),
  multipleOptions: 'multiple-options',
}

/**
 * Reads the schema of a configuration. Throws a {@link ConfigError} with every mistake: also patterns that RE2 does not
 * have, and defaults that do not fit.
 *
 * @example
 * ```ts
 * const fields = parseConfigSchema([{ name: 'Replicas', alias: 'replicas', integer: { min: 1, default: 1 } }])
 * ```
 */
export function parseConfigSchema(entries: unknown, path = 'config'): ConfigField[] {
  if (entries === undefined || entries === null) return []
  if (!Array.isArray(entries)) throw new ConfigError([{ path, message: 'must be a list' }])
  const problems: ConfigProblem[] = []
  const fields = entries.flatMap((entry, index) => {
    const read = readEntry(entry, `${path}[${index}]`)
    problems.push(...read.problems)
    return read.field ?? []
  })
  problems.push(...duplicateProblems(fields, path))
  if (problems.length > 0) throw new ConfigError(problems)
  return fields
}

interface EntryResult {
  readonly field?: ConfigField
  readonly problems: readonly ConfigProblem[]
}

function readEntry(entry: unknown, path: string): EntryResult {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return { problems: [{ path, message: 'must be an object with name, alias and a type' }] }
  const { name, alias, type, spec, ...others } = entry as Record<string, unknown>
  const problems = [...textProblem(path, 'name', name), ...textProblem(path, 'alias', alias)]
  const typed = typeOf({ type, spec, others }, path)
  if ('message' in typed) return { problems: [...problems, typed] }
  const read = readSpec({ name: String(name), alias: String(alias) }, typed)
  return { ...read, problems: [...problems, ...read.problems] }
}

const textProblem = (path: string, member: string, value: unknown): ConfigProblem[] =>
  typeof value === 'string' && value !== ''
    ? []
    : [{ path: `${path}.${member}`, message: 'must be a text that is not empty' }]

interface TypedSpec {
  readonly type: ConfigType
  readonly spec: unknown
  readonly path: string
}

function typeOf(
  { type, spec, others }: { type: unknown; spec: unknown; others: Record<string, unknown> },
  path: string,
): TypedSpec | ConfigProblem {
  const [member, ...more] = Object.keys(others)
  const isNamed = type !== undefined
  if (isNamed ? member !== undefined : member === undefined || more.length > 0)
    return { path, message: `must have exactly one type of ${types.join(', ')}` }
  const name = isNamed ? String(type) : String(member)
  const typeName = Object.hasOwn(typeNames, name) ? typeNames[name] : undefined
  if (!typeName) return { path, message: unknownName('the type', name, Object.keys(typeNames)) }
  return isNamed
    ? { type: typeName, spec, path: `${path}.spec` }
    : { type: typeName, spec: others[name], path: `${path}.${name}` }
}

function readSpec(names: Pick<ConfigField, 'name' | 'alias'>, { type, spec, path }: TypedSpec): EntryResult {
  const specOrEmpty = spec ?? {}
  const { data, error } = fieldSpecs[type].safeParse(specOrEmpty)
  if (error)
    return {
      problems: error.issues.map(({ path: within, message }) => ({
        path: [path, ...within.map(String)].join('.'),
        message: `is wrong: ${message}`,
      })),
    }
  const field = { ...names, type, spec: data } as ConfigField
  return { field, problems: ruleProblems(field, path, Object.hasOwn(specOrEmpty, 'default')) }
}

/**
 * The contradictions between the rules of a field. A default that the schema does not give is checked only if it is
 * used.
 */
function ruleProblems(field: ConfigField, path: string, hasDefault: boolean): ConfigProblem[] {
  const { regex, min, max } = field.spec as { regex?: string; min?: number; max?: number }
  const why = regex === undefined ? undefined : regexProblem(regex)
  if (why) return [{ path: `${path}.regex`, message: why }]
  if (min !== undefined && max !== undefined && min > max)
    return [{ path: `${path}.min`, message: `must be at most max, which is ${max}, got ${min}` }]
  const problem = hasDefault ? valueProblem(field, field.spec.default) : undefined
  return problem ? [{ path: `${path}.default`, message: problem }] : []
}

function duplicateProblems(fields: readonly ConfigField[], path: string): ConfigProblem[] {
  const aliases = new Set<string>()
  const repeatedAliases = new Set<string>()
  for (const { alias } of fields) (aliases.has(alias) ? repeatedAliases : aliases).add(alias)
  return [...repeatedAliases].map((alias) => ({
    path,
    message: `has the alias ${JSON.stringify(alias)} twice`,
  }))
}

/** The longest names and the most of them that are compared letter by letter: users write both sides. */
const maxComparedLength = 64
const maxCompared = 1_000

/** A sentence about an unknown name, with the nearest known name. */
export function unknownName(what: string, name: string, knownNames: readonly string[]): string {
  const isComparable = ({ length }: string) => length <= maxComparedLength
  const candidates = isComparable(name) ? knownNames.filter(isComparable).slice(0, maxCompared) : []
  const nearest = nearestName(name, candidates)
  const hint = nearest && nearest.distance <= 3 ? `; did you mean ${nearest.name}?` : ''
  return `has ${what} ${JSON.stringify(name)}, which is unknown${hint}`
}
