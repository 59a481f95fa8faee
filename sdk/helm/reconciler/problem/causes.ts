/** An error and its causes, outermost first, each once: user code may make an error a cause of itself. */
export function* causesOf(error: unknown): Generator<Error> {
  const seen = new Set<unknown>()
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause)
    yield cause
  }
}
