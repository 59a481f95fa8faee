import type { Exchange } from './exchange.js'
import { ConnectionLost, failure } from './http2-error.js'

/** How a refused request ends its connection. */
export interface ConnectionEnd {
  /** Writes nothing from now on, neither the octets that wait nor later ones. */
  stopWriting(): void
  /** Ends the connection and its exchanges. */
  end(error: ConnectionLost): void
}

/**
 * The complete requests whose last frame was not passed to the socket yet. Frames of one turn of the event loop are
 * sent together, at the end of the turn. If the process is suspended before, a request that was allowed when it began
 * may no longer be allowed.
 */
export class UnwrittenRequests {
  #requests: Exchange[] = []

  /** Records a complete request, unless it is a read, which needs no second check. */
  add(exchange: Exchange): void {
    const { method, beforeSend } = exchange.request
    if (beforeSend && method !== 'GET') this.#requests.push(exchange)
  }

  /**
   * Checks each request again, and forgets all of them. If a request is refused, it fails, and the connection ends: the
   * peer decodes headers in order, so that a single request cannot be withdrawn. The other requests were not sent
   * either, and begin on a new connection.
   */
  areAllowed({ stopWriting, end }: ConnectionEnd): boolean {
    if (this.#requests.length === 0) return true
    const requests = this.#requests
    this.#requests = []
    for (const exchange of requests) {
      const refusal = refusalOf(exchange)
      if (!refusal) continue
      exchange.isSendingOver = true
      // The stream of the failed request goes to one that waits, whose frames may fill the buffer.
      stopWriting()
      exchange.fail(refusal.error)
      end(new ConnectionLost('a request may not be sent any more', { code: failure.connection }))
      return false
    }
    return true
  }
}

/** The error with which a request is refused; for a request that its caller gave up, only the gate counts. */
function refusalOf({ isOver, request }: Exchange): { error: unknown } | undefined {
  try {
    if (isOver) request.gate?.()
    else request.beforeSend?.()
    return undefined
  } catch (error) {
    return { error }
  }
}
