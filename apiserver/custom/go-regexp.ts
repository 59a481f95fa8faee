import { re2 } from '../../sdk/engine/kube/lazy-packages.js'

type Library = typeof import('re2js')
type Compiled = ReturnType<Library['RE2JS']['compile']>

/** The number of cached patterns; a rule may create a new pattern for each object. */
const KEPT = 1000
const NAMED_GROUP = /\(\?P?<\w+>/g
/** Errors after which Go does not quote the part that the library quotes. */
const UNQUOTED: Readonly<Record<string, (pattern: string) => string>> = {
  'trailing backslash at end of expression': () => '',
  'expression nests too deeply': (pattern) => pattern,
}

const compiled = new Map<string, GoRegExp>()

/** A compiled pattern of Go's `regexp` package. Matching takes time linear in the length of the text. */
export class GoRegExp {
  readonly #compiled: Compiled

  constructor(compiled: Compiled) {
    this.#compiled = compiled
  }

  /** Whether the pattern matches anywhere in a text. */
  test(text: string): boolean {
    return this.#compiled.test(text)
  }

  /**
   * The matches in a text from left to right, at most `limit`. A match directly after another one is not
   * empty.
   */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    const matcher = this.#compiled.matcher(text)
    const found: string[] = []
    let last = -1
    while (found.length < limit && matcher.find()) {
      if (matcher.end() > last) found.push(matcher.group() ?? '')
      last = matcher.end()
    }
    return found
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
  const expression = compiled.get(pattern) ?? new GoRegExp(compile(pattern))
  compiled.delete(pattern)
  compiled.set(pattern, expression)
  if (compiled.size > KEPT) forgetOldest()
  return expression
}

function forgetOldest(): void {
  for (const pattern of compiled.keys()) {
    compiled.delete(pattern)
    return
  }
}

/** The library is loaded at the first pattern, so that a server without patterns starts faster. */
function compile(pattern: string): Compiled {
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

const withoutNames = (pattern: string) => pattern.replaceAll(NAMED_GROUP, '(')

function messageOf(error: InstanceType<Library['RE2JSSyntaxException']>, pattern: string): string {
  const quoted = UNQUOTED[error.getDescription()]
  return quoted === undefined ? error.message : `${error.message}: \`${quoted(pattern)}\``
}
