/**
 * The answer is a broken connection: what `handle` rejects with, and what a watch throws, where a fault rule
 * says so. It has the `code` that Node's own socket errors have.
 */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
  readonly code = 'ECONNRESET'
  /** Whether everything else on the same HTTP/2 connection breaks with it. */
  readonly wholeConnection: boolean

  constructor(wholeConnection = false) {
    super('read ECONNRESET: a fault rule of the embedded API server reset the connection')
    this.wholeConnection = wholeConnection
  }
}
