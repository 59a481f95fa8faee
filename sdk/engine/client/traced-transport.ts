import type { Tracing } from '../observe/tracing.js'
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.js'

/**
 * A transport that adds a span to each call of a traced run. An API server that traces continues the trace. Streams
 * have no span.
 */
export function tracedTransport(transport: Transport, cluster: string, tracing: Tracing): Transport {
  const request = (untraced: TransportRequest): Promise<TransportResponse> => {
    const { method, path, headers } = untraced
    const [route = ''] = path.split('?')
    const attributes = { cluster, 'http.request.method': method, 'url.path': route }
    return tracing.span({ name: method, kind: 'client', onlyInside: true, attributes }, async (span) => {
      const response = await transport.request({ ...untraced, headers: { ...headers, ...span.headers } })
      span.set({ 'http.response.status_code': response.status })
      return response
    })
  }
  return {
    request,
    stream: (asked) => transport.stream(asked),
    ...(transport.upgrade && { upgrade: (asked: TransportRequest) => transport.upgrade?.(asked) as never }),
    get problem() {
      return transport.problem
    },
    close: () => transport.close(),
  }
}
