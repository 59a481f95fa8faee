import type { Sendable } from './sendable.js'
import type { TransportResponse, TransportStream, TransportUpgrade } from './transport.js'

/** All connections to one server under one TLS identity. */
export interface ServerConnections {
  /** Makes a call; rejects with `FailedAttempt`, the error of `beforeSend`, or the signal's reason. */
  request(request: Sendable): Promise<TransportResponse>
  /** Opens a watch; rejects as {@link request} does. */
  stream(request: Sendable): Promise<TransportStream>
  /** Requests another protocol on its own connection; rejects as {@link request} does. */
  upgrade(request: Sendable): Promise<TransportUpgrade>
  /** Takes no new requests from now on; resolves when the last request has ended. */
  retire(): Promise<void>
  /** Ends all requests and connections at once. */
  destroy(error: Error): Promise<void>
}
