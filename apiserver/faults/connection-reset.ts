/**
 * The error of a connection that a fault rule breaks: `handle` rejects with it, and a watch throws it. It has the
 * `code` of Node's own socket errors.
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
