/**
 * The error of a webhook that could not be called, or whose response is not valid. Its failure policy decides whether
 * the request goes on.
 */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'

  constructor(webhook: string, why: string) {
    super(`failed calling webhook "${webhook}": ${why}`)
  }
}
