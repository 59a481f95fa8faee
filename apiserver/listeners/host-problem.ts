import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** The characters of a host: `validHostByte` of golang.org/x/net/http/httpguts. */
const hostPattern = /^[\w!$%&'()*+,\-.:;=[\]~]*$/

/**
 * The error for the `Host` headers of a request, in the words of Go's HTTP server; undefined if they are
 * valid. HTTP/1.1 needs exactly one, see https://www.rfc-editor.org/rfc/rfc9112#section-3.2. Node accepts any
 * of them on a server for both protocols.
 */
export function hostProblem({ httpVersion, rawHeaders }: Http2ServerRequest): string | undefined {
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return undefined
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  )
  if (hosts.length > 1) return '400 Bad Request'
  const [host] = hosts
  if (host === undefined)
    return httpVersion === '1.1' ? '400 Bad Request: missing required Host header' : undefined
  return hostPattern.test(host) ? undefined : '400 Bad Request: malformed Host header'
}

/** Answers a request that has a {@link hostProblem}, and ends its connection. */
export function refuseHost(response: Http2ServerResponse, problem: string): void {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(problem.length),
    connection: 'close',
  }
  response.writeHead(400, problem.slice('400 '.length), headers)
  response.end(problem)
}
