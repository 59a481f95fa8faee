import { PermanentError } from '../../engine/kube/error.js'

/** Whether the values or the templates of a chart are wrong. */
export type RenderErrorReason = 'InvalidValues' | 'RenderError'

/**
 * A chart cannot be rendered with these values; a retry is useless until one of them changes.
 *
 * @example
 * ```ts
 * const rendered = await renderer.render(request, signal).catch((error: unknown) => {
 *   if (error instanceof RenderError) console.error(error.reason, error.message)
 *   throw error
 * })
 * ```
 */
export class RenderError extends PermanentError {
  override readonly name = 'RenderError'
  readonly reason: RenderErrorReason

  constructor(reason: RenderErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
