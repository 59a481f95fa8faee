import { type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect as connectTcp, type OnReadOpts, type Socket, type TcpNetConnectOpts } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { PluginError } from '../kube/error.js'
import type { Clock } from '../time/clock.js'
import { type AddressCheck, checkedLookup, checkHost } from './checked-lookup.js'

/** The server to connect to, and how to verify it. */
export interface DialTarget {
  /** The API server's URL. */
  url: URL
  /**
   * The client certificate and its key, read once for all connections. Throws for a certificate or key that cannot be
   * read.
   */
  secureContext: () => SecureContext
  /** The name to expect in the server's certificate; default the URL's host. */
  tlsServerName?: string
  /** Accepts any server certificate; default false. */
  skipTlsVerify?: boolean
  /**
   * Whether a connection to an address of the server is allowed, also after its name was resolved; default all. Not
   * with a proxy.
   */
  allowsAddress?: AddressCheck
  /** A proxy that opens a tunnel for us with CONNECT; default none, whatever the environment says. */
  proxyUrl?: string
  clock: Clock
  /** Gives up connections that are still being opened. */
  signal: AbortSignal
  /** The time limit for TCP, proxy and TLS together, in milliseconds; default 10,000. */
  connectTimeoutMs?: number
}

/**
 * Opens a connection: TCP, through the proxy if there is one, then TLS for an `https:` URL.
 *
 * @param protocols the protocols to offer by ALPN, `h2` or `http/1.1`; the socket's `alpnProtocol` names the chosen one
 * @param onread the buffer that the socket reads into; through a proxy it nevertheless emits `data`
 */
export async function dial(
  target: DialTarget,
  protocols: string[],
  onread?: OnReadOpts,
): Promise<Socket | TLSSocket> {
  const { clock, signal, connectTimeoutMs = 10_000 } = target
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const cancel = clock.schedule(connectTimeoutMs, () => controller.abort(timeoutError(connectTimeoutMs)))
  try {
    const socket = await openSocket(target, { protocols, onread }, controller.signal)
    return socket.setNoDelay(true).setKeepAlive(true, 15_000)
  } finally {
    cancel()
    signal.removeEventListener('abort', onAbort)
  }
}

/** The error of a connection that takes too long, with the system's code for that. */
const timeoutError = (limitMs: number) =>
  Object.assign(new Error(`no connection within ${limitMs / 1000} s`), { code: 'ETIMEDOUT' })

/** The options of {@link dial} for the socket. */
interface SocketOptions {
  protocols: string[]
  onread: OnReadOpts | undefined
}

/** Opens the socket: TCP or a tunnel, and TLS over it for an `https:` URL. */
async function openSocket(
  target: DialTarget,
  { protocols, onread }: SocketOptions,
  signal: AbortSignal,
): Promise<Socket> {
  // Before the tunnel, which would stay open if a certificate cannot be used.
  const tls = target.url.protocol === 'https:' ? tlsOptions(target) : undefined
  const endpoint = target.proxyUrl ? { socket: await openTunnel(target, signal) } : checkedAddress(target)
  if (tls) {
    const options = {
      ...endpoint,
      ...tls,
      ALPNProtocols: protocols,
      ...(onread && { onread }),
    }
    return whenOpened(connectTls(options), 'secureConnect', signal)
  }
  return 'socket' in endpoint ? endpoint.socket : whenOpened(connectTcp(endpoint), 'connect', signal)
}

/**
 * Host and port of the server, and the function that resolves its name. Throws if the host is an address that is not
 * allowed.
 */
function checkedAddress({ url, allowsAddress }: DialTarget): TcpNetConnectOpts {
  const address = addressOf(url)
  if (!allowsAddress) return address
  checkHost(address.host, allowsAddress)
  return { ...address, lookup: checkedLookup(allowsAddress) }
}

/** Host and port of a URL; a missing port follows from the scheme. */
export function addressOf(url: URL): { host: string; port: number } {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) }
}

function tlsOptions({ secureContext, url, tlsServerName, skipTlsVerify }: DialTarget): ConnectionOptions {
  const { host } = addressOf(url)
  return {
    secureContext: secureContext(),
    host,
    ...(tlsServerName && { servername: tlsServerName }),
    rejectUnauthorized: !skipTlsVerify,
  }
}

/** Resolves with a socket after its event; rejects with its error, or destroys it when the signal aborts. */
function whenOpened<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  return new Promise((resolve, reject) => {
    const onAbort = () => socket.destroy(signal.reason)
    const settle = () => {
      signal.removeEventListener('abort', onAbort)
      socket.removeListener('error', onError)
    }
    const onError = (error: Error) => {
      settle()
      reject(error)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('error', onError)
    socket.once(event, () => {
      settle()
      resolve(socket)
    })
  })
}

/** Opens a tunnel to the server through a proxy, by CONNECT. */
function openTunnel({ url, proxyUrl = '' }: DialTarget, signal: AbortSignal): Promise<Socket> {
  const proxy = checkedProxy(proxyUrl)
  const request = tunnelRequest(proxy, url, signal)
  return new Promise((resolve, reject) => {
    request.once('error', (error) => reject(signal.aborted ? signal.reason : error))
    request.once('response', ({ statusCode }) =>
      reject(new Error(`the proxy ${proxy.host} answered ${statusCode} to CONNECT`)),
    )
    request.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy ${proxy.host} answered ${statusCode} to CONNECT`))
    })
    request.end()
  })
}

/** The URL of a proxy. Throws `PluginError` `INVALID_KUBECONFIG` if its scheme is not supported. */
function checkedProxy(proxyUrl: string): URL {
  const proxy = new URL(proxyUrl)
  if (/^https?:$/.test(proxy.protocol)) return proxy
  throw new PluginError(
    'INVALID_KUBECONFIG',
    `the kubeconfig's proxy-url has the scheme ${proxy.protocol}, which is not supported; use http: or https:.`,
  )
}

/** The request for a tunnel to a server, with the credentials of the proxy's URL. It is not sent yet. */
function tunnelRequest(proxy: URL, server: URL, signal: AbortSignal): ClientRequest {
  const { host, port } = addressOf(server)
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`)
  return (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    ...addressOf(proxy),
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(proxy.username && {
        'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    },
    signal,
  })
}
