import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { KeyPair } from '../../sdk/engine/kube/certificate/certificate-authority.js'
import { headerSeparator } from '../access/impersonation.js'
import { ConnectionReset } from '../faults/connection-reset.js'
import type { ApiRequest, ApiResponse } from '../request/request.js'
import { type Caller, callerOfCertificate } from './client-certificate.js'
import { hostProblem, refuseHost } from './host-problem.js'
import { closeUnreadBody, readBody, requestEnded } from './request-body.js'
import { resetConnection } from './reset-connection.js'

/** Options of {@link HttpsListener}. */
export interface HttpsListenerOptions {
  /** The certificate that the server presents, and its key. */
  readonly serverKeyPair: KeyPair
  /** The certificate of the authority that client certificates must come from, PEM. */
  readonly authority: string
  /** Serves a request; its `user` is the one of the client certificate, if there is one. */
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>
  /** Called first with each request; by default every request goes to `handle`. */
  readonly intercept?: Intercept | undefined
}

/** Answers a request itself and returns true, or returns false and leaves the request to the server. */
export type Intercept = (request: Http2ServerRequest, response: Http2ServerResponse) => boolean

/** The concurrent streams of one HTTP/2 session, as on a real server. */
const maxConcurrentStreams = 100

/** The limit for the headers of a request and its path, in bytes: Go's `DefaultMaxHeaderBytes`. */
const maxHeaderBytes = 1024 * 1024

/** Node needs a limit for the number of headers; Go has none. */
const maxHeaders = 10_000

/** The headers that are passed to the handler in addition to the impersonation headers. */
const forwardedHeaders = [
  'accept',
  'accept-encoding',
  'audit-id',
  'authorization',
  'content-type',
  'if-none-match',
  'user-agent',
]

/** Serves requests over TLS with HTTP/2 or HTTP/1.1, which the client chooses by ALPN. */
export class HttpsListener {
  readonly #server: Http2SecureServer
  readonly #handle: HttpsListenerOptions['handle']
  readonly #sockets = new Set<Socket>()
  /** The caller of each connection, kept because reading a certificate takes longer than serving a request. */
  readonly #callers = new WeakMap<object, Caller>()

  constructor({ serverKeyPair, authority, handle, intercept = () => false }: HttpsListenerOptions) {
    this.#handle = handle
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert: serverKeyPair.certificate,
      key: serverKeyPair.key,
      ca: authority,
      requestCert: true,
      rejectUnauthorized: false,
      maxHeaderListPairs: maxHeaders,
      settings: { maxConcurrentStreams, maxHeaderListSize: maxHeaderBytes },
    })
    // Node reads these options of its HTTP/1.1 server only from the properties. Node 24 rejects a request
    // with more headers, or without a Host header.
    Object.assign(this.#server, {
      maxHeaderSize: maxHeaderBytes,
      maxHeadersCount: maxHeaders,
      requireHostHeader: false,
    })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#server.on('request', (request, response) => {
      if (!intercept(request, response)) void this.#serve(request, response)
    })
    // A client that breaks the connection ends only its own session.
    this.#server.on('sessionError', () => undefined)
  }

  /** Starts listening and returns the port. Rejects if the port is in use. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)))
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port))
    })
  }

  /** Closes every connection and stops listening. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const problem = hostProblem(request)
    if (problem !== undefined) return refuseHost(response, problem)
    const ended = new AbortController()
    response.once('close', () => ended.abort(requestEnded))
    // A reset stream reports an error besides closing; closing is what ends the request.
    response.on('error', () => ended.abort(requestEnded))
    try {
      const body = await readBody(request)
      const answer = await this.#answer(request, body, ended.signal)
      await writeAnswer(response, answer, ended.signal)
      if (!request.readableEnded) closeUnreadBody(request)
    } catch (error) {
      if (error instanceof ConnectionReset) this.#reset(request, error)
      else if (!ended.signal.aborted) response.stream?.destroy(error instanceof Error ? error : undefined)
      response.destroy?.()
    }
  }

  /** Over HTTP/1.1 a reset breaks the connection; over HTTP/2 it may break only one of many streams. */
  #reset(request: Http2ServerRequest, { wholeConnection }: ConnectionReset): void {
    const { remoteAddress, remotePort } = request.socket
    if (request.httpVersionMajor === 2 && !wholeConnection) {
      request.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
      return
    }
    for (const socket of this.#sockets) {
      const isItsOwn = socket.remotePort === remotePort && socket.remoteAddress === remoteAddress
      if (isItsOwn) resetConnection(socket)
    }
  }

  #answer(request: Http2ServerRequest, body: Buffer, signal: AbortSignal): Promise<ApiResponse> {
    const headers: Record<string, string | undefined> = {}
    for (const name of forwardedHeaders) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    collectImpersonation(request, headers)
    const caller = this.#callerOn(request.socket as TLSSocket)
    return this.#handle({ method: request.method, path: request.url, headers, body, signal, ...caller })
  }

  #callerOn(socket: TLSSocket): Caller {
    const existing = this.#callers.get(socket)
    if (existing !== undefined) return existing
    const caller = callerOfCertificate(socket)
    this.#callers.set(socket, caller)
    return caller
  }
}

/** Impersonation headers may be sent several times; Node joins their values by commas, which may be part of them. */
function collectImpersonation(
  { headers: joined, rawHeaders }: Http2ServerRequest,
  headers: Record<string, string | undefined>,
): void {
  if (!Object.keys(joined).some((name) => name.startsWith('impersonate-'))) return
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!name.startsWith('impersonate-')) continue
    const before = headers[name]
    const value = rawHeaders[index + 1] ?? ''
    headers[name] = before === undefined ? value : `${before}${headerSeparator}${value}`
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error
  const message = `port ${port} on ${host} is in use by another program; choose another port, or 0 for any free one`
  return new Error(message, { cause: error })
}

async function writeAnswer(
  response: Http2ServerResponse,
  answer: ApiResponse,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(answer.status, answer.headers)
  if (answer.body instanceof Uint8Array) {
    response.end(answer.body)
    return
  }
  // Node sends the headers with the first byte of the body, and a client would wait for them.
  flushHeaders(response)
  for await (const chunk of answer.body) {
    if (signal.aborted) return
    if (!response.write(chunk)) await waitForDrain(response, signal)
  }
  response.end()
}

/**
 * Waits until the reader has caught up, so that a slow reader delays only its own stream and no data
 * accumulates.
 */
function waitForDrain(response: Http2ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    response.once('drain', done)
    signal.addEventListener('abort', done, { once: true })
  })
}

function flushHeaders(response: Http2ServerResponse): void {
  if ('flushHeaders' in response && typeof response.flushHeaders === 'function') response.flushHeaders()
}
