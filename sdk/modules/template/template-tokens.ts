// The parts of a text with templates, and the tokens of one action. Text and actions are those of Go's text/template.

/** A part of a text: text itself, or an action between `{{` and `}}`. */
export type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'action'
      readonly source: string
      /** The number of the action in its text. */
      readonly actionIndex: number
    }

/** A text is not a template. */
export class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError'
}

const comment = /^\s*\/\*[\s\S]*\*\/\s*$/

/** Splits a text into its parts. `{{-` and `-}}` trim the text next to them; comments are left out. */
export function partsOf(text: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let isTrimmed = false
  let actionIndex = 0
  const addText = (part: string) => {
    const trimmed = isTrimmed ? part.trimStart() : part
    if (trimmed !== '') parts.push({ type: 'text', text: trimmed })
  }
  for (let from = 0; ; ) {
    const begin = text.indexOf('{{', from)
    if (begin < 0) {
      addText(text.slice(from))
      return parts
    }
    const end = endOfAction(text, begin + 2)
    let source = text.slice(begin + 2, end)
    const before = text.slice(from, begin)
    const trimsBefore = /^-\s/.test(source)
    addText(trimsBefore ? before.trimEnd() : before)
    if (trimsBefore) source = source.slice(1)
    isTrimmed = /\s-$/.test(source)
    if (isTrimmed) source = source.slice(0, -1)
    if (!comment.test(source)) parts.push({ type: 'action', source, actionIndex: actionIndex++ })
    from = end + 2
  }
}

const withStrings = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*("?)|`[^`]*`|\}\}/g
const withoutStrings = /`[^`]*`|\}\}|\n/g

/** The index of the `}}` that ends an action; those in strings do not. A string ends on its line. */
function endOfAction(text: string, from: number): number {
  /** Up to here, quotes have no end: they are escaped ones after an open quote. Users can write megabytes of them. */
  let openUntil = from
  for (let position = from; ; ) {
    const scan = position < openUntil ? withoutStrings : withStrings
    scan.lastIndex = position
    const match = scan.exec(text)
    if (!match) throw new TemplateSyntaxError('a template has no end: close it with }}')
    if (match[0] === '}}') return match.index
    const isOpen = match[1] === ''
    if (isOpen) openUntil = scan.lastIndex
    position = isOpen ? match.index + 1 : scan.lastIndex
  }
}

/** A token of an action. */
export type Token =
  | { readonly type: 'field'; readonly names: readonly string[] }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'value'; readonly value: string | number | boolean | null }
  | { readonly type: 'mark'; readonly mark: '(' | ')' | '|' }

const token =
  /\s*(?:(\$?(?:\.[A-Za-z_][\w-]*)+)|("(?:[^"\\\n]|\\.)*"|`[^`]*`)|(-?\d+(?:\.\d+)?)(?![\w.])|([A-Za-z_]\w*)|([()|]))/y
const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['nil', null],
])

/** The tokens of an action; undefined if it has others. */
export function tokensOf(source: string): Token[] | undefined {
  const text = source.trimEnd()
  const tokens: Token[] = []
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const match = token.exec(text)
    if (!match) return undefined
    const [, field, quoted, number, name, mark] = match
    const value = quoted === undefined ? undefined : stringOf(quoted)
    if (quoted !== undefined && value === undefined) return undefined
    if (field !== undefined) tokens.push({ type: 'field', names: field.replace('$', '').slice(1).split('.') })
    else if (value !== undefined) tokens.push({ type: 'value', value })
    else if (number !== undefined) tokens.push({ type: 'value', value: Number(number) })
    else if (name !== undefined) tokens.push(wordOf(name))
    else tokens.push({ type: 'mark', mark: mark as '(' | ')' | '|' })
  }
  return tokens
}

function wordOf(name: string): Token {
  const value = words.get(name)
  return value === undefined ? { type: 'name', name } : { type: 'value', value }
}

/** A string of Go: between backquotes as it is, else with the escapes that JSON has too. */
function stringOf(quoted: string): string | undefined {
  if (quoted.startsWith('`')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
