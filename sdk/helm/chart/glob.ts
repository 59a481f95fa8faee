import { ChartProblem } from './chart-problem.js'

/** Characters that have a meaning in a regular expression and none in a glob. */
const specialCharacters = /[.+^${}()|/]/

/**
 * Converts a pattern of Go's `filepath.Match` to a regular expression: `*` and `?` do not match `/`, `[a-z]` and
 * `[^a-z]` are sets, `\` takes the next character as it is. Throws {@link ChartProblem} for a pattern that Go refuses.
 */
export function globPattern(glob: string): RegExp {
  let text = ''
  for (let at = 0; at < glob.length; ) {
    const [part, next] = partAt(glob, at)
    // Two stars in a row mean the same as one; as one they cannot make the match slow.
    if (part !== '[^/]*' || !text.endsWith(part)) text += part
    at = next
  }
  return new RegExp(`^${text}$`, 'su')
}

function partAt(glob: string, at: number): [part: string, next: number] {
  const character = String.fromCodePoint(glob.codePointAt(at) ?? 0)
  const next = at + character.length
  if (character === '*') return ['[^/]*', next]
  if (character === '?') return ['[^/]', next]
  if (character === '[') return setAt(glob, next)
  if (character === '\\') return escapedAt(glob, next)
  return [escapeLiteral(character), next]
}

function escapeLiteral(character: string): string {
  return specialCharacters.test(character) || '*?[]\\'.includes(character) ? `\\${character}` : character
}

function escapedAt(glob: string, at: number): [string, number] {
  if (at >= glob.length) throw syntaxProblem(glob)
  const character = String.fromCodePoint(glob.codePointAt(at) ?? 0)
  return [escapeLiteral(character), at + character.length]
}

function setAt(glob: string, start: number): [string, number] {
  const negated = glob[start] === '^'
  let at = negated ? start + 1 : start
  let members = ''
  while (glob[at] !== ']' || members === '') {
    const [low, afterLow] = memberAt(glob, at)
    const isRange = glob[afterLow] === '-'
    const [high, after] = isRange ? memberAt(glob, afterLow + 1) : [low, afterLow]
    // Go matches nothing by a range in the wrong order, where a regular expression would be refused.
    if (codeOf(low) <= codeOf(high)) members += `\\u{${hex(low)}}-\\u{${hex(high)}}`
    else members += '\\u{0}-\\u{0}'
    at = after
  }
  return [negated ? `(?!/)[^${members}]` : `(?!/)[${members}]`, at + 1]
}

function memberAt(glob: string, start: number): [character: string, next: number] {
  const at = glob[start] === '\\' ? start + 1 : start
  const code = glob.codePointAt(at)
  const isBare = at === start && (glob[at] === '-' || glob[at] === ']')
  if (code === undefined || isBare) throw syntaxProblem(glob)
  const character = String.fromCodePoint(code)
  return [character, at + character.length]
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0
const hex = (character: string) => codeOf(character).toString(16)
const syntaxProblem = (glob: string) =>
  new ChartProblem(`the pattern ${JSON.stringify(glob)} is not complete`)
