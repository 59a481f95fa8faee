import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto)

/** A certificate and its key as PEM. */
export interface Pair {
  cert: string
  key: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

/** A certificate authority that issues certificates for loopback servers and for clients. */
export async function createAuthority(): Promise<{ ca: string; issue(name: string): Promise<Pair> }> {
  const keys = await newKeys()
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test-ca',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const signer = { issuer: ca.subject, signingKey: keys.privateKey }
  return { ca: ca.toString('pem'), issue: (name) => issuePair(name, signer) }
}

async function issuePair(
  name: string,
  signer: Pick<x509.X509CertificateCreateWithKeyParams, 'issuer' | 'signingKey'>,
): Promise<Pair> {
  const keys = await newKeys()
  const cert = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    ...signer,
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: name },
      ]),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    cert: cert.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
  }
}

/** The request handler of a test's server; `stream` is set for a request over HTTP/2. */
export type Handler = (
  request: IncomingMessage & { stream?: ServerHttp2Stream },
  response: ServerResponse,
) => void

/** A server on a free loopback port that counts what reaches it. */
export interface LocalServer {
  url: string
  port: number
  /** How many TCP connections came in so far. */
  connections(): number
  sessions: Set<ServerHttp2Session>
  sockets: Set<Socket>
  server: Server
  close(): Promise<void>
}

/** Options of {@link startServer}. */
export interface LocalServerOptions {
  handler: Handler
  /** Default none, which means plain HTTP. */
  pair?: Pair
  /** Clients must show a certificate of this authority; default they need not. */
  clientCa?: string
  /** Whether TLS servers speak HTTP/2 too; default true. */
  http2?: boolean
  /** Default 100, as a real API server. */
  maxConcurrentStreams?: number
}

/** Starts a server; the caller closes it. */
export async function startServer(options: LocalServerOptions): Promise<LocalServer> {
  const { handler, pair, clientCa, http2 = true, maxConcurrentStreams = 100 } = options
  const tls = { ...pair, ...(clientCa && { ca: clientCa, requestCert: true, rejectUnauthorized: true }) }
  const settings = { maxConcurrentStreams }
  const listener = handler as unknown as (request: Http2ServerRequest, response: Http2ServerResponse) => void
  const secure = () =>
    http2
      ? createSecureServer({ ...tls, allowHTTP1: true, settings }, listener)
      : createHttpsServer(tls, handler)
  const server: Server = pair ? secure() : createServer(handler)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
  })
  const counted = await listen(server)
  const close = async () => {
    for (const session of sessions) session.destroy()
    await counted.close()
  }
  const { port } = counted
  return { ...counted, url: `${pair ? 'https' : 'http'}://127.0.0.1:${port}`, sessions, close }
}

async function listen(server: Server) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { port, sockets, server, connections: () => connections, close }
}

/** A TCP relay in front of a server whose wires can be cut without either end noticing. */
export async function startRelay(port: number): Promise<LocalServer & { cut(): void }> {
  let silent = false
  const relay = createTcpServer((inner) => {
    const outer = connect(port, '127.0.0.1')
    outer.on('error', () => inner.destroy())
    inner.on('data', (chunk) => silent || outer.write(chunk))
    outer.on('data', (chunk) => silent || inner.write(chunk))
    inner.once('close', () => outer.destroy())
    outer.once('close', () => silent || inner.destroy())
  })
  const counted = await listen(relay)
  const cut = () => {
    silent = true
  }
  return { ...counted, url: `https://127.0.0.1:${counted.port}`, sessions: new Set(), cut }
}
