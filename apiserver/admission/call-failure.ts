/** A webhook could not be called, or its answer is not valid; its failure policy decides what follows. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'

  constructor(webhook: string, why: string) {
    super(`failed calling webhook "${webhook}": ${why}`)
  }
}
