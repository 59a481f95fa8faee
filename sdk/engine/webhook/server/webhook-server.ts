/**
 * Serves webhooks by HTTPS: one handler for each path. It speaks HTTP/1.1 only and limits the size and the time of
 * requests. It answers as soon as it has a certificate; before that, TLS handshakes fail. Its log lines never contain a
 * request or the message of an error of user code, because both may hold content of objects.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { AnswersUnderWay } from '../../certificate/answers-under-way.js'
import { OpenSockets } from '../../certificate/open-sockets.js'
import type { KeyPair } from '../../kube/certificate/certificate-authority.js'
import { PluginError } from '../../kube/error.js'
import { parseJson, stringifyJson } from '../../kube/json.js'
import { listenProblem } from '../../kube/listen-problem.js'
import type { Logger } from '../../observe/logger.js'
import { type Clock, sleep } from '../../time/clock.js'
import { ReviewError } from '../review/review-error.js'
import type { BodyLimits } from './body-limits.js'
import { errorOutline } from './error-outline.js'
import { RequestBodies } from './request-bodies.js'
import { ServedCertificate } from './served-certificate.js'

/**
 * Answers the JSON body of a request, or a promise of the answer. A thrown `ReviewError` determines the status of the
 * answer; any other error gives status 500.
 */
export type ReviewHandler = (review: unknown) => unknown

/** A path that the server answers. */
export interface ServedReview {
  readonly limits: BodyLimits
  readonly answer: ReviewHandler
}

/** Options of {@link WebhookServer}. */
export interface WebhookServerOptions {
  host?: string | undefined
  port: number
  /** The advice in the error if the port cannot be opened, for example `set webhooks.port to another one`. */
  cure: string
  /** The reviews that are served, by path. */
  handlers: ReadonlyMap<string, ServedReview>
  logger: Logger
  clock: Clock
  /** How long the server continues to answer after {@link WebhookServer.drain}, in milliseconds; default 5,000. */
  drainMs?: number | undefined
  /** The maximum number of connections; default 1,000. */
  maxConnections?: number | undefined
}

const headerTimeoutMs = 10_000
/** The time limit for a whole request, in milliseconds. API servers send their requests at once. */
const requestTimeoutMs = 15_000

/** The time for the answers under way when the server closes, in milliseconds. */
const answerLimitMs = 10_000

/**
 * The maximum number of connections, because each costs memory. The oldest connection without a request makes room for
 * a new one.
 */
const defaultMaxConnections = 1_000

/** The HTTPS server of the webhooks of one replica. */
export class WebhookServer {
  readonly #options: WebhookServerOptions
  readonly #server: Server
  readonly #sockets: OpenSockets
  readonly #answers = new AnswersUnderWay()
  readonly #bodies = new RequestBodies()
  #certificate: ServedCertificate | undefined
  #drained: Promise<void> | undefined

  constructor(options: WebhookServerOptions) {
    this.#options = options
    this.#server = createServer(
      {
        ALPNProtocols: ['http/1.1'],
        minVersion: 'TLSv1.2',
        handshakeTimeout: headerTimeoutMs,
        headersTimeout: headerTimeoutMs,
        requestTimeout: requestTimeoutMs,
        connectionsCheckingInterval: 1000,
        maxHeaderSize: 16_384,
      },
      (request, response) => {
        this.#answers.add(response)
        const done = this.#sockets.beginRequest(request.socket)
        void this.#respond(request, response).finally(done)
      },
    )
    this.#sockets = new OpenSockets(this.#server, {
      maxSockets: options.maxConnections ?? defaultMaxConnections,
    })
    // A client that breaks off a handshake is not a fault of the program, unless it refuses the certificate.
    this.#server.on('tlsClientError', (error) => this.#warn(this.#certificate?.refusalBy(error)))
  }

  /** Resolves when the port is open. Throws `PluginError` `CANNOT_LISTEN`. */
  listen(): Promise<void> {
    const { host, port, cure } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `cannot listen on port ${port} for webhooks: ${listenProblem(cause)}; ${cure}`
        reject(new PluginError('CANNOT_LISTEN', message, { cause }))
      })
      this.#server.listen({ port, ...(host !== undefined && { host }) }, resolve)
      this.#server.unref()
    })
  }

  /** The port that the server listens on. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port
  }

  /**
   * Serves another certificate from now on; connections that are open stay. Throws if the key does not belong to the
   * certificate.
   */
  use({ certificate, key }: KeyPair): void {
    this.#server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' })
    this.#certificate = new ServedCertificate(certificate)
    this.#warn(this.#certificate.expiredProblem(this.#options.clock.date()))
  }

  #warn(problem: string | undefined): void {
    if (problem !== undefined) this.#options.logger.warn({ names: this.#certificate?.names }, problem)
  }

  /** Why the server is not ready; undefined if it is ready. */
  get problem(): string | undefined {
    if (this.#drained) return 'the webhooks are about to stop'
    if (!this.#server.listening) return 'the webhooks do not listen yet'
    if (!this.#certificate) return 'the webhooks have no certificate yet'
    return this.#certificate.expiredProblem(this.#options.clock.date())
  }

  /** Makes the server not ready. It still answers until the API server and the Service have noticed. */
  drain(): void {
    const { clock, drainMs = 5000 } = this.#options
    this.#drained ??= this.#server.listening ? sleep(clock, drainMs) : Promise.resolve()
  }

  /**
   * Closes the port when it is drained, waits for the answers under way, and closes all connections. An API server
   * keeps connections open on which it has never sent a request.
   */
  async close(): Promise<void> {
    this.drain()
    await this.#drained
    const destroy = () => this.#sockets.destroy()
    await this.#answers.close(this.#server, { clock: this.#options.clock, limitMs: answerLimitMs, destroy })
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?')
    const { status, body, type } = await this.#answer(path, request)
    if (this.#drained) response.setHeader('connection', 'close')
    response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' })
    response.end(body)
    // The rest of a body that is too large is not read.
    if (!request.complete) request.destroy()
  }

  async #answer(
    path: string,
    request: IncomingMessage,
  ): Promise<{ status: number; body: string; type: string }> {
    try {
      const handler = this.#options.handlers.get(path)
      if (!handler) throw new ReviewError(404, 'there is no webhook at this path')
      return await this.#bodies.withBody(request, handler.limits, async (body) => {
        const answer = await handler.answer(reviewOf(body))
        return { status: 200, body: stringifyJson(answer), type: 'application/json' }
      })
    } catch (error) {
      return this.#failed(path, error)
    }
  }

  #failed(path: string, error: unknown): { status: number; body: string; type: string } {
    const type = 'text/plain; charset=utf-8'
    const isOurs = error instanceof ReviewError
    const status = isOurs ? error.status : 500
    const isKnown = this.#options.handlers.has(path)
    const fields = isKnown ? { path, error: errorOutline(error) } : { status }
    if (isKnown) this.#options.logger.warn(fields, 'a webhook could not answer')
    return {
      status,
      body: isOurs ? `${error.message}\n` : `the webhook failed: ${errorOutline(error).type}\n`,
      type,
    }
  }
}

/**
 * Parses a body. An error of `parseJson` contains a position and no content, so it is answered. An error of user code
 * may have the same type, and is not answered.
 */
function reviewOf(body: Uint8Array): unknown {
  try {
    return parseJson(body)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ReviewError(400, cause.message, { cause })
  }
}
