import type { Sendable } from './sendable.js'
import type { TransportResponse, TransportStream, TransportUpgrade } from './transport.js'

/** All connections to one server under one TLS identity. */
export interface ServerConnections {
  /** Makes a call; rejects with `FailedAttempt`, or what `beforeSend` threw, or the signal's reason. */
  request(request: Sendable): Promise<TransportResponse>
  /** Opens a watch; rejects as {@link request} does. */
  stream(request: Sendable): Promise<TransportStream>
  /** Asks for another protocol, on a connection of its own; rejects as {@link request} does. */
  upgrade(request: Sendable): Promise<TransportUpgrade>
  /** Takes no new requests; resolves when the last one has ended. */
  retire(): Promise<void>
  /** Ends everything at once. */
  destroy(error: Error): Promise<void>
}
