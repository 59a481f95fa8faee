/**
 * The peer's header compression is not valid: no later header of the connection can be decoded (RFC 9113, section 4.3).
 */
export class CompressionError extends Error {
  override readonly name = 'CompressionError'
}
