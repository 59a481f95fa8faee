/** The system's codes for an address that a server cannot listen on, in words. */
const words: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine does not have the address',
}

/**
 * Why a server cannot listen, without the address, for messages that name the address themselves: `another program
 * listens there (EADDRINUSE)`. The message of other errors.
 */
export function listenProblem(error: Error & { code?: unknown }): string {
  const code = String(error.code)
  const text = words[code]
  return text === undefined ? error.message : `${text} (${code})`
}
