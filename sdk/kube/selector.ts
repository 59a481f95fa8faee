import { PluginError } from './error.js'
import { labelKeyProblems, labelValueProblems } from './label-syntax.js'

/**
 * Label and field selectors, as objects carry them and as the API's query parameters write them: read,
 * checked, written and matched with the API server's own rules and words, in linear time.
 *
 * See https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */

/** A `meta/v1 LabelSelector`: every label and every expression must hold; an empty one selects everything. */
export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: LabelSelectorExpression[]
}

/** One expression of a {@link LabelSelector}. */
export interface LabelSelectorExpression {
  key: string
  operator: string
  values?: string[]
}

/** What an object's labels must fulfil; `=` and `==` are `In`, `!=` is `NotIn`, each with one value. */
export interface LabelRequirement {
  readonly key: string
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'
  readonly values: readonly string[]
}

/** What one field of an object must fulfil. */
export interface FieldRequirement {
  /** A path such as `metadata.name`. */
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

const invalid = (message: string) => new PluginError('INVALID_SELECTOR', message)

const INTEGER = /^[+-]?[0-9]{1,19}$/

/** Problems as Go joins them: one as it is, several in brackets. */
function thrown(problems: readonly string[]): PluginError {
  return invalid(problems.length === 1 ? String(problems[0]) : `[${problems.join(', ')}]`)
}

function wrongKey(key: string): string[] {
  const problems = labelKeyProblems(key)
  // The API server names no field where there is no object around the selector.
  return problems.length === 0 ? [] : [`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`]
}

function wrongValues({ key, operator, values }: LabelRequirement): string[] {
  const wrong = (field: string, value: string, why: string) =>
    `${field}: Invalid value: ${JSON.stringify(value)}: ${why}`
  const noNumbers = isComparison(operator)
    ? values.flatMap((value, index) =>
        INTEGER.test(value)
          ? []
          : [wrong(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")],
      )
    : []
  const noValues = values.flatMap((value, index) => {
    const problems = labelValueProblems(value)
    return problems.length === 0 ? [] : [wrong(`values[${index}][${key}]`, value, problems.join('; '))]
  })
  return [...noNumbers, ...noValues]
}

const isComparison = (operator: LabelRequirement['operator']) => operator === 'Gt' || operator === 'Lt'

/** Checks a requirement as the API server does and gives it back; throws a `PluginError` (`INVALID_SELECTOR`). */
function checked(requirement: LabelRequirement): LabelRequirement {
  const { key, operator, values } = requirement
  const takesNone = operator === 'Exists' || operator === 'DoesNotExist'
  const shown = `values: Invalid value: ${JSON.stringify(values)}`
  const problems = [
    ...wrongKey(key),
    ...(takesNone && values.length > 0
      ? [`${shown}: values set must be empty for exists and does not exist`]
      : []),
    ...(!takesNone && values.length === 0
      ? [`${shown}: for 'in', 'notin' operators, values set can't be empty`]
      : []),
    ...wrongValues(requirement),
  ]
  if (problems.length > 0) throw thrown(problems)
  return requirement
}

/** The requirements of a selector object. Throws a `PluginError` (`INVALID_SELECTOR`) for an unknown operator. */
export function labelSelectorRequirements(selector: LabelSelector = {}): LabelRequirement[] {
  const fromLabels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) =>
    checked({ key, operator: 'In', values: [value] }),
  )
  return [...fromLabels, ...(selector.matchExpressions ?? []).map(fromExpression)]
}

function fromExpression({ key, operator, values = [] }: LabelSelectorExpression): LabelRequirement {
  switch (operator) {
    case 'In':
    case 'NotIn':
    case 'Exists':
    case 'DoesNotExist':
      return checked({ key, operator, values })
    default:
      throw invalid(`"${operator}" is not a valid label selector operator`)
  }
}

/** Whether labels fulfil every requirement. */
export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> = {},
): boolean {
  return requirements.every((requirement) => {
    // Own members only: `constructor` is a valid label key.
    const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined
    return fulfils(requirement, value)
  })
}

function fulfils({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return compareIntegers(value, values[0]) === 1
    case 'Lt':
      return compareIntegers(value, values[0]) === -1
  }
}

function compareIntegers(left = '', right = ''): number | undefined {
  if (!INTEGER.test(left) || !INTEGER.test(right)) return undefined
  const difference = BigInt(left) - BigInt(right)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

/** The requirements as a `labelSelector` query parameter (not URL-encoded); `''` selects everything. */
export function formatLabelSelector(requirements: readonly LabelRequirement[]): string {
  return requirements.map(formatRequirement).join(',')
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${[...values].sort().join(',')})`
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${[...values].sort().join(',')})`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'Gt':
      return `${key}>${values[0]}`
    case 'Lt':
      return `${key}<${values[0]}`
  }
}

/**
 * Reads a `labelSelector` query parameter, for example `app=web,tier in (a, b),!canary`. Throws a
 * `PluginError` (`INVALID_SELECTOR`) in the API server's words.
 *
 * The grammar is that of `labels.Parse` in k8s.io/apimachinery.
 */
