/** Finds retired words by the rules of rules.json. */

/**
 * A place where a retired word is permitted, and the reason. Without `in` it is every file, without `line`
 * every line.
 */
export interface AllowedPlace {
  /** A path or its first part. */
  in?: string
  /** A regular expression that the line matches. */
  line?: string
  why: string
}

/** A retired word in all its forms, and its replacement. */
export interface Rule {
  /** Names the rule in messages and in the baseline. */
  word: string
  /** Words in lower case, found as words and as parts of identifiers: `ring` in `ringAll`, not in `string`. */
  names?: readonly string[]
  /** Whole identifiers. */
  exact?: readonly string[]
  /** Regular expressions. */
  phrases?: readonly string[]
  /** The folders where the word is retired; default everywhere. */
  only?: readonly string[]
  say: string
  allowed?: readonly AllowedPlace[]
}

/** A retired word in a file. */
export interface Finding {
  rule: Rule
  file: string
  line: number
  /** The word as written in the file. */
  text: string
}

interface CompiledRule {
  rule: Rule
  pattern: RegExp
  allowed: readonly { of: AllowedPlace; line: RegExp | undefined }[]
}

/** Finds the words of its rules, and records the permissions that were needed. */
export class WordFinder {
  readonly #rules: readonly CompiledRule[]
  readonly #used = new Set<AllowedPlace>()

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => ({
      rule,
      pattern: patternOf(rule),
      allowed: (rule.allowed ?? []).map((of) => ({ of, line: of.line ? new RegExp(of.line) : undefined })),
    }))
  }

  /** The retired words of a text that are not permitted. */
  find(file: string, text: string): Finding[] {
    return this.#rules
      .filter(({ rule: { only } }) => !only || only.some((folder) => file.startsWith(folder)))
      .flatMap((rule) => this.#findOne(rule, file, text))
  }

  /** The permissions that no file needed. */
  unused(): AllowedPlace[] {
    return this.#rules
      .flatMap(({ allowed }) => allowed.map(({ of }) => of))
      .filter((of) => !this.#used.has(of))
  }

  #findOne(compiled: CompiledRule, file: string, text: string): Finding[] {
    const places: Finding[] = []
    for (const match of text.matchAll(compiled.pattern)) {
      if (this.#allows(compiled, file, lineAround(text, match.index))) continue
      const line = countLines(text, match.index)
      places.push({ rule: compiled.rule, file, line, text: match[0].trim() })
    }
    return places
  }

  #allows({ allowed }: CompiledRule, file: string, line: string): boolean {
    const found = allowed.find(
      ({ of, line: pattern }) => file.startsWith(of.in ?? '') && (pattern?.test(line) ?? true),
    )
    if (found) this.#used.add(found.of)
    return found !== undefined
  }
}

function patternOf({ names = [], exact = [], phrases = [] }: Rule): RegExp {
  const parts = [
    ...names.map(anyPart),
    ...exact.map((name) => `(?<![\\w$#-])${name.replace(/[$#]/g, '\\$&')}(?![\\w$])`),
    ...phrases,
  ]
  return new RegExp(parts.join('|'), 'gm')
}

/** A word by itself, or a part of a name in camel case, kebab case or snake case. */
function anyPart(word: string): string {
  const [first = '', rest] = [word[0], word.slice(1)]
  return `(?:(?<![A-Za-z])${first}|${first.toUpperCase()})${rest}(?![a-z])`
}

function lineAround(text: string, index: number): string {
  const end = text.indexOf('\n', index)
  return text.slice(text.lastIndexOf('\n', index - 1) + 1, end < 0 ? undefined : end)
}

function countLines(text: string, end: number): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
