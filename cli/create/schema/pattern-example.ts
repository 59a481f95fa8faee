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

const classes: Readonly<Record<string, [string, string]>> = {
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
    while (this.#takes('|')) alternatives.push(this.#sequence())
    return alternatives[Math.min(this.#variant, alternatives.length) - 1] ?? ''
  }

  #sequence(): string {
    let text = ''
    while (this.#position < this.#pattern.length && !/[|)]/.test(this.#next())) text += this.#repeated()
    return text
  }

  #repeated(): string {
    const item = this.#item()
    const [counts, minCount, , maxCount] = this.#match(/\{(\d+)(,(\d*))?\}|[*+?]/y) ?? []
    if (counts === undefined) return item
    this.#takes('?')
    if (counts === '*' || counts === '?') return ''
    return item.repeat(Math.max(Number(minCount ?? 1), maxCount === '0' ? 0 : 1) || 0)
  }

  #item(): string {
    if (this.#takes('(')) return this.#group()
    if (this.#takes('[')) return this.#charOf(this.#match(/((?:\\.|\[:\w+:\]|[^\]\\])*)\]/y)?.[1] ?? '')
    if (this.#takes('\\')) return this.#escaped()
    if (this.#match(/[$^]/y)) return ''
    const [char = ''] = this.#match(/[\s\S]/y) ?? []
    return char === '.' ? 'a' : char
  }

  #group(): string {
    const [kind = ''] = this.#match(/\?(?:[:=!]|<[=!]|P?<\w+>)/y) ?? []
    const text = this.alternatives()
    this.#takes(')')
    return /[=!]$/.test(kind) ? '' : text
  }

  #escaped(): string {
    const [char = ''] = this.#match(/[\s\S]/y) ?? []
    return classes[char]?.[this.#variant - 1] ?? (/[bBAzZ]/.test(char) ? '' : char)
  }

  /** A character of a class, preferably a letter or a digit. */
  #charOf(members: string): string {
    const form = new RegExp(`[${members}]`)
    const preferred = [
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789',
      ...'0-./_:@ +=#~%&,;',
    ]
    const candidates = preferred.filter((char) => form.test(char))
    return candidates[Math.min(this.#variant, candidates.length) - 1] ?? ''
  }

  #next = () => this.#pattern.charAt(this.#position)

  #takes(char: string): boolean {
    const isThere = this.#next() === char
    if (isThere) this.#position++
    return isThere
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#position
    const match = form.exec(this.#pattern) ?? undefined
    if (match) this.#position = form.lastIndex
    return match
  }
}
