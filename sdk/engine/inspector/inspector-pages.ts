import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pages } from '../health/pages.js'
import { stringifyJson } from '../kube/json.js'
import type { Clock } from '../time/clock.js'
import { pageFiles } from './gen/page-files.js'
import { refusal, safeHeaders } from './guard.js'
import { type LiveSources, LiveStream } from './live-stream.js'
import { inspectorPath } from './model.js'

/** The data of the pages. */
export interface InspectorData extends LiveSources {
  /** The answer to a request for `api/<name>`; undefined if there is no such data. */
  read(name: string, query: URLSearchParams): Promise<Reply | undefined>
  /** Runs a key now, and says whether that was possible; left out where the inspector is read-only. */
  runAgain?(query: URLSearchParams): Promise<Reply>
}

/** An answer of the API. */
export interface Reply {
  readonly status: number
  readonly data: unknown
}

/** An answer that says in a sentence why there is no data. */
export const problem = (status: number, error: string): Reply => ({ status, data: { error } })

interface Answer {
  status: number
  contentType: string
  body: string
}

/** Serves the page, the JSON API and the live stream over some data, on loopback only. */
export class InspectorPages implements Pages {
  readonly #data: InspectorData
  readonly #live: LiveStream

  constructor(data: InspectorData, clock: Clock) {
    this.#data = data
    this.#live = new LiveStream(data, clock)
  }

  readonly path = inspectorPath

  /** Whether a path is the inspector's. */
  isFor(path: string): boolean {
    return path === inspectorPath.slice(0, -1) || path.startsWith(inspectorPath)
  }

  /** Answers a GET or HEAD request, and a POST if a key can be run. Never rejects. */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, contentType, body } = await this.#answer(request, response).catch(failed)
    if (response.headersSent) return
    const where = status === 308 ? { location: inspectorPath } : {}
    response.writeHead(status, { ...safeHeaders, 'content-type': contentType, ...where })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const reason = refusal(request)
    if (reason !== undefined) return answer(problem(403, reason))
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname.length < inspectorPath.length) return moved
    const name = url.pathname.slice(inspectorPath.length)
    if (request.method === 'POST') return answer(await this.#act(name, request, url.searchParams))
    const file = pageFile(name)
    if (file) return file
    if (name === 'api/live') return this.#stream(request, response)
    const isApi = name.startsWith('api/')
    const reply = isApi ? await this.#data.read(name.slice('api/'.length), url.searchParams) : undefined
    return answer(reply ?? problem(404, `There is nothing at ${url.pathname}.`))
  }

  /** A browser sends a header such as this one for another site only after a permission, which is never given. */
  async #act(name: string, { headers }: IncomingMessage, query: URLSearchParams): Promise<Reply> {
    if (name !== 'api/run' || !this.#data.runAgain) return problem(405, 'The inspector is read-only.')
    if (headers['x-inspector'] !== '1') return problem(403, 'The request has no header X-Inspector: 1.')
    return this.#data.runAgain(query)
  }

  #stream({ method }: IncomingMessage, response: ServerResponse): Answer {
    if (this.#data.unavailable) return answer(problem(503, this.#data.unavailable))
    if (method === 'GET' && this.#live.open(response)) return streamed
    return answer(problem(503, 'As many pages as may are kept up to date already.'))
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'app.js': 'text/javascript; charset=utf-8',
}

function pageFile(name: string): Answer | undefined {
  const file = name || 'index.html'
  if (!Object.hasOwn(contentTypes, file)) return undefined
  return { status: 200, contentType: contentTypes[file] ?? '', body: pageFiles[file] ?? '' }
}

const json = 'application/json; charset=utf-8'

const answer = ({ status, data }: Reply): Answer => ({ status, contentType: json, body: stringifyJson(data) })

/** Redirects to the page's folder, so that its relative links work. */
const moved: Answer = { status: 308, contentType: json, body: '' }

/** Hides the error, which may quote an object. */
const failed = () => answer(problem(500, 'The inspector could not read that; the program itself goes on.'))

/** The stream has been opened; nothing is left to answer. */
const streamed: Answer = { status: 200, contentType: json, body: '' }
