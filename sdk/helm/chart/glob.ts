import { ChartProblem } from './chart-problem.js'

/** Characters that have a meaning in a regular expression and none in a glob. */
const specialCharacters = /[.+^${}()|/]/

/**
 * Converts a pattern of Go's `filepath.Match` to a regular expression: `*` and `?` do not match `/`, `[a-z]` and
 * `[^a-z]` are sets, `\` takes the next character as it is. Throws {@link ChartProblem} for a pattern that Go refuses.
 */
export function globPattern(glob: string): RegExp {
  let text = ''
  for (let position = 0; position < glob.length; ) {
    const [part, next] = partAt(glob, position)
    // Two stars in a row mean the same as one; as one they cannot make the match slow.
    if (part !== '[^/]*' || !text.endsWith(part)) text += part
    position = next
  }
  return new RegExp(`^${text}$`, 'su')
}

function partAt(glob: string, position: number): [part: string, next: number] {
  const character = String.fromCodePoint(glob.codePointAt(position) ?? 0)
  const next = position + character.length
  if (character === '*') return ['[^/]*', next]
  if (character === '?') return ['[^/]', next]
  if (character === '[') return setAt(glob, next)
  if (character === '\\') return escapedAt(glob, next)
  return [escapeLiteral(character), next]
}

function escapeLiteral(character: string): string {
  return specialCharacters.test(character) || '*?[]\\'.includes(character) ? `\\${character}` : character
}

function escapedAt(glob: string, position: number): [string, number] {
  if (position >= glob.length) throw syntaxProblem(glob)
  const character = String.fromCodePoint(glob.codePointAt(position) ?? 0)
  return [escapeLiteral(character), position + character.length]
}

function setAt(glob: string, start: number): [string, number] {
  const negated = glob[start] === '^'
  let position = negated ? start + 1 : start
  let members = ''
  while (glob[position] !== ']' || members === '') {
    const [low, afterLow] = memberAt(glob, position)
    const isRange = glob[afterLow] === '-'
    const [high, after] = isRange ? memberAt(glob, afterLow + 1) : [low, afterLow]
    // Go matches nothing by a range in the wrong order, where a regular expression would be refused.
    if (codeOf(low) <= codeOf(high)) members += `\\u{${hex(low)}}-\\u{${hex(high)}}`
    else members += '\\u{0}-\\u{0}'
    position = after
  }
  return [negated ? `(?!/)[^${members}]` : `(?!/)[${members}]`, position + 1]
}

function memberAt(glob: string, start: number): [character: string, next: number] {
  const position = glob[start] === '\\' ? start + 1 : start
  const code = glob.codePointAt(position)
  const isBare = position === start && (glob[position] === '-' || glob[position] === ']')
  if (code === undefined || isBare) throw syntaxProblem(glob)
  const character = String.fromCodePoint(code)
  return [character, position + character.length]
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0
const hex = (character: string) => codeOf(character).toString(16)
const syntaxProblem = (glob: string) =>
  new ChartProblem(`the pattern ${JSON.stringify(glob)} is not complete`)
