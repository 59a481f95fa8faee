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
  for (let index = 0; index < tokens.length; ) {
    const { requirement, next } = readRequirement(tokens, index)
    requirements.push(requirement)
    index = next
    if (index === tokens.length) break
    if (tokens[index] !== ',')
      throw invalidSelectorError(`found '${tokens[index]}', expected: ',' or 'end of string'`)
    index++
    if (!isWord(tokens[index]) && tokens[index] !== '!') {
      throw invalidSelectorError(`found '${tokens[index] ?? ''}', expected: identifier after ','`)
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
  const keyIndex = negated ? start + 1 : start
  const key = tokens[keyIndex]
  if (!isWord(key)) throw invalidSelectorError(`found '${key ?? ''}', expected: identifier`)
  checkLabelKey(key)
  const token = tokens[keyIndex + 1]
  if (negated || token === undefined || token === ',') {
    const operator = negated ? 'DoesNotExist' : 'Exists'
    return { requirement: checkedRequirement({ key, operator, values: [] }), next: keyIndex + 1 }
  }
  const operator = operators.get(token)
  if (operator === undefined) {
    throw invalidSelectorError(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`)
  }
  const isSet = token === 'in' || token === 'notin'
  const { values, next } = isSet ? readSet(tokens, keyIndex + 2) : readExactValue(tokens, keyIndex + 2)
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

function readExactValue(tokens: readonly string[], index: number): Values {
  const token = tokens[index]
  if (token === undefined || token === ',') return { values: [''], next: index }
  if (!isWord(token)) throw invalidSelectorError(`found '${token}', expected: identifier`)
  return { values: [token], next: index + 1 }
}

/** Reads `(a, b)`; a missing value is the empty one, so `()`, `(,)` and `(a,)` all hold `''`. */
function readSet(tokens: readonly string[], start: number): Values {
  if (tokens[start] !== '(') throw invalidSelectorError(`found '${tokens[start] ?? ''}' expected: '('`)
  const values = new Set<string>()
  for (let index = start + 1; ; index++) {
    const token = tokens[index]
    values.add(isWord(token) ? token : '')
    if (isWord(token)) index++
    if (tokens[index] === ')') return { values: [...values].sort(), next: index + 1 }
    if (tokens[index] !== ',')
      throw invalidSelectorError(`found '${tokens[index] ?? ''}', expected: ',' or ')'`)
  }
}
