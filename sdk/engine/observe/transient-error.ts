/** Error codes of systems and protocols for a connection that ends or cannot be opened. */
const connectionCode = /^(?:E[A-Z_]+|UND_ERR\w*|ERR_(?:HTTP2|TLS|SSL)\w*)$/

const transientNames: ReadonlySet<unknown> = new Set([
  'AbortError',
  'TimeoutError',
  'FailedAttempt',
  'UnexpectedAnswerError',
])

/** The maximum number of causes to check, because a chain of causes may contain itself. */
const maxCauses = 10

interface ErrorLike {
  readonly name?: unknown
  /** The name of the error as a log line has it. */
  readonly type?: unknown
  readonly code?: unknown
}

/**
 * Whether an error comes from a connection, a time limit or a stop, by the name or code of the error or one of its
 * causes.
 */
export function isTransient(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const { name, type, code } = cause as ErrorLike
    if (transientNames.has(name) || transientNames.has(type)) return true
    if (typeof code === 'string' && connectionCode.test(code)) return true
  }
  return false
}

/** The error and its causes, outermost first, up to a limit. */
export function causesOf(error: unknown): object[] {
  const causes: object[] = []
  for (let current = error; typeof current === 'object' && current !== null && causes.length < maxCauses; ) {
    causes.push(current)
    current = 'cause' in current ? current.cause : undefined
  }
  return causes
}
