import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { RuleTable } from '../../sdk/vcluster/hook/rule-table.js'
import { isRemovedHeader, routeOf } from './routes.js'

/** A plugin's interceptor, as vcluster's proxy reaches it. */
export interface Route {
  name: string
  port: number
}

/** A request to the virtual cluster, over HTTP/1.1 or HTTP/2. */
export type ProxiedRequest = Pick<
  IncomingMessage | Http2ServerRequest,
  'method' | 'url' | 'rawHeaders' | 'httpVersionMajor' | 'pipe'
>

/** Forwards a request to the interceptor whose rule it matches; returns false when it matches no rule. */
export function intercept(
  incoming: ProxiedRequest,
  response: ServerResponse | Http2ServerResponse,
  rules: RuleTable<Route>,
): boolean {
  const route = routeTo(incoming, rules)
  if (!route) return false
  const sent = send(incoming, route)
  sent.once('response', (answer) => answerWith(response, answer, incoming.httpVersionMajor === 2))
  sent.once('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502).end()
  })
  response.once('close', () => sent.destroy())
  incoming.pipe(sent)
  return true
}

/** The interceptor whose rule a request matches. */
export function routeTo(
  { method = 'GET', url = '/' }: Pick<ProxiedRequest, 'method' | 'url'>,
  rules: RuleTable<Route>,
): Route | undefined {
  return routeOf(rules, { method, url: `http://localhost${url}` })
}

/** Starts the request to an interceptor. The header with its name comes after the headers of the client. */
export function send(
  { method, url, rawHeaders }: Omit<ProxiedRequest, 'pipe'>,
  { name, port }: Route,
): ClientRequest {
  const headers = pairsOf(rawHeaders).flatMap(([header, value]) => {
    if (header === ':authority') return ['Host', value]
    return header.startsWith(':') || isRemovedHeader(header) ? [] : [header, value]
  })
  headers.push('Vcluster-Plugin-Handler-Name', name)
  return httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
}

/** Headers that belong to one connection. HTTP/2 does not have them. */
const ofConnection = /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade)$/i

function answerWith(
  response: ServerResponse | Http2ServerResponse,
  answer: IncomingMessage,
  isHttp2: boolean,
): void {
  const headers = new Map<string, string[]>()
  for (const [name, value] of pairsOf(answer.rawHeaders)) {
    if (isHttp2 && ofConnection.test(name)) continue
    const values = headers.get(name.toLowerCase())
    if (values) values.push(value)
    else headers.set(name.toLowerCase(), [value])
  }
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers))
  if ('flushHeaders' in response) response.flushHeaders()
  answer.on('error', () => response.destroy()).pipe(response)
}

function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  return pairs
}
