/** An error as a log line shows it: the facts that help to find the cause, without the stack. */
export interface ErrorFacts {
  readonly type: string
  readonly message: string
  /** The system's or the protocol's name for what went wrong, such as `ECONNRESET`. */
  readonly code?: string | number
  /** The messages of the error's causes, the nearest first. */
  readonly causes?: readonly string[]
}

const maxCauses = 5

/**
 * The facts of an error of a network or server: a broken connection, a refusal. They leave out the stack,
 * which leads through this SDK's own transport and does not show the cause. A value that is not an error is
 * returned as it is.
 */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message } = error
  const chain = causesOf(error)
  const code = codeOf(error) ?? chain.map(codeOf).find((one) => one !== undefined)
  const causes = [...new Set(chain.map((cause) => cause.message))].filter((text) => text !== message)
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    ...(causes.length > 0 && { causes }),
  } satisfies ErrorFacts
}

function causesOf(error: Error): Error[] {
  const causes: Error[] = []
  let { cause } = error
  while (cause instanceof Error && causes.length < maxCauses) {
    causes.push(cause)
    cause = cause.cause
  }
  return causes
}

function codeOf(error: Error): string | number | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}
