import { PermanentError } from '../../engine/kube/error.js'
import type { LookupQuery } from './renderer.js'

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

/** A template looked up a kind of an apiVersion that the cluster does not serve. */
export class UnservedLookupError extends RenderError {
  readonly #unserved: Pick<LookupQuery, 'apiVersion' | 'kind'>

  constructor({ apiVersion, kind }: Pick<LookupQuery, 'apiVersion' | 'kind'>) {
    super('RenderError', `lookup of ${kind}: the cluster does not serve ${apiVersion}`)
    this.#unserved = { apiVersion, kind }
  }

  /** The kind. Logs of the error do not show it. */
  get unserved(): Pick<LookupQuery, 'apiVersion' | 'kind'> {
    return this.#unserved
  }
}
