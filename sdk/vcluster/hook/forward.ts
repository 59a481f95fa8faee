import type { Duplex } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import type { Caller } from '../../engine/kube/caller.js'
import { impersonationOf } from '../../engine/transport/impersonation.js'
import type { Transport, TransportRequest, TransportUpgrade } from '../../engine/transport/transport.js'
import type { ForwardOptions } from './interceptor.js'
import { statusResponse } from './status-response.js'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The longest body that an API server accepts, in bytes. */
const maxBodyBytes = 3 * 1024 * 1024

/** The unauthenticated user, as an API server names it. */
const anonymous: Caller = { user: 'system:anonymous', groups: ['system:unauthenticated'] }

/** Headers that are not forwarded, because they belong to this connection, to its encoding or to its credentials. */
const connectionHeaders =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|accept-encoding|authorization|impersonate-.*|x-remote-.*|x-forwarded-.*)$/

/** The answer `101 Switching Protocols` with the connection, which speaks the other protocol (exec, port-forward). */
export class UpgradedResponse extends Response {
  // The constructor of Response does not accept this status.
  override readonly status = 101
  readonly socket: Duplex

  constructor(headers: Record<string, string>, socket: Duplex) {
    super(null, { headers })
    this.socket = socket
  }
}

/** Passes a request on to an API server and returns its response as a stream; see {@link InterceptContext.forward}. */
export async function forward(
  transport: Transport,
  request: Request,
  { as = anonymous }: ForwardOptions = {},
): Promise<Response> {
  const method = methods.find((candidate) => candidate === request.method)
  if (method === undefined)
    return statusResponse(405, 'MethodNotAllowed', `${request.method} is not passed on to an API server`)
  const { pathname, search } = new URL(request.url)
  const forwarded: TransportRequest = {
    method,
    path: pathname + search,
    headers: headersOf(request),
    signal: request.signal,
    ...(as !== 'plugin' && { as: impersonationOf(as) }),
  }
  if (request.headers.has('upgrade')) return upgrade(transport, forwarded, request)
  if (method === 'GET') return streamedResponse(await transport.stream(forwarded))
  const body = await bodyOf(request)
  if (body === undefined)
    return statusResponse(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`)
  const answer = await transport.request({ ...forwarded, ...(body.length > 0 && { body }) })
  return responseWith(answer.status, answer.headers, answer.body)
}

function headersOf({ headers }: Request): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !connectionHeaders.test(name)))
}

async function upgrade(
  transport: Transport,
  forwarded: TransportRequest,
  { headers }: Request,
): Promise<Response> {
  if (!transport.upgrade)
    return statusResponse(501, 'NotImplemented', 'there is no connection to pass an upgrade on to')
  const upgradeHeaders = { connection: 'Upgrade', upgrade: headers.get('upgrade') ?? '' }
  const answer = await transport.upgrade({
    ...forwarded,
    headers: { ...forwarded.headers, ...upgradeHeaders },
  })
  return answer.socket ? new UpgradedResponse(answer.headers, answer.socket) : streamedResponse(answer)
}

/** The body; undefined if it is longer than any API server accepts. */
async function bodyOf({ body }: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const streamedResponse = ({ status, headers, chunks }: TransportUpgrade) =>
  responseWith(status, headers, ReadableStream.from(chunks))

/** Statuses whose responses have no body; the constructor of Response rejects a body for them. */
const statusesWithoutBody = [204, 205, 304]

/** Makes a response without a content-length, because the interceptor may change the body. */
function responseWith(
  status: number,
  headers: Record<string, string>,
  body: Uint8Array | ReadableStream,
): Response {
  const forwardedHeaders = Object.entries(headers).filter(([name]) => !connectionHeaders.test(name))
  return new Response(statusesWithoutBody.includes(status) ? null : body, {
    status,
    headers: forwardedHeaders,
  })
}
