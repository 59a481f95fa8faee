import type { CancelToken } from '../time/cancellation.js'
import type { TransportRequest } from './transport.js'

/** A request with its credentials, its full path and its life. */
export interface Sendable extends Omit<TransportRequest, 'headers' | 'as' | 'signal' | 'timeoutMs'> {
  headers: Record<string, string | string[]>
  signal: CancelToken
  /** The caller's own `beforeSend`; the one of this request also knows its time limit. */
  gate?: () => void
}

/** Takes the end of an exchange. */
export interface Settle<T> {
  resolve(answer: T): void
  reject(error: unknown): void
}
