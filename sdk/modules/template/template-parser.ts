// Reads a text with templates: fields, literals, calls of functions in pipelines, and `if`.
import { partsOf, type TemplatePart, TemplateSyntaxError, type Token, tokensOf } from './template-tokens.js'

/** An expression of a template. */
export type Expression =
  | { readonly type: 'field'; readonly names: readonly string[] }
  | { readonly type: 'value'; readonly value: string | number | boolean | null }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }

/** A part of a template. */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'output'
      readonly expression: Expression
      readonly source: string
      readonly actionIndex: number
    }
  | {
      readonly type: 'if'
      readonly condition: Expression
      readonly source: string
      readonly actionIndex: number
      readonly then: readonly TemplateNode[]
      readonly otherwise: readonly TemplateNode[]
    }

/** How deep conditions and parentheses may be nested. */
const maxNesting = 32

/** Reads a text. Throws a {@link TemplateSyntaxError} that quotes the action that is not known. */
export function parseTemplate(text: string): TemplateNode[] {
  const reader = new NodeReader(partsOf(text))
  const nodes = reader.nodes(0)
  if (reader.next) throw unsupportedError(reader.next, 'it is outside of an if')
  return nodes
}

type Action = Extract<TemplatePart, { type: 'action' }>
const keywordOf = ({ source }: Action) =>
  /^\s*(if|else|end|range|with|define|template|block|break|continue)\b/.exec(source)?.[1]

class NodeReader {
  readonly #parts: readonly TemplatePart[]
  #position = 0

  constructor(parts: readonly TemplatePart[]) {
    this.#parts = parts
  }

  /** The action that ended the list of nodes that was read last. */
  get next(): Action | undefined {
    const part = this.#parts[this.#position]
    return part?.type === 'action' ? part : undefined
  }

  /** Reads up to an `else` or `end`. */
  nodes(depth: number): TemplateNode[] {
    const nodes: TemplateNode[] = []
    for (;;) {
      const part = this.#parts[this.#position]
      if (!part) return nodes
      if (part.type === 'text') nodes.push(part)
      else {
        const keyword = keywordOf(part)
        if (keyword === 'else' || keyword === 'end') return nodes
        if (keyword === 'if') {
          nodes.push(this.#condition(part, /^\s*if\b/, depth))
          continue
        }
        if (keyword)
          throw unsupportedError(part, `${keyword} is not supported; use if, or write out the values`)
        nodes.push({
          type: 'output',
          expression: readExpression(part, part.source),
          source: part.source,
          actionIndex: part.actionIndex,
        })
      }
      this.#position++
    }
  }

  #condition(part: Action, keyword: RegExp, depth: number): TemplateNode {
    if (depth === maxNesting) throw unsupportedError(part, `more than ${maxNesting} conditions are nested`)
    const condition = readExpression(part, part.source.replace(keyword, ''))
    this.#position++
    const then = this.nodes(depth + 1)
    const otherwise = this.#readElse(part, depth)
    return { type: 'if', condition, source: part.source, actionIndex: part.actionIndex, then, otherwise }
  }

  #readElse(begin: Action, depth: number): TemplateNode[] {
    const { next } = this
    if (!next) throw unsupportedError(begin, 'its if has no {{ end }}')
    if (/^\s*else\s+if\b/.test(next.source)) return [this.#condition(next, /^\s*else\s+if\b/, depth + 1)]
    this.#position++
    if (keywordOf(next) === 'end') return []
    if (!/^\s*else\s*$/.test(next.source)) throw unsupportedError(next, 'write {{ else }} or {{ else if … }}')
    const nodes = this.nodes(depth + 1)
    if (!this.next || keywordOf(this.next) !== 'end') throw unsupportedError(begin, 'its if has no {{ end }}')
    this.#position++
    return nodes
  }
}

function readExpression(part: Action, source: string): Expression {
  const tokens = tokensOf(source)
  if (!tokens) throw unsupportedError(part)
  const reader = new ExpressionReader(part, tokens)
  const expression = reader.pipeline(0)
  if (reader.token) throw unsupportedError(part)
  return expression
}

class ExpressionReader {
  readonly #part: Action
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(part: Action, tokens: readonly Token[]) {
    this.#part = part
    this.#tokens = tokens
  }

  get token(): Token | undefined {
    return this.#tokens[this.#position]
  }

  /** Commands with `|` between them: each result is the last argument of the next one. */
  pipeline(depth: number): Expression {
    let result = this.#command(depth)
    while (this.#is('|')) {
      this.#position++
      const next = this.#command(depth)
      if (next.type !== 'call') throw unsupportedError(this.#part, 'a function follows |')
      result = { ...next, args: [...next.args, result] }
    }
    return result
  }

  #command(depth: number): Expression {
    const { token } = this
    if (token?.type !== 'name') return this.#operand(depth)
    this.#position++
    const args: Expression[] = []
    while (this.token && !this.#is('|') && !this.#is(')')) args.push(this.#operand(depth))
    return { type: 'call', name: token.name, args }
  }

  #operand(depth: number): Expression {
    const { token } = this
    this.#position++
    if (token?.type === 'field' || token?.type === 'value') return token
    if (token?.type === 'name') return { type: 'call', name: token.name, args: [] }
    if (token?.mark !== '(') throw unsupportedError(this.#part)
    if (depth === maxNesting)
      throw unsupportedError(this.#part, `more than ${maxNesting} parentheses are nested`)
    const inner = this.pipeline(depth + 1)
    if (!this.#is(')')) throw unsupportedError(this.#part, 'a parenthesis is not closed')
    this.#position++
    return inner
  }

  #is(mark: string): boolean {
    return this.token?.type === 'mark' && this.token.mark === mark
  }
}

function unsupportedError({ source }: Action, why?: string): TemplateSyntaxError {
  return new TemplateSyntaxError(
    `the template {{${source.slice(0, 100)}}} is unknown${why === undefined ? '' : `: ${why}`}`,
  )
}
