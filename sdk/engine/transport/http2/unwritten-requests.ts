import type { Exchange } from './exchange.js'
import { ConnectionLost, failure } from './http2-error.js'

/**
 * The complete requests whose last frame the socket does not have yet. Frames of one turn of the event loop leave
 * together, at its end; if the process is suspended before, a request that was allowed when it began may no longer be.
 */
export class UnwrittenRequests {
  #requests: Exchange[] = []

  /** Takes note of a request that is complete. A read has no effect, so it is not asked about again. */
  add(exchange: Exchange): void {
    const { method, beforeSend } = exchange.request
    if (beforeSend && method !== 'GET') this.#requests.push(exchange)
  }

  /**
   * Asks about each request again, and forgets them all. If one is refused, it fails, and `end` is to end the
   * connection: the peer decodes headers in order, so no single request can be taken back. The others did not leave
   * either, and begin on a new one.
   */
  areAllowed(end: (error: ConnectionLost) => void): boolean {
    if (this.#requests.length === 0) return true
    const requests = this.#requests
    this.#requests = []
    for (const exchange of requests) {
      const refusal = refusalOf(exchange)
      if (!refusal) continue
      exchange.isSendingOver = true
      exchange.fail(refusal.error)
      end(new ConnectionLost('a request may not be sent any more', { code: failure.connection }))
      return false
    }
    return true
  }
}

function refusalOf({ isOver, request }: Exchange): { error: unknown } | undefined {
  try {
    if (isOver) request.gate?.()
    else request.beforeSend?.()
    return undefined
  } catch (error) {
    return { error }
  }
}
