/**
 * The inspector shows its developer what a running program does: as JSON, as a live stream and as a page.
 *
 * It promises to change nothing, to answer only on loopback, never to show the content of a Secret, and to cost nothing
 * unless it is switched on. `recorder.ts` remembers recent runs, everything else is read from the rooms that own it,
 * and `page/` displays it. It knows controllers only; each kind of program supplies the views of its other parts
 * (`InspectorView`), such as the syncers of a plugin.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pages } from '../health/pages.js'
import type { PrometheusMetrics } from '../health/prometheus-metrics.js'
import { stringifyJson } from '../kube/json.js'
import type { Key } from '../kube/key.js'
import type { Clock } from '../time/clock.js'
import type { ControllerExplanation } from './controller-explanation.js'
import type { Explanation } from './explanation-view.js'
import { pageFiles } from './gen/page-files.js'
import { refusal, safeHeaders } from './guard.js'
import type { Inspected } from './inspected.js'
import { placedKey } from './inspected-controller.js'
import { ofKind } from './kind-names.js'
import { listPairs } from './list-pairs.js'
import { LiveStream } from './live-stream.js'
import { inspectorPath, type Overview } from './model.js'
import { overviewOf } from './overview.js'
import { type PairState, pairStates } from './pair-model.js'
import { Recorder } from './recorder.js'
import { workersOf } from './workers-of.js'

/** Options of {@link Inspector}. */
export interface InspectorOptions {
  clock: Clock
  metrics: PrometheusMetrics
  /** The program, as soon as its clusters are known. */
  inspected: () => Inspected | undefined
}

const maxLimit = 1000

interface Answer {
  status: number
  contentType: string
  body: string
}

/** Answers the requests about one program; see above. */
export class Inspector implements Pages {
  /** Records the program's work. */
  readonly recorder: Recorder
  readonly #options: InspectorOptions
  readonly #live: LiveStream
  readonly #startedMs: number

  constructor(options: InspectorOptions) {
    const { clock } = options
    this.#options = options
    this.#startedMs = clock.date().getTime()
    this.recorder = new Recorder(clock)
    const overview = async () => this.#overview(options.inspected())
    this.#live = new LiveStream({ clock, recorder: this.recorder, overview })
  }

  readonly path = inspectorPath

  /** Whether a path is the inspector's. */
  isFor(path: string): boolean {
    return path === inspectorPath.slice(0, -1) || path.startsWith(inspectorPath)
  }

  /** Answers a GET or HEAD request. Never rejects. */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, contentType, body } = await this.#answer(request, response).catch(failed)
    if (response.headersSent) return
    const where = status === 308 ? { location: inspectorPath } : {}
    response.writeHead(status, { ...safeHeaders, 'content-type': contentType, ...where })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const reason = refusal(request)
    if (reason !== undefined) return problem(403, reason)
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname.length < inspectorPath.length) return moved
    const name = url.pathname.slice(inspectorPath.length)
    const file = pageFile(name)
    if (file) return file
    const inspected = this.#options.inspected()
    if (!inspected) return problem(503, 'The program waits for its clusters.')
    if (name === 'api/live') return this.#stream(request, response)
    const data = await this.#data(name, url.searchParams, inspected)
    if (data === undefined) return problem(404, `There is nothing at ${url.pathname}.`)
    return { status: 200, contentType: json, body: stringifyJson(data) }
  }

  #stream({ method }: IncomingMessage, response: ServerResponse): Answer {
    if (method === 'GET' && this.#live.open(response)) return streamed
    return problem(503, 'As many pages as may are kept up to date already.')
  }

  #data(name: string, query: URLSearchParams, inspected: Inspected): unknown {
    if (name === 'api/overview') return this.#overview(inspected)
    if (name === 'api/pairs') return listPairs(inspected, { recorder: this.recorder, ...pairsQuery(query) })
    if (name === 'api/why') return this.#why(query, inspected)
    return undefined
  }

  async #overview(inspected: Inspected | undefined): Promise<Overview | undefined> {
    const { metrics } = this.#options
    const samples = metrics.samples.bind(metrics)
    return (
      inspected && overviewOf(inspected, { samples, recorder: this.recorder, startedMs: this.#startedMs })
    )
  }

  /** One explanation for each syncer and controller that has to do with the object. */
  async #why(
    query: URLSearchParams,
    inspected: Inspected,
  ): Promise<readonly (Explanation | ControllerExplanation)[]> {
    const key: Key = { namespace: query.get('namespace') ?? '', name: query.get('name') ?? '' }
    const [syncer, kind] = [query.get('syncer'), query.get('kind')]
    const workers = workersOf(inspected, this.recorder)
    const named = workers.filter(({ name }) => syncer === null || name === syncer)
    const otherNames = inspected.work?.otherNames ?? (async () => [])
    const asked = kind === null ? named : await ofKind(named, kind, otherNames)
    return Promise.all(asked.map(({ resource, explain }) => explain(placedKey(resource, key))))
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

function pairsQuery(query: URLSearchParams) {
  const [syncer, text, state] = [query.get('syncer'), query.get('text'), query.get('state')]
  return {
    ...(syncer && { syncer }),
    ...(text && { text }),
    ...(isPairState(state) && { state }),
    offset: wholeNumber(query.get('offset'), 0),
    limit: Math.min(maxLimit, wholeNumber(query.get('limit'), 100)),
  }
}

const isPairState = (text: string | null): text is PairState => pairStates.some((state) => state === text)

function wholeNumber(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise
}

const json = 'application/json; charset=utf-8'

const problem = (status: number, error: string): Answer => ({
  status,
  contentType: json,
  body: stringifyJson({ error }),
})

/** Redirects to the page's folder, so that its relative links work. */
const moved: Answer = { status: 308, contentType: json, body: '' }

/** Hides the error, which may quote an object. */
const failed = () => problem(500, 'The inspector could not read that; the program itself goes on.')

/** The stream has been opened; nothing is left to answer. */
const streamed: Answer = { status: 200, contentType: json, body: '' }
