/**
 * A text that matches a pattern; `undefined` if none can be made. Of alternatives, `variant` 1 takes the first and 2
 * the second. Repeated and optional parts are as short as possible.
 */
export function patternExample(pattern: string, variant: 1 | 2): string | undefined {
  try {
    const text = new PatternReader(pattern, variant).alternatives()
    return new RegExp(pattern).test(text) ? text : undefined
  } catch {
    // The pattern is not supported here; the caller handles a missing text.
    return undefined
  }
}

/** Two characters of each class such as `\d`, one for each variant. */
const classExamples: Readonly<Record<string, [string, string]>> = {
  d: ['1', '2'],
  w: ['a', 'b'],
  s: [' ', ' '],
  D: ['a', 'b'],
  S: ['a', 'b'],
  W: ['-', '.'],
}

/** Reads a pattern from left to right and builds an example. */
class PatternReader {
  readonly #pattern: string
  readonly #variant: 1 | 2
  #position = 0

  constructor(pattern: string, variant: 1 | 2) {
    this.#pattern = pattern
    this.#variant = variant
  }

  alternatives(): string {
    const alternatives = [this.#sequence()]
    while (this.#consume('|')) alternatives.push(this.#sequence())
    return alternatives[Math.min(this.#variant, alternatives.length) - 1] ?? ''
  }

  #sequence(): string {
    let text = ''
    while (this.#position < this.#pattern.length && !/[|)]/.test(this.#peek())) text += this.#repeated()
    return text
  }

  /** An item as often as its quantifier demands: not at all for `*` and `?`. */
  #repeated(): string {
    const item = this.#item()
    const [counts, minCount, , maxCount] = this.#match(/\{(\d+)(,(\d*))?\}|[*+?]/y) ?? []
    if (counts === undefined) return item
    this.#consume('?')
    if (counts === '*' || counts === '?') return ''
    return item.repeat(Math.max(Number(minCount ?? 1), maxCount === '0' ? 0 : 1) || 0)
  }

  #item(): string {
    if (this.#consume('(')) return this.#group()
    if (this.#consume('[')) return this.#charOf(this.#match(/((?:\\.|\[:\w+:\]|[^\]\\])*)\]/y)?.[1] ?? '')
    if (this.#consume('\\')) return this.#escaped()
    if (this.#match(/[$^]/y)) return ''
    const [char = ''] = this.#match(/[\s\S]/y) ?? []
    return char === '.' ? 'a' : char
  }

  /** A group. An assertion (lookahead or lookbehind) adds no text. */
  #group(): string {
    const [kind = ''] = this.#match(/\?(?:[:=!]|<[=!]|P?<\w+>)/y) ?? []
    const text = this.alternatives()
    this.#consume(')')
    return /[=!]$/.test(kind) ? '' : text
  }

  #escaped(): string {
    const [char = ''] = this.#match(/[\s\S]/y) ?? []
    return classExamples[char]?.[this.#variant - 1] ?? (/[bBAzZ]/.test(char) ? '' : char)
  }

  /** A character of a class, preferably a letter or a digit. */
  #charOf(members: string): string {
    const classRegExp = new RegExp(`[${members}]`)
    const preferred = [
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789',
      ...'0-./_:@ +=#~%&,;',
    ]
    const candidates = preferred.filter((char) => classRegExp.test(char))
    return candidates[Math.min(this.#variant, candidates.length) - 1] ?? ''
  }

  #peek = () => this.#pattern.charAt(this.#position)

  /** Skips a character if it is the next one, and returns whether it was. */
  #consume(char: string): boolean {
    const isNext = this.#peek() === char
    if (isNext) this.#position++
    return isNext
  }

  /** Matches a sticky expression at the position, and goes on after the match. */
  #match(stickyRegExp: RegExp): RegExpExecArray | undefined {
    stickyRegExp.lastIndex = this.#position
    const match = stickyRegExp.exec(this.#pattern) ?? undefined
    if (match) this.#position = stickyRegExp.lastIndex
    return match
  }
}
