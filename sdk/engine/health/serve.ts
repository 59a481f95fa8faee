/**
 * Serves the probes and metrics of a program by HTTP, and the pages that an entry point adds, such as the inspector.
 *
 * The server answers while the program starts, waits, works and fails. It listens on loopback by default, and there it
 * rejects requests that name another host. All paths are read-only. The given checks decide what is healthy.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AnswersUnderWay } from '../certificate/answers-under-way.js'
import { PluginError } from '../kube/error.js'
import { listenProblem } from '../kube/listen-problem.js'
import { systemClock } from '../time/clock.js'
import { type HealthCheck, runChecks } from './health.js'
import { formatAddress, isLoopback, type ListenAddress, listenAddress } from './listen-address.js'
import { isLocalName } from './local-name.js'
import type { Pages } from './pages.js'
import type { PrometheusMetrics } from './prometheus-metrics.js'

/** The time for the answers under way when the server closes, in milliseconds. */
const answerLimitMs = 2000

/** Options of {@link serveInspection}. */
export interface ServeInspectionOptions {
  /** `host:port` to listen on; port 0 takes a free one. */
  address: string
  metrics: PrometheusMetrics
  /** The checks of `/healthz` and `/livez`: if one fails, the process should be restarted. */
  live: () => readonly HealthCheck[]
  /** The checks of `/readyz`: if one fails, the process is not ready. */
  ready: () => readonly HealthCheck[]
  /**
   * Whether other machines may read `/metrics` by HTTPS only: then this address serves it on loopback only. Default
   * false.
   */
  isSecure?: boolean
  /** Pages that are served in addition to probes and metrics; default none. */
  pages?: Pages
}

/** An inspection server that listens. */
export interface Inspection {
  /** The URL of the server, for example `http://127.0.0.1:40123`. */
  readonly url: string
  close(): Promise<void>
}

interface AnswerOptions extends ServeInspectionOptions {
  hasMetrics: boolean
}

interface Answer {
  status: number
  contentType: string
  body: string
}

/** Starts to listen. Throws `PluginError` with code `INVALID_ADDRESS` or `CANNOT_LISTEN`. */
export async function serveInspection(options: ServeInspectionOptions): Promise<Inspection> {
  const address = listenAddress('METRICS_ADDRESS', options.address, { canBeOff: true })
  const isLocal = isLoopback(address)
  const answers = new AnswersUnderWay()
  const server = createServer((request, response) => {
    // A page may stream for as long as it is open.
    if (!options.pages?.isFor(pathOf(request))) answers.add(response)
    const isForeign = isLocal && !isLocalName(request.headers.host)
    const hasMetrics = isLocal || !options.isSecure
    void (isForeign ? refuse(response) : respond(request, response, { ...options, hasMetrics }))
  })
  // A probe or a scrape is short; a hanging request must not keep the process from ending.
  server.requestTimeout = 10_000
  await listen(server, address)
  server.unref()
  const bound = server.address() as AddressInfo
  const { host = bound.address } = address
  const destroy = () => server.closeAllConnections()
  const close = () => answers.close(server, { clock: systemClock, limitMs: answerLimitMs, destroy })
  return { url: `http://${formatAddress({ host, port: bound.port })}`, close }
}

/**
 * Refuses a request of a page whose host name was made to resolve to loopback (DNS rebinding). Its Host header gives it
 * away.
 */
function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(
    'This address is asked as localhost, 127.0.0.1 or [::1] only; METRICS_ADDRESS chooses another.\n',
  )
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?')[0] ?? '/'

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: AnswerOptions,
): Promise<void> {
  const { method } = request
  const isReading = method === 'GET' || method === 'HEAD'
  const path = pathOf(request)
  const { pages } = options
  if (isReading && pages?.isFor(path)) return pages.respond(request, response)
  const { status, contentType, body } = isReading ? await answer(path, options).catch(unreadable) : readOnly
  response.writeHead(status, {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(!isReading && { allow: 'GET, HEAD' }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}

async function answer(
  path: string,
  { metrics, live, ready, pages, hasMetrics }: AnswerOptions,
): Promise<Answer> {
  if (path === '/healthz' || path === '/livez') return healthAnswer(live())
  if (path === '/readyz') return healthAnswer(ready())
  if (path === '/metrics' && !hasMetrics)
    return plain(404, 'The metrics are served by HTTPS, at another port.\n')
  if (path === '/metrics')
    return { status: 200, contentType: metrics.contentType, body: await metrics.text() }
  const also = pages ? `, and ${pages.path}` : ''
  return plain(404, `There are /healthz, /livez, /readyz and /metrics here${also}.\n`)
}

function healthAnswer(checks: readonly HealthCheck[]): Answer {
  const { ok, text } = runChecks(checks)
  return plain(ok ? 200 : 503, text)
}

const plain = (status: number, body: string): Answer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body,
})

/** A gauge of the program may throw when it is read. The error is not quoted, because others may read this answer. */
const unreadable = () => plain(500, 'The metrics cannot be read: a gauge threw an error.\n')

const readOnly = plain(405, 'Everything here is read with GET.\n')

function listen(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: Error) =>
      reject(
        new PluginError(
          'CANNOT_LISTEN',
          `cannot listen on METRICS_ADDRESS ${formatAddress(address)}: ${listenProblem(cause)}; choose another port, or 0 to turn it off`,
          { cause },
        ),
      )
    server.once('error', refuse)
    server.listen(address, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}
