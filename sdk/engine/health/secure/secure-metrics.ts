/**
 * Serves `/metrics` by HTTPS to clients that may read the metrics. Until the cluster that decides about readers is
 * known, requests get 503. Because it may listen on all addresses, it serves nothing else, and its log lines contain
 * nothing of a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { AnswersUnderWay } from '../../certificate/answers-under-way.js'
import { followCertificateFiles } from '../../certificate/certificate-files.js'
import { OpenSockets } from '../../certificate/open-sockets.js'
import { issueCertificate, renewalTime } from '../../certificate/serving-certificate.js'
import type { KeyPair } from '../../kube/certificate/certificate-authority.js'
import { PluginError } from '../../kube/error.js'
import { listenProblem } from '../../kube/listen-problem.js'
import { errorFacts } from '../../observe/error-facts.js'
import type { Logger } from '../../observe/logger.js'
import type { Clock } from '../../time/clock.js'
import { formatAddress, type ListenAddress } from '../listen-address.js'
import type { PrometheusMetrics } from '../prometheus-metrics.js'
import type { MetricsReaders, ReaderAnswer } from './metrics-readers.js'

/** Options of {@link SecureMetrics}. */
export interface SecureMetricsOptions extends ListenAddress {
  /** The name of the program, for the certificate that the program makes. */
  name: string
  metrics: PrometheusMetrics
  logger: Logger
  clock: Clock
  /**
   * The folder with `tls.crt` and `tls.key`, for clients that verify the certificate. Default none: the program makes a
   * certificate at its start, which no client can verify.
   */
  folder?: string | undefined
}

const lifeMs = 365 * 86_400_000
const headersTimeoutMs = 10_000
/** The time for the answers under way when the server closes, in milliseconds. */
const answerLimitMs = 2000

const refusals: Readonly<Record<Exclude<ReaderAnswer, 'allowed'>, readonly [number, string]>> = {
  unauthenticated: [401, 'Send the token of a service account: Authorization: Bearer TOKEN.\n'],
  forbidden: [403, 'The user of this token needs the permission get of the nonResourceURL /metrics.\n'],
  busy: [429, 'Too many tokens are being reviewed; come again.\n'],
}

/** The HTTPS server of the metrics of a program. */
export class SecureMetrics {
  readonly #options: SecureMetricsOptions
  readonly #server: Server
  readonly #sockets: OpenSockets
  readonly #answers = new AnswersUnderWay()
  readonly #ended = new AbortController()
  #readers: MetricsReaders | undefined
  #renewAtMs = Number.POSITIVE_INFINITY

  constructor(options: SecureMetricsOptions) {
    this.#options = options
    this.#server = createServer(
      { minVersion: 'TLSv1.2', handshakeTimeout: headersTimeoutMs, headersTimeout: headersTimeoutMs },
      (request, response) => {
        this.#answers.add(response)
        void this.#respond(request, response)
      },
    )
    this.#sockets = new OpenSockets(this.#server)
    this.#server.requestTimeout = headersTimeoutMs
    // A client that breaks off a handshake is not a fault of the program.
    this.#server.on('tlsClientError', () => {})
  }

  /** Resolves when the port is open. Throws `PluginError` `CANNOT_LISTEN`. */
  async listen(): Promise<void> {
    const { port, host, folder, logger, clock } = this.#options
    const address = { port, ...(host !== undefined && { host }) }
    const use = (pair: KeyPair) => this.#use(pair)
    if (folder) void followCertificateFiles({ folder, use, logger, clock, signal: this.#ended.signal })
    else this.#issue()
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `cannot listen on SECURE_METRICS_ADDRESS ${formatAddress(address)}: ${listenProblem(cause)}; choose another port`
        reject(new PluginError('CANNOT_LISTEN', message, { cause }))
      })
      this.#server.listen(address, resolve)
      this.#server.unref()
    })
    logger.info({ port: this.port }, 'metrics are served by HTTPS')
  }

  /** The port that it listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port
  }

  /** Sets who decides about readers; from then on requests are answered. */
  attach(readers: MetricsReaders): void {
    this.#readers = readers
  }

  async close(): Promise<void> {
    this.#ended.abort()
    const { clock } = this.#options
    const destroy = () => this.#sockets.destroy()
    await this.#answers.close(this.#server, { clock, limitMs: answerLimitMs, destroy })
  }

  #use({ certificate, key }: KeyPair): void {
    this.#server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' })
  }

  #issue(): void {
    const { name, clock } = this.#options
    const issued = issueCertificate({ dnsNames: [name], addresses: [] }, { now: clock.date(), lifeMs })
    this.#renewAtMs = renewalTime(issued.certificate)
    this.#use(issued)
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#options.clock.date().getTime() > this.#renewAtMs) this.#issue()
    const { status, type, body } = await this.#answer(request)
    response.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #answer({ method, url = '/', headers, socket }: IncomingMessage) {
    const { metrics, logger } = this.#options
    const [path] = url.split('?')
    if (path !== '/metrics') return plain(404, 'There is /metrics here.\n')
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Metrics are read with GET.\n')
    if (!this.#readers) return plain(503, 'The program has not opened its cluster yet.\n')
    try {
      const answer = await this.#readers.check(headers.authorization, socket.remoteAddress ?? '')
      if (answer !== 'allowed') return plain(...refusals[answer])
      return { status: 200, type: metrics.contentType, body: await metrics.text() }
    } catch (error) {
      logger.warn({ error: errorFacts(error) }, 'metrics were refused: their reader could not be reviewed')
      return plain(503, 'The API server could not be asked who you are.\n')
    }
  }
}

const plain = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })
