import { re2 } from '../../../engine/kube/lazy-packages.js'

/**
 * Why the API server cannot use a regular expression; `undefined` if it can. The server compiles patterns with Go's
 * `regexp` package (RE2), which has no look-around, no back-references and no flags outside the pattern.
 */
export function patternProblem({ source, flags }: RegExp): string | undefined {
  if (flags !== '')
    return `has the flags "${flags}", which the API server ignores; write the pattern without flags`
  // Loaded at the first pattern: most programs have none, and start sooner.
  const { RE2JS } = re2()
  try {
    RE2JS.compile(source)
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `does not compile with the API server's RE2 syntax (${why}); use a pattern without look-around and back-references`
  }
}
