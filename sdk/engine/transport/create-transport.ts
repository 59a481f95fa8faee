import { setMaxListeners } from 'node:events'
import type { Duplex } from 'node:stream'
import { type Logger, silentLogger } from '../observe/logger.js'
import type { Metrics } from '../observe/metrics.js'
import { type Clock, systemClock } from '../time/clock.js'
import { Attempts } from './attempts.js'
import { CallErrors } from './call-errors.js'
import { callMetrics } from './call-metrics.js'
import { CallScope } from './call-scope.js'
import type { AddressCheck } from './checked-lookup.js'
import type { HeartbeatTimes } from './connections-options.js'
import { Credentials } from './credentials.js'
import { CurrentConnections } from './current-connections.js'
import { addressOf } from './dial.js'
import { callExchange, type ExchangeKind, streamExchange, upgradeExchange } from './exchange-kind.js'
import type { Kubeconfig } from './kubeconfig.js'
import { openBody } from './open-body.js'
import { RateLimit } from './rate-limit.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
  TransportUpgrade,
} from './transport.js'

/** Options of {@link createTransport}. */
export interface TransportOptions extends HeartbeatTimes {
  /** The cluster, and the user in that cluster. */
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
  /** How many calls and watches may start at once after a quiet time; default twice `qps`. */
  burst?: number
  /** Whether a connection to an address of the server is allowed, also after its name was resolved; default all. */
  allowsAddress?: AddressCheck
  /** How many connections calls may use over HTTP/1.1; default 32. */
  connections?: number
  /** How often rotated token and certificate files are read again, in milliseconds; default 60,000. */
  refreshMs?: number
  /**
   * The maximum size of an answer that `request` reads if the request sets no `maxBytes`, in bytes; default 268,435,456
   * (256 MiB). No single object has this size, and JSON of twice the size does not fit into a text of Node.
   */
  maxAnswerBytes?: number
}

const defaultMaxAnswerBytes = 256 * 2 ** 20

/**
 * The transport that uses sockets: an HTTP/2 session for calls and shared ones for watches; HTTP/1.1 if the server does
 * not support HTTP/2. Nothing is opened before the first call.
 *
 * Retries are decided in `retry.ts`. After a 401, or a certificate that is not accepted, the credentials are fetched
 * again, and the call is repeated once. `stream` passes 429 and 503 on to its caller, which decides when to watch
 * again.
 */
export function createTransport(options: TransportOptions): Transport {
  return new SocketTransport(options)
}

/** The transport that {@link createTransport} makes; its methods are described by {@link Transport}. */
class SocketTransport implements Transport {
  readonly #clock: Clock
  readonly #errors: CallErrors
  readonly #credentials: Credentials
  readonly #connections: CurrentConnections
  readonly #attempts: Attempts
  readonly #scopes = new Set<CallScope>()
  readonly #closing = new AbortController()

  constructor(options: TransportOptions) {
    const { kubeconfig, logger = silentLogger, clock = systemClock, userAgent } = options
    const { maxAnswerBytes = defaultMaxAnswerBytes } = options
    const url = new URL(kubeconfig.server)
    const { host, port } = addressOf(url)
    const server = `${host}:${port}`
    const { signal } = this.#closing
    // Each connection that is being opened listens to the signal.
    setMaxListeners(0, signal)
    this.#clock = clock
    this.#errors = new CallErrors(server)
    this.#credentials = new Credentials({ ...options, logger, clock, signal })
    this.#connections = new CurrentConnections({ ...options, logger, clock, url, signal })
    this.#attempts = new Attempts({
      url,
      clock,
      userAgent,
      maxAnswerBytes,
      credentials: this.#credentials,
      connections: this.#connections,
      rateLimit: new RateLimit({ ...options, clock }),
      metrics: callMetrics({ cluster: server, ...options, clock }),
      errors: this.#errors,
    })
    if (!kubeconfig.skipTlsVerify) return
    logger.warn(
      { server },
      `INSECURE: ${kubeconfig.source} has insecure-skip-tls-verify; an attacker on the network can change all traffic`,
    )
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const scope = this.#openScope(request, callExchange.defaultTimeoutMs)
    try {
      return await this.#attempts.sendUntilAnswered(request, scope, callExchange)
    } catch (error) {
      throw this.#errors.explain(request, scope, error)
    } finally {
      this.#release(scope)
    }
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#open(request, streamExchange)
  }

  upgrade(request: TransportRequest): Promise<TransportUpgrade> {
    return this.#open(request, upgradeExchange)
  }

  /** Sends a call whose answer is a stream. Its scope stays open until the stream ends. */
  async #open<T extends TransportUpgrade>(request: TransportRequest, exchange: ExchangeKind<T>): Promise<T> {
    const scope = this.#openScope(request, exchange.defaultTimeoutMs)
    try {
      const answer = await this.#attempts.sendUntilAnswered(request, scope, exchange)
      scope.stopTimer()
      if (answer.socket) this.#keep(answer.socket, scope)
      const chunks = openBody({
        chunks: answer.chunks,
        explained: (failed) => this.#errors.explain(request, scope, failed),
        onEnd: () => this.#release(scope),
      })
      return { ...answer, chunks }
    } catch (error) {
      this.#release(scope)
      throw this.#errors.explain(request, scope, error)
    }
  }

  /** Keeps the scope of an upgraded connection open until the caller or the transport ends the connection. */
  #keep(socket: Duplex, scope: CallScope): void {
    scope.signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('close', () => this.#release(scope))
  }

  get problem(): string | undefined {
    return this.#credentials.problem
  }

  async close(): Promise<void> {
    const reason = this.#errors.closedError()
    this.#closing.abort(reason)
    for (const scope of this.#scopes) scope.abort(reason)
    await this.#connections.destroy(reason)
  }

  /** Opens the scope of a call, which the transport ends when it closes. */
  #openScope(request: TransportRequest, defaultTimeoutMs: number): CallScope {
    if (this.#closing.signal.aborted) throw this.#errors.closedError()
    const { signal, timeoutMs = defaultTimeoutMs } = request
    const scope = new CallScope({
      clock: this.#clock,
      timeoutMs,
      timeoutError: () => this.#errors.timeoutError(request),
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
}
