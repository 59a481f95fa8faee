import type { CancelToken } from '../time/cancellation.js'
import type { TransportRequest } from './transport.js'

/** A request with its credentials, its full path and the signal that ends it. */
export interface Sendable extends Omit<TransportRequest, 'headers' | 'as' | 'signal' | 'timeoutMs'> {
  headers: Record<string, string | string[]>
  signal: CancelToken
  /** The caller's own `beforeSend`; the `beforeSend` of this request also checks its time limit. */
  gate?: () => void
}
