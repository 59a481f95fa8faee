import { PluginError } from './error.js'
import {
  checkedRequirement,
  checkLabelKey,
  invalidSelectorError,
  type LabelRequirement,
} from './label-selector.js'

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
    if (tokens[at] !== ',')
      throw invalidSelectorError(`found '${tokens[at]}', expected: ',' or 'end of string'`)
    at++
    if (!isWord(tokens[at]) && tokens[at] !== '!') {
      throw invalidSelectorError(`found '${tokens[at] ?? ''}', expected: identifier after ','`)
    }
  }
  return requirements
}

interface ParsedRequirement {
  readonly requirement: LabelRequirement
  /** The index of the token after the requirement. */
  readonly next: number
}

function isWord(token: string | undefined): token is string {
  return token !== undefined && !/^[=!(),<>]/.test(token)
}

function readRequirement(tokens: readonly string[], start: number): ParsedRequirement {
  if (!isWord(tokens[start]) && tokens[start] !== '!') {
    throw invalidSelectorError(`found '${tokens[start]}', expected: !, identifier, or 'end of string'`)
  }
  try {
    return readChecked(tokens, start)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PluginError('INVALID_SELECTOR', `unable to parse requirement: ${reason}`, { cause: error })
  }
}

function readChecked(tokens: readonly string[], start: number): ParsedRequirement {
  const negated = tokens[start] === '!'
  const at = negated ? start + 1 : start
  const key = tokens[at]
  if (!isWord(key)) throw invalidSelectorError(`found '${key ?? ''}', expected: identifier`)
  checkLabelKey(key)
  const token = tokens[at + 1]
  if (negated || token === undefined || token === ',') {
    const operator = negated ? 'DoesNotExist' : 'Exists'
    return { requirement: checkedRequirement({ key, operator, values: [] }), next: at + 1 }
  }
  const operator = operators.get(token)
  if (operator === undefined) {
    throw invalidSelectorError(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`)
  }
  const isSet = token === 'in' || token === 'notin'
  const { values, next } = isSet ? readSet(tokens, at + 2) : readExactValue(tokens, at + 2)
  return { requirement: checkedRequirement({ key, operator, values }), next }
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
  if (!isWord(token)) throw invalidSelectorError(`found '${token}', expected: identifier`)
  return { values: [token], next: at + 1 }
}

/** Reads `(a, b)`; a missing value is the empty one, so `()`, `(,)` and `(a,)` all hold `''`. */
function readSet(tokens: readonly string[], start: number): Values {
  if (tokens[start] !== '(') throw invalidSelectorError(`found '${tokens[start] ?? ''}' expected: '('`)
  const values = new Set<string>()
  for (let at = start + 1; ; at++) {
    const token = tokens[at]
    values.add(isWord(token) ? token : '')
    if (isWord(token)) at++
    if (tokens[at] === ')') return { values: [...values].sort(), next: at + 1 }
    if (tokens[at] !== ',') throw invalidSelectorError(`found '${tokens[at] ?? ''}', expected: ',' or ')'`)
  }
}
