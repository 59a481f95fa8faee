/** A check has found that a Module does not work; the message says what is missing. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError'
}
