import { setMaxListeners } from 'node:events'
import type { Duplex } from 'node:stream'
import { type Logger, silentLogger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import { orAborted } from '../time/cancellation.js'
import { type Clock, sleep, systemClock } from '../time/clock.js'
import { FailedAttempt } from './attempt.js'
import { type CallMetrics, callMetrics } from './call-metrics.js'
import { CallScope } from './call-scope.js'
import type { Sendable } from './calls.js'
import type { Connections } from './connections.js'
import { type Credential, Credentials, impersonationHeaders } from './credentials.js'
import { CurrentConnections } from './current-connections.js'
import { addressOf } from './dial.js'
import type { Kubeconfig } from './kubeconfig.js'
import { NetworkError } from './network-error.js'
import { RateLimit } from './rate-limit.js'
import { retryDelayMs } from './retry.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
  TransportUpgrade,
} from './transport.js'
import { formatUserAgent } from './user-agent.js'
import type { Heartbeat } from './watch-session.js'

/** Options of {@link createTransport}. */
export interface TransportOptions extends Heartbeat {
  /** The cluster and who we are there. */
  kubeconfig: Kubeconfig
  /** Default silent. */
  logger?: Logger
  /** Default none. */
  metrics?: Metrics
  /** Default the machine's own. */
  clock?: Clock
  /** Default `vcluster-plugin-sdk/<version>`. */
  userAgent?: string
  /** The label `cluster` of the metrics; default the server's host and port. */
  cluster?: string
  /** How many calls and watches a second may start in the long run; default unlimited. */
  qps?: number
  /** How many may start at once after a quiet time; default twice `qps`. */
  burst?: number
  /** How many connections calls may use; default 32. */
  connections?: number
  /** How often rotated token and certificate files are read again, in milliseconds; default 60,000. */
  refreshMs?: number
}

/**
 * The transport that uses sockets: HTTP/1.1 for calls, shared HTTP/2 sessions for watches. Nothing is opened
 * before the first call.
 *
 * Retries are decided in `retry.ts`. A 401, or a certificate that is
 * not accepted, fetches the credentials anew and repeats the call once. `stream`
 * passes 429 and 503 on to whoever watches, because only there is known when to watch again.
 */
export function createTransport(options: TransportOptions): Transport {
  return new SocketTransport(options)
}

interface Answer {
  status: number
  headers: Record<string, string>
}

/** How one kind of exchange differs from the other. */
interface Exchange<T extends Answer> {
  defaultTimeoutMs: number
  send(connections: Connections, request: Sendable): Promise<T>
  /** Lets go of an answer that nobody will see. */
  discard(answer: T): Promise<void>
  /** Whether an answer, rather than a failure, may be a reason to try again. */
  retriesAnswers: boolean
}

const call: Exchange<TransportResponse> = {
  defaultTimeoutMs: 60_000,
  send: (connections, request) => connections.request(request),
  discard: async () => {},
  retriesAnswers: true,
}

const watch: Exchange<TransportStream> = {
  defaultTimeoutMs: 30_000,
  send: (connections, request) => connections.stream(request),
  discard: drain,
  retriesAnswers: false,
}

const upgrade: Exchange<TransportUpgrade> = {
  ...watch,
  send: (connections, request) => connections.upgrade(request),
  discard: async (answer) => {
    answer.socket?.destroy()
    await drain(answer)
  },
}

async function drain({ chunks }: TransportStream): Promise<void> {
  const reader = chunks[Symbol.asyncIterator]()
  while (!(await reader.next()).done);
}

class SocketTransport implements Transport {
  readonly #options: TransportOptions
  readonly #url: URL
  readonly #host: string
  readonly #clock: Clock
  readonly #credentials: Credentials
  readonly #rateLimit: RateLimit
  readonly #metrics: CallMetrics
  readonly #scopes = new Set<CallScope>()
  readonly #connections: CurrentConnections
  readonly #closing = new AbortController()

