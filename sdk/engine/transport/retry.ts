import { FailedAttempt } from './attempt.js'
import type { TransportRequest } from './transport.js'

/** The maximum number of attempts if the server answers with Retry-After. */
const maxAnswers = 10
/** The maximum number of attempts if the connection breaks. */
const maxFailures = 3

// The connection broke, or could not be opened. Other failures, such as a wrong certificate, are permanent.
const temporaryCodes = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_GOAWAY_SESSION',
  'SILENT_CONNECTION',
])

/** One attempt of a call, and its outcome. */
export interface CallAttempt {
  method: TransportRequest['method']
  /** The number of this attempt, from 1. */
  attempt: number
  /** The answer, or the failure. */
  outcome: { status: number; headers: Record<string, string> } | FailedAttempt
}

/**
 * How long to wait before a call is tried again, in milliseconds; undefined means not at all.
 *
 * Follows client-go (rest/with_retry.go): an answer with Retry-After is retried up to ten times, a broken connection
 * only if repeating does no harm: for a GET, or if nothing of the request was sent. Unlike client-go, a write is not
 * repeated after a 5xx other than 503: the server may have acted before it failed.
 */
export function retryDelayMs({ method, attempt, outcome }: CallAttempt): number | undefined {
  if (outcome instanceof FailedAttempt) {
    const isHarmless = method === 'GET' || !outcome.sent
    if (!isHarmless || !temporaryCodes.has(outcome.code) || attempt >= maxFailures) return undefined
    return 50 * 4 ** (attempt - 1)
  }
  const { status, headers } = outcome
  const isRetriable = status === 429 || status === 503 || (status >= 500 && method === 'GET')
  if (!isRetriable || attempt >= maxAnswers) return undefined
  const seconds = /^\d+$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : undefined
  return seconds === undefined ? undefined : seconds * 1000
}
