import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { createSecureContext, createServer, type SecureContextOptions, type Server } from 'node:tls'
import { OpenSockets } from '../../engine/certificate/open-sockets.js'
import { formatAddress, type ListenAddress } from '../../engine/health/listen-address.js'
import { PluginError } from '../../engine/kube/error.js'
import { listenProblem } from '../../engine/kube/listen-problem.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { CertificateSet } from './certificate-set.js'
import { refusalText } from './client-refusal.js'
import type { TlsFiles } from './server-options.js'

/** The operator speaks TLS 1.3 only. */
const minVersion = 'TLSv1.3'

/** A refusal is logged again after this time, in milliseconds: the operator tries again and again. */
const logAgainMs = 60_000

/** Options of {@link TlsListener}. */
export interface TlsListenerOptions {
  set: CertificateSet
  /** The files of the certificates, for messages. */
  files: TlsFiles
  /** Called with each connection of a client whose certificate is trusted. */
  onConnection: (connection: Duplex) => void
  logger: Logger
  clock: Clock
  /** Default 1,000. */
  maxConnections?: number | undefined
  /** The longest handshake, in milliseconds; default 10,000. */
  handshakeTimeoutMs?: number | undefined
}

/**
 * The default limit of open connections. Above it the oldest one without a handshake is closed, so that clients without
 * a certificate cannot keep out the operator, which needs only a few.
 */
const defaultMaxConnections = 1_000

/**
 * Mutual TLS in front of the gRPC server. The certificates can be replaced while it listens; open connections stay.
 * A client that is refused is logged here; the gRPC server gets only the connections of trusted clients.
 */
export class TlsListener {
  readonly #options: TlsListenerOptions
  readonly #server: Server
  readonly #loggedAtMs = new Map<string, number>()

  constructor(options: TlsListenerOptions) {
    this.#options = options
    const { maxConnections = defaultMaxConnections, handshakeTimeoutMs: handshakeTimeout = 10_000 } = options
    const required = { requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] }
    this.#server = createServer({ ...required, handshakeTimeout, ...contextOf(options.set) }, (socket) => {
      // An error of a connection ends its calls; without a listener it would end the process.
      socket.on('error', () => {})
      socket.once('close', sockets.beginRequest(socket))
      options.onConnection(socket)
    })
    const onMakeRoom = () =>
      this.#logOnce(
        `a connection without a handshake was closed: there were more than ${maxConnections}. The operator needs a few; look for other programs that call, and keep them out by a NetworkPolicy`,
      )
    const sockets = new OpenSockets(this.#server, { maxSockets: maxConnections, onMakeRoom })
    this.#server.on('tlsClientError', (error, socket) => {
      // Node reports a handshake timeout, but leaves the connection open.
      if (Object(error).code === 'ERR_TLS_HANDSHAKE_TIMEOUT') socket.destroy()
      const { authorizationError } = socket
      this.#logOnce(refusalText({ error, authorizationError }, options.files))
    })
  }

  /** Returns the address that it listens on. Throws `PluginError` `CANNOT_LISTEN`. */
  listen(address: ListenAddress): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `cannot listen on --server-address ${formatAddress(address)}: ${listenProblem(cause)}; stop the program that listens there, or use another address`
        reject(new PluginError('CANNOT_LISTEN', message, { cause }))
      })
      this.#server.listen(address, () => resolve(this.#server.address() as AddressInfo))
    })
  }

  /** Serves other certificates from now on. Throws, and changes nothing, if they cannot be served. */
  replace(set: CertificateSet): void {
    createSecureContext(contextOf(set))
    this.#server.setSecureContext(contextOf(set))
  }

  /** Takes no more connections; open ones stay. */
  close(): void {
    this.#server.close()
  }

  #logOnce(text: string | undefined): void {
    if (text === undefined) return
    const nowMs = this.#options.clock.now()
    if (nowMs - (this.#loggedAtMs.get(text) ?? Number.NEGATIVE_INFINITY) < logAgainMs) return
    this.#loggedAtMs.set(text, nowMs)
    this.#options.logger.warn({}, text)
  }
}

/** The options of a secure context. Without `minVersion` a replaced context would allow TLS 1.2. */
function contextOf({ certificate, key, clientAuthority }: CertificateSet): SecureContextOptions {
  return { cert: certificate, key, ca: clientAuthority, minVersion }
}
