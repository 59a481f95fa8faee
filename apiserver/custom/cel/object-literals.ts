/** The types of literals in mutations: an object, one of its parts by its path, or a step of a JSON patch. */
const typePattern = /^(Object(?:\.\w+)*|JSONPatch)\s*\{/
const word = /^[A-Za-z_][\w.]*/
const field = /^\s*([A-Za-z_]\w*)\s*:/
const stringPattern = /^[rRbB]{0,2}(?:""".*?"""|'''.*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/s
const open = '([{'
const close = ')]}'

/** A literal whose closing bracket is not written yet. */
interface OpenLiteral {
  readonly type: string
  /** The field whose value is being written. */
  field?: string | undefined
}

/** An expression with maps instead of literals of types. */
export interface MapLiterals {
  readonly text: string
  /** The error of a literal whose type is not the path of its field. */
  readonly mismatch?: string
  /** The offset in the original expression of an offset in the text. */
  offsetOf(offset: number): number
}

/**
 * Writes literals such as `Object.spec{replicas: 2}` as maps, `{"replicas": dyn(2)}`, because the CEL library has no
 * literals of types. Everything else stays as it is.
 */
export function withMapLiterals(expression: string): MapLiterals {
  const writer = new LiteralWriter(expression)
  writer.write()
  return writer
}

class LiteralWriter implements MapLiterals {
  readonly #expression: string
  /** `undefined` for a bracket that belongs to no literal. */
  readonly #brackets: (OpenLiteral | undefined)[] = []
  readonly #starts: { readonly written: number; readonly original: number }[] = []
  #position = 0
  text = ''
  mismatch?: string

  constructor(expression: string) {
    this.#expression = expression
  }

  offsetOf(offset: number): number {
    const start = this.#starts.findLast(({ written }) => written <= offset)
    return start === undefined ? offset : start.original + (offset - start.written)
  }

  write(): void {
    while (this.#position < this.#expression.length) {
      const rest = this.#expression.slice(this.#position)
      const token = nextToken(rest)
      const literal = this.#brackets.at(-1)
      if (token.kind === 'type') this.#begin(token)
      else if (token.kind === 'comma' && literal !== undefined) this.#nextField(literal, token.length)
      else if (token.kind === 'close') this.#end(token.length)
      else {
        if (token.kind === 'open') this.#brackets.push(undefined)
        this.#take(token.length)
      }
    }
  }

  #take(length: number, as = this.#expression.slice(this.#position, this.#position + length)): void {
    this.#starts.push({ written: this.text.length, original: this.#position })
    this.text += as
    this.#position += length
  }

  #begin({ type = '', length }: Token): void {
    this.#checkType(type)
    this.#take(length, '{')
    const literal: OpenLiteral = { type }
    this.#brackets.push(literal)
    this.#takeField(literal)
  }

  /** A literal inside of another one has the path of the field that it is in. */
  #checkType(type: string): void {
    const outer = this.#brackets.findLast((bracket) => bracket !== undefined)
    if (outer === undefined || outer.type === 'JSONPatch') return
    const expected = `${outer.type}.${outer.field}`
    if (type === expected) return
    const path = 'which matches field name path from root Object type'
    this.mismatch ??= `type mismatch: unexpected type name "${type}", expected "${expected}", ${path}`
  }

  #nextField(literal: OpenLiteral, length: number): void {
    this.#take(length, '), ')
    this.#takeField(literal)
  }

  /** The name of a field becomes a key, and its value dynamic, because the values of a map have one type. */
  #takeField(literal: OpenLiteral): void {
    const [matchedText, name] = field.exec(this.#expression.slice(this.#position)) ?? []
    if (matchedText === undefined) return
    literal.field = name
    this.#take(matchedText.length, `${JSON.stringify(name)}: dyn(`)
  }

  #end(length: number): void {
    const literal = this.#brackets.pop()
    // An empty literal has no value to end.
    this.#take(length, literal?.field === undefined ? undefined : ')}')
  }
}

interface Token {
  readonly kind: 'type' | 'comma' | 'open' | 'close' | 'other'
  readonly length: number
  readonly type?: string | undefined
}

function nextToken(text: string): Token {
  const first = text[0] ?? ''
  const [literal, type] = typePattern.exec(text) ?? []
  if (literal !== undefined) return { kind: 'type', length: literal.length, type }
  const other = stringPattern.exec(text)?.[0] ?? word.exec(text)?.[0]
  if (other !== undefined) return { kind: 'other', length: other.length }
  if (open.includes(first)) return { kind: 'open', length: 1 }
  if (close.includes(first)) return { kind: 'close', length: 1 }
  return { kind: first === ',' ? 'comma' : 'other', length: 1 }
}