  constructor(options: TransportOptions) {
    const { kubeconfig, logger = silentLogger, clock = systemClock } = options
    this.#options = options
    this.#url = new URL(kubeconfig.server)
    const { host, port } = addressOf(this.#url)
    this.#host = `${host}:${port}`
    this.#clock = clock
    // Each connection that is being made listens.
    setMaxListeners(0, this.#closing.signal)
    this.#credentials = new Credentials({ ...options, logger, clock, signal: this.#closing.signal })
    this.#rateLimit = new RateLimit({ ...options, clock })
    this.#connections = new CurrentConnections({
      ...options,
      logger,
      clock,
      url: this.#url,
      signal: this.#closing.signal,
    })
    this.#metrics = callMetrics({ cluster: this.#host, ...options, clock })
    if (!kubeconfig.skipTlsVerify) return
    logger.warn(
      { server: this.#host },
      `INSECURE: ${kubeconfig.source} has insecure-skip-tls-verify; whoever is in between can change all traffic`,
    )
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const scope = this.#openScope(request, call.defaultTimeoutMs)
    try {
      return await this.#untilAnswered(request, scope, call)
    } catch (error) {
      throw this.#explained(request, scope, error)
    } finally {
      this.#release(scope)
    }
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#open(request, watch)
  }

  upgrade(request: TransportRequest): Promise<TransportUpgrade> {
    return this.#open(request, upgrade)
  }

  async #open<T extends TransportUpgrade>(request: TransportRequest, exchange: Exchange<T>): Promise<T> {
    const scope = this.#openScope(request, exchange.defaultTimeoutMs)
    try {
      const answer = await this.#untilAnswered(request, scope, exchange)
      scope.stopTimer()
      if (answer.socket) this.#keep(answer.socket, scope)
      return { ...answer, chunks: this.#chunks(request, scope, answer.chunks) }
    } catch (error) {
      this.#release(scope)
      throw this.#explained(request, scope, error)
    }
  }

  /** A connection that speaks another protocol lives until the caller or the transport ends it. */
  #keep(socket: Duplex, scope: CallScope): void {
    scope.signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('close', () => this.#release(scope))
  }

  get problem(): string | undefined {
    return this.#credentials.problem
  }

  async close(): Promise<void> {
    const reason = this.#closedError()
    this.#closing.abort(reason)
    for (const scope of this.#scopes) scope.abort(reason)
    await this.#connections.destroy(reason)
  }

  async #untilAnswered<T extends Answer>(
    request: TransportRequest,
    scope: CallScope,
    exchange: Exchange<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, scope, exchange).catch(asFailedAttempt)
      const failed = outcome instanceof FailedAttempt
      const again = failed || exchange.retriesAnswers
      const delayMs = again ? retryDelayMs({ method: request.method, attempt, outcome }) : undefined
      if (delayMs !== undefined && delayMs < scope.remainingMs)
        await sleep(this.#clock, delayMs, scope.signal)
      else if (failed) throw outcome
      else return outcome
    }
  }

  async #attempt<T extends Answer>(request: TransportRequest, scope: CallScope, exchange: Exchange<T>) {
    await this.#rateLimit.acquire(scope.signal)
    const found = this.#credentials.current()
    const credential = found instanceof Promise ? await orAborted(found, scope.signal) : found
    const outcome = await this.#send(request, credential, scope, exchange).catch(asFailedAttempt)
    const renewed =
      isRefusal(outcome) && (await orAborted(this.#credentials.renewed(credential), scope.signal))
    if (renewed) {
      if (!(outcome instanceof FailedAttempt)) await exchange.discard(outcome)
      return this.#send(request, renewed, scope, exchange)
    }
    if (outcome instanceof FailedAttempt) throw outcome
    return outcome
  }

  async #send<T extends Answer>(
    request: TransportRequest,
    credential: Credential,
    scope: CallScope,
    exchange: Exchange<T>,
  ): Promise<T> {
    scope.signal.throwIfAborted()
    const observe = this.#metrics.start(request.method)
    try {
      const answer = await exchange.send(
        this.#connections.of(credential.tls),
        this.#sendable(request, credential, scope),
      )
      observe(String(answer.status))
      return answer
    } catch (error) {
      observe('<error>')
      throw error
    }
  }

