import { orAborted } from '../time/cancellation.js'
import { type Clock, sleep } from '../time/clock.js'
import { FailedAttempt } from './attempt.js'
import { type CallErrors, isCertificateProblem } from './call-errors.js'
import { CallHeaders } from './call-headers.js'
import type { CallMetrics } from './call-metrics.js'
import type { CallScope } from './call-scope.js'
import type { Credential } from './credential.js'
import type { Credentials } from './credentials.js'
import type { CurrentConnections } from './current-connections.js'
import type { Answer, ExchangeKind } from './exchange-kind.js'
import type { RateLimit } from './rate-limit.js'
import { retryDelayMs } from './retry.js'
import type { Sendable } from './sendable.js'
import type { TransportRequest } from './transport.js'

/** Options of {@link Attempts}. */
export interface AttemptsOptions {
  /** The API server's URL. */
  url: URL
  clock: Clock
  credentials: Credentials
  connections: CurrentConnections
  rateLimit: RateLimit
  metrics: CallMetrics
  errors: CallErrors
  /** The `User-Agent` header; default `vcluster-plugin-sdk/<version>`. */
  userAgent: string | undefined
  /** The maximum size of an answer for requests that set none, in bytes. */
  maxAnswerBytes: number
}

/**
 * Sends the calls of one transport with the current credentials, and repeats each until it has an answer that is not
 * retried, or has no time left.
 */
export class Attempts {
  readonly #options: AttemptsOptions
  readonly #headers: CallHeaders
  /** The path of the server's URL, with which the path of every request begins. */
  readonly #root: string

  constructor(options: AttemptsOptions) {
    this.#options = options
    const { pathname } = options.url
    this.#root = pathname === '/' ? '' : pathname
    this.#headers = new CallHeaders(options.userAgent)
  }

  /** Resolves with the first answer that is not retried. A success at the first attempt takes a fast path. */
  async sendUntilAnswered<T extends Answer>(
    request: TransportRequest,
    scope: CallScope,
    exchange: ExchangeKind<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, scope, exchange)
      const failed = outcome instanceof FailedAttempt
      if (!failed && outcome.status < 300) return outcome
      const mayRetry = failed || exchange.retriesAnswers
      const delayMs = mayRetry ? retryDelayMs({ method: request.method, attempt, outcome }) : undefined
      if (delayMs !== undefined && delayMs < scope.remainingMs)
        await sleep(this.#options.clock, delayMs, scope.signal)
      else if (failed) throw outcome
      else return outcome
    }
  }

  /** Sends a call; once more with other credentials if the server does not accept the first ones. */
  async #attempt<T extends Answer>(
    request: TransportRequest,
    scope: CallScope,
    exchange: ExchangeKind<T>,
  ): Promise<T | FailedAttempt> {
    const { rateLimit, credentials } = this.#options
    await rateLimit.acquire(scope.signal)
    const current = credentials.current()
    try {
      const credential = current instanceof Promise ? await orAborted(current, scope.signal) : current
      const outcome = await this.#send(request, credential, scope, exchange)
      if (!isRefusal(outcome)) return outcome
      const renewed = await orAborted(credentials.renew(credential), scope.signal)
      if (!renewed) return outcome
      if (!(outcome instanceof FailedAttempt)) await exchange.discard(outcome)
      return await this.#send(request, renewed, scope, exchange)
    } catch (error) {
      return asFailedAttempt(error)
    }
  }

  /** Sends a call once. */
  async #send<T extends Answer>(
    request: TransportRequest,
    credential: Credential,
    scope: CallScope,
    exchange: ExchangeKind<T>,
  ): Promise<T | FailedAttempt> {
    scope.signal.throwIfAborted()
    const { metrics, connections } = this.#options
    const observe = metrics.start(request.method)
    try {
      const answer = await exchange.send(
        connections.of(credential.tls),
        this.#toSendable(request, credential, scope),
      )
      observe(String(answer.status))
      return answer
    } catch (error) {
      observe('<error>')
      return asFailedAttempt(error)
    }
  }

  /** The call as a connection sends it: with headers, and with a last check of its time before it is sent. */
  #toSendable(request: TransportRequest, credential: Credential, scope: CallScope): Sendable {
    const { method, path, body, beforeSend, maxBytes = this.#options.maxAnswerBytes } = request
    return {
      method,
      path: this.#root + path,
      headers: this.#headers.of(request, credential),
      ...(body !== undefined && { body }),
      maxBytes,
      signal: scope.signal,
      ...(beforeSend && { gate: beforeSend }),
      beforeSend: () => {
        // A timer may be late, for example after a suspension of the process; then nothing may be sent.
        if (scope.remainingMs <= 0) throw this.#options.errors.timeoutError(request)
        beforeSend?.()
      },
    }
  }
}

/** Returns a failed attempt, and throws any other error, such as the abort of the call. */
function asFailedAttempt(error: unknown): FailedAttempt {
  if (error instanceof FailedAttempt) return error
  throw error
}

/**
 * Whether other credentials may help: the server does not accept the present ones, or its certificate is not trusted.
 */
function isRefusal(outcome: Answer | FailedAttempt): boolean {
  return outcome instanceof FailedAttempt ? isCertificateProblem(outcome) : outcome.status === 401
}