export function parseLabelSelector(text: string): LabelRequirement[] {
  const tokens = text.match(/[^\s=!(),<>]+|==|!=|[=!(),<>]/g) ?? []
  const requirements: LabelRequirement[] = []
  for (let at = 0; at < tokens.length; ) {
    const { requirement, next } = readRequirement(tokens, at)
    requirements.push(requirement)
    at = next
    if (at === tokens.length) break
    if (tokens[at] !== ',') throw invalid(`found '${tokens[at]}', expected: ',' or 'end of string'`)
    at++
    if (!isWord(tokens[at]) && tokens[at] !== '!') {
      throw invalid(`found '${tokens[at] ?? ''}', expected: identifier after ','`)
    }
  }
  return requirements
}

interface Read {
  readonly requirement: LabelRequirement
  /** Where the token after the requirement stands. */
  readonly next: number
}

function isWord(token: string | undefined): token is string {
  return token !== undefined && !/^[=!(),<>]/.test(token)
}

function readRequirement(tokens: readonly string[], start: number): Read {
  if (!isWord(tokens[start]) && tokens[start] !== '!') {
    throw invalid(`found '${tokens[start]}', expected: !, identifier, or 'end of string'`)
  }
  try {
    return readChecked(tokens, start)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PluginError('INVALID_SELECTOR', `unable to parse requirement: ${reason}`, { cause: error })
  }
}

function readChecked(tokens: readonly string[], start: number): Read {
  const negated = tokens[start] === '!'
  const at = negated ? start + 1 : start
  const key = tokens[at]
  if (!isWord(key)) throw invalid(`found '${key ?? ''}', expected: identifier`)
  const problems = wrongKey(key)
  if (problems.length > 0) throw thrown(problems)
  const token = tokens[at + 1]
  if (negated || token === undefined || token === ',') {
    const operator = negated ? 'DoesNotExist' : 'Exists'
    return { requirement: checked({ key, operator, values: [] }), next: at + 1 }
  }
  const operator = operators.get(token)
  if (operator === undefined) {
    throw invalid(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`)
  }
  const isSet = token === 'in' || token === 'notin'
  const { values, next } = isSet ? readSet(tokens, at + 2) : readExactValue(tokens, at + 2)
  return { requirement: checked({ key, operator, values }), next }
}

const operators = new Map<string, LabelRequirement['operator']>([
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['>', 'Gt'],
  ['<', 'Lt'],
])

interface Values {
  readonly values: string[]
  readonly next: number
}

function readExactValue(tokens: readonly string[], at: number): Values {
  const token = tokens[at]
  if (token === undefined || token === ',') return { values: [''], next: at }
  if (!isWord(token)) throw invalid(`found '${token}', expected: identifier`)
  return { values: [token], next: at + 1 }
}

/** Reads `(a, b)`; a missing value is the empty one, so `()`, `(,)` and `(a,)` all hold `''`. */
function readSet(tokens: readonly string[], start: number): Values {
  if (tokens[start] !== '(') throw invalid(`found '${tokens[start] ?? ''}' expected: '('`)
  const values = new Set<string>()
  for (let at = start + 1; ; at++) {
    const token = tokens[at]
    values.add(isWord(token) ? token : '')
    if (isWord(token)) at++
    if (tokens[at] === ')') return { values: [...values].sort(), next: at + 1 }
    if (tokens[at] !== ',') throw invalid(`found '${tokens[at] ?? ''}', expected: ',' or ')'`)
  }
}

/**
 * Reads a `fieldSelector` query parameter, for example `metadata.name=a,status.phase!=Running`; `\,`, `\=`
 * and `\\` stand for themselves in a value. Throws a `PluginError` (`INVALID_SELECTOR`).
 *
 * See https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const terms = text.match(/(?:[^\\,]|\\[\s\S]?)+/g) ?? []
  return terms.map((term) => parseFieldTerm(text, term))
}

function parseFieldTerm(text: string, term: string): FieldRequirement {
  const operator = /!=|==?/.exec(term)
  if (operator === null) throw invalid(`invalid selector: '${text}'; can't understand '${term}'`)
  return {
    field: term.slice(0, operator.index),
    operator: operator[0] === '!=' ? '!=' : '=',
    value: unescapeValue(term.slice(operator.index + operator[0].length)),
  }
}

/** The API server prints the character as its number. */
const CODE_OF_EQUALS = '='.charCodeAt(0)

function unescapeValue(escaped: string): string {
  return escaped.replace(/\\[\s\S]?|=/g, (found) => {
    if (found === '=')
      throw invalid(`invalid field selector: unescaped character in value: ${CODE_OF_EQUALS}`)
    if (!['\\\\', '\\,', '\\='].includes(found)) {
      throw invalid(`invalid field selector: invalid escape sequence: ${found}`)
    }
    return found.slice(1)
  })
}

/** Whether an object fulfils every requirement; `get` answers a path's value, and no value is the empty one. */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  get: (field: string) => string | undefined,
): boolean {
  return requirements.every(
    ({ field, operator, value }) => ((get(field) ?? '') === value) === (operator === '='),
  )
}