  #sendable(request: TransportRequest, credential: Credential, scope: CallScope): Sendable {
    const { method, path, body, headers, beforeSend, maxBytes } = request
    const identity = request.as
      ? { ...withoutImpersonation(credential.headers), ...impersonationHeaders(request.as) }
      : credential.headers
    return {
      method,
      path: this.#url.pathname === '/' ? path : this.#url.pathname + path,
      headers: {
        ...headers,
        ...identity,
        'user-agent': this.#options.userAgent ?? formatUserAgent(),
      },
      ...(body !== undefined && { body }),
      ...(maxBytes !== undefined && { maxBytes }),
      signal: scope.signal,
      beforeSend: () => {
        // A timer may be late, after the process was frozen for example; nothing may leave then.
        if (scope.remainingMs <= 0) throw this.#timeoutError(request)
        beforeSend?.()
      },
    }
  }

  #openScope(request: TransportRequest, defaultTimeoutMs: number): CallScope {
    if (this.#closing.signal.aborted) throw this.#closedError()
    const { signal, timeoutMs = defaultTimeoutMs } = request
    const scope = new CallScope({
      clock: this.#clock,
      timeoutMs,
      timeoutError: () => this.#timeoutError(request),
      ...(signal && { signal }),
    })
    this.#scopes.add(scope)
    scope.signal.addEventListener('abort', () => this.#release(scope), { once: true })
    return scope
  }

  #release(scope: CallScope): void {
    this.#scopes.delete(scope)
    scope.release()
  }

  async *#chunks(request: TransportRequest, scope: CallScope, chunks: AsyncIterable<Uint8Array>) {
    try {
      yield* chunks
    } catch (error) {
      throw this.#explained(request, scope, new FailedAttempt(error, { sent: true }))
    } finally {
      this.#release(scope)
    }
  }

  #explained(request: TransportRequest, scope: CallScope, error: unknown): unknown {
    if (scope.signal.aborted) return scope.signal.reason
    if (!(error instanceof FailedAttempt)) return error
    return new NetworkError(`${this.#words(request)}: ${error.message}${hintFor(error.code)}`, {
      cause: error.cause,
    })
  }

  #timeoutError(request: TransportRequest): Error {
    // The name as `AbortSignal.timeout` has it, so that it is known for what it is.
    return new NetworkError(`${this.#words(request)}: no answer in time`, { name: 'TimeoutError' })
  }

  #closedError(): Error {
    return new NetworkError(`The connection to ${this.#host} was closed by this program.`)
  }

  #words({ method, path }: TransportRequest): string {
    return `${method} ${path.replace(/\?.*$/, '')} at ${this.#host}`
  }
}

/** A kubeconfig's own identity must not mix with the one that a call asks for. */
function withoutImpersonation(headers: Credential['headers']): Credential['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-')))
}

function asFailedAttempt(error: unknown): FailedAttempt {
  if (error instanceof FailedAttempt) return error
  throw error
}

const certificateProblem = /CERT|ISSUER|SIGNATURE|ALTNAME|UNKNOWN_CA|KEY_VALUES_MISMATCH/

/** Whether other credentials may help: ours are not accepted, or the server's certificate is not the one we know. */
function isRefusal(outcome: Answer | FailedAttempt): boolean {
  return outcome instanceof FailedAttempt ? certificateProblem.test(outcome.code) : outcome.status === 401
}

function hintFor(code: string): string {
  if (code.endsWith('KEY_VALUES_MISMATCH'))
    return '; check that client-certificate and client-key in the kubeconfig belong together'
  if (certificateProblem.test(code))
    return '; check certificate-authority and tls-server-name in the kubeconfig'
  return code === 'ECONNREFUSED' ? '; check that the API server runs and that the kubeconfig names it' : ''
}
