import type { ApiServer } from '../apiserver/api-server.js'
import { abortSignalOf } from '../sdk/engine/time/cancellation.js'
import { impersonationHeaders } from '../sdk/engine/transport/credential.js'
import type { Impersonation } from '../sdk/engine/transport/kubeconfig.js'
import type {
  Transport,
  TransportRequest,
  TransportResponse,
  TransportStream,
} from '../sdk/engine/transport/transport.js'
import { bodyOf } from './body-of.js'

/**
 * A transport that calls an embedded API server directly, without sockets and HTTP.
 *
 * @example
 * ```ts
 * const server = await createApiServer()
 * const transport = inProcessTransport(server)
 * const { status } = await transport.request({ method: 'GET', path: '/api/v1/namespaces/default' })
 * console.log(status) // 200
 * await transport.close()
 * ```
 */
export function inProcessTransport(server: Pick<ApiServer, 'handle'>): Transport {
  return new InProcessTransport(server)
}

const encoder = new TextEncoder()

class InProcessTransport implements Transport {
  readonly #server: Pick<ApiServer, 'handle'>
  readonly #closed = new AbortController()

  constructor(server: Pick<ApiServer, 'handle'>) {
    this.#server = server
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const { chunks, ...head } = await this.stream(request)
    return { ...head, body: await bodyOf(chunks, request) }
  }

  async stream({
    method,
    path,
    headers = {},
    as,
    body,
    signal,
    beforeSend,
  }: TransportRequest): Promise<TransportStream> {
    const cancelled = signal
      ? AbortSignal.any([abortSignalOf(signal), this.#closed.signal])
      : this.#closed.signal
    cancelled.throwIfAborted()
    const bytes = typeof body === 'string' ? encoder.encode(body) : body
    beforeSend?.()
    const answer = await this.#server.handle({
      method,
      path,
      headers: { ...headers, ...asHeaders(as) },
      signal: cancelled,
      ...(bytes && { body: bytes }),
    })
    return { status: answer.status, headers: answer.headers, chunks: chunksOf(answer.body, cancelled) }
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error('the transport was closed'))
  }
}

/** A header with several values becomes one text, with one line per value. */
function asHeaders(as: Impersonation | undefined): Record<string, string> {
  const headers = Object.entries(impersonationHeaders(as))
  return Object.fromEntries(headers.map(([name, values]) => [name, [values].flat().join('\n')]))
}

async function* chunksOf(
  body: Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else yield* body
  signal.throwIfAborted()
}
