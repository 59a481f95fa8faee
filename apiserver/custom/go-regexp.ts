import { re2 } from '../../sdk/engine/kube/lazy-packages.js'

type Library = typeof import('re2js')
type CompiledPattern = ReturnType<Library['RE2JS']['compile']>

/** The size of the cache. Rules can build patterns from the fields of objects, so their number has no limit. */
const maxCached = 1000
const namedGroup = /\(\?P?<\w+>/g
/** The part of the pattern that Go quotes after an error for which the library quotes nothing, by the error. */
const quotedByGo: Readonly<Record<string, (pattern: string) => string>> = {
  'trailing backslash at end of expression': () => '',
  'expression nests too deeply': (pattern) => pattern,
}

/** The compiled patterns, the least recently used first. */
const cache = new Map<string, GoRegExp>()

/** A compiled pattern of Go's `regexp` package. Matching takes time linear in the length of the text. */
export class GoRegExp {
  readonly #compiled: CompiledPattern

  constructor(compiled: CompiledPattern) {
    this.#compiled = compiled
  }

  /** Whether the pattern matches anywhere in a text. */
  test(text: string): boolean {
    return this.#compiled.test(text)
  }

  /**
   * The matches in a text from left to right, at most `limit`. As in Go, an empty match directly after another match
   * does not count.
   */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const matcher = this.#compiled.matcher(text)
    const matches: string[] = []
    let lastEnd = -1
    while (matches.length < limit && matcher.find()) {
      if (matcher.end() > lastEnd) matches.push(matcher.group() ?? '')
      lastEnd = matcher.end()
    }
    return matches
  }
}

/**
 * Compiles a pattern of Go's `regexp` package. Patterns and texts both come from users, so the pattern never
 * runs as a JavaScript expression, which can take exponential time. Throws a `SyntaxError` with Go's message
 * for a pattern that Go does not compile.
 *
 * @example
 * ```ts
 * goRegExp('^[[:alpha:]]+$').test('abc') // true
 * ```
 */
export function goRegExp(pattern: string): GoRegExp {
  const expression = cache.get(pattern) ?? new GoRegExp(compile(pattern))
  cache.delete(pattern)
  cache.set(pattern, expression)
  if (cache.size > maxCached) evictLeastRecentlyUsed()
  return expression
}

function evictLeastRecentlyUsed(): void {
  for (const pattern of cache.keys()) {
    cache.delete(pattern)
    return
  }
}

/** The library is loaded at the first pattern, so that a server without patterns starts faster. */
function compile(pattern: string): CompiledPattern {
  const { RE2JS, RE2JSSyntaxException } = re2()
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    // Go accepts two groups with the same name, and no code here uses group names.
    if (error.getDescription() === 'duplicate capture group name') return compile(withoutNames(pattern))
    throw new SyntaxError(messageOf(error, pattern), { cause: error })
  }
}

const withoutNames = (pattern: string) => pattern.replaceAll(namedGroup, '(')

function messageOf(error: InstanceType<Library['RE2JSSyntaxException']>, pattern: string): string {
  const quoted = quotedByGo[error.getDescription()]
  return quoted === undefined ? error.message : `${error.message}: \`${quoted(pattern)}\``
}
