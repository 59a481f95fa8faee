import { ChartProblem } from './chart-problem.js'

/** A part of a pattern: a star, or a set of characters as ranges of their codes. Each set matches one character. */
type Part = '*' | CharacterSet

interface CharacterSet {
  readonly ranges: readonly (readonly [low: number, high: number])[]
  readonly isNegated: boolean
}

/**
 * A pattern of Go's `filepath.Match`: `*` and `?` do not match `/`, `[a-z]` and `[^a-z]` are sets, `\` takes the next
 * character as it is. A match takes at most as many steps as the product of both lengths: after a difference, only the
 * last star takes one more character.
 */
export class Glob {
  readonly #parts: readonly Part[]

  /** Throws {@link ChartProblem} for a pattern that Go refuses. */
  constructor(glob: string) {
    this.#parts = partsOf(glob)
  }

  /** Whether the pattern matches a whole text. `onSteps` is called with the number of compared ranges. */
  matches(text: string, onSteps: (count: number) => void): boolean {
    let [part, position] = [0, 0]
    /** The part after the last star, and the first character that the star leaves to it, for a difference. */
    let retry: { readonly part: number; position: number } | undefined
    for (;;) {
      const current = this.#parts[part]
      if (current === '*') {
        part++
        retry = { part, position }
        continue
      }
      if (position === text.length) return current === undefined
      onSteps(current?.ranges.length ?? 1)
      if (current && isIn(current, codeAt(text, position))) {
        part++
        position = after(text, position)
        continue
      }
      if (!retry || text[retry.position] === '/') return false
      retry.position = after(text, retry.position)
      ;({ part, position } = retry)
    }
  }
}

const codeAt = (text: string, position: number) => text.codePointAt(position) ?? 0
const after = (text: string, position: number) => position + (codeAt(text, position) > 0xffff ? 2 : 1)
const isIn = ({ ranges, isNegated }: CharacterSet, code: number) =>
  ranges.some(([low, high]) => low <= code && code <= high) !== isNegated

const slash = codeAt('/', 0)
const anyButSlash: CharacterSet = { ranges: [[slash, slash]], isNegated: true }

function partsOf(glob: string): Part[] {
  const parts: Part[] = []
  for (let position = 0; position < glob.length; ) {
    const [part, next] = partAt(glob, position)
    parts.push(part)
    position = next
  }
  return parts
}

function partAt(glob: string, position: number): [part: Part, next: number] {
  const character = glob[position]
  if (character === '*') return ['*', position + 1]
  if (character === '?') return [anyButSlash, position + 1]
  if (character === '[') return setAt(glob, position + 1)
  const start = character === '\\' ? position + 1 : position
  if (start === glob.length) throw syntaxProblem(glob)
  const code = codeAt(glob, start)
  return [{ ranges: [[code, code]], isNegated: false }, after(glob, start)]
}

function setAt(glob: string, start: number): [CharacterSet, number] {
  const isNegated = glob[start] === '^'
  const ranges: [low: number, high: number][] = []
  let position = isNegated ? start + 1 : start
  while (glob[position] !== ']' || ranges.length === 0) {
    const [low, afterLow] = memberAt(glob, position)
    const [high, next] = glob[afterLow] === '-' ? memberAt(glob, afterLow + 1) : [low, afterLow]
    ranges.push([low, high])
    position = next
  }
  return [{ ranges, isNegated }, position + 1]
}

function memberAt(glob: string, start: number): [code: number, next: number] {
  const position = glob[start] === '\\' ? start + 1 : start
  const isBare = position === start && (glob[position] === '-' || glob[position] === ']')
  if (position >= glob.length || isBare) throw syntaxProblem(glob)
  return [codeAt(glob, position), after(glob, position)]
}

const syntaxProblem = (glob: string) =>
  new ChartProblem(`the pattern ${JSON.stringify(glob)} is not complete`)
