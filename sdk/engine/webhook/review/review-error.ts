/**
 * A request that a webhook cannot answer. The API server then applies the `failurePolicy` of the webhook. The message
 * names no content of objects, because it is logged.
 */
export class ReviewError extends Error {
  override readonly name = 'ReviewError'
  /** The HTTP status of the answer. */
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}
