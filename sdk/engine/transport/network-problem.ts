import type { FailedAttempt } from './attempt.js'

/** The system's codes of connections that could not be opened, in words. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the name of the server is unknown',
  EAI_AGAIN: 'the name of the server cannot be looked up',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'no route to the server',
  ENETUNREACH: 'no route to the network of the server',
}

/** A failure as the system reports it: of one address, or of each address of a name. */
interface SystemError {
  readonly message?: unknown
  readonly syscall?: unknown
  readonly address?: unknown
  readonly port?: unknown
  readonly errors?: unknown
}

/**
 * The failure of an attempt in words: for a connection that could not be opened with the code and the addresses of the
 * server's name. The message names the server already, so its own address is left out.
 *
 * @param server host and port of the server
 */
export function networkProblem({ message, code, cause }: FailedAttempt, server: string): string {
  const reported = systemErrors(cause)
  const text = reported.length > 0 ? words[code] : undefined
  if (text === undefined) return message || String(reported[0]?.message ?? code)
  const addresses = new Set(reported.flatMap(addressOf).filter((address) => address !== server))
  return `${text} (${[code, ...addresses].join(' ')})`
}

/** The errors of system calls in a cause: Node collects those of several addresses in an `AggregateError`. */
function systemErrors(cause: unknown): SystemError[] {
  const { syscall, errors } = Object(cause) as SystemError
  if (Array.isArray(errors)) return errors.flatMap(systemErrors)
  return syscall === undefined ? [] : [cause as SystemError]
}

const addressOf = ({ address, port }: SystemError): string[] =>
  address === undefined ? [] : [`${address}:${port}`]
