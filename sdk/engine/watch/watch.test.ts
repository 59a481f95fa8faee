import fc from 'fast-check'
import { config, filter, firstValueFrom, type Subscription } from 'rxjs'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, nodes } from '../kube/builtin.js'
import { parseJson } from '../kube/json.js'
import { NetworkError } from '../kube/network-error.js'
import type { KubeObject } from '../kube/object.js'
import { type LogFields, type Logger, silentLogger } from '../observe/logger.js'
import { MemoryGuard } from '../observe/memory-guard.js'
import { type MetricLabels, type Metrics, noMetrics } from '../observe/metrics.js'
import { backoffMs } from '../time/backoff.js'
import {
  AnswerTooLargeError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
} from '../transport/transport.js'
import type { WatchEvent } from './event.js'
import { LineSplitter } from './line-splitter.js'
import { watchResource } from './watch-resource.js'
import type { WatchResourceOptions } from './watch-resource-options.js'

const cm = (name: string, resourceVersion: number, rest: object = {}) => ({
  metadata: { namespace: 'default', name, uid: `${name}1`, resourceVersion: `${resourceVersion}` },
  ...rest,
})
const typed = (object: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...object })
const bytes = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : `${JSON.stringify(value)}\n`)

/** A watch as the server plays it. */
class PlayedStream implements TransportStream {
  readonly status: number
  readonly headers: Record<string, string>
  readonly path: string
  readonly #parts: (Uint8Array | 'end' | Error)[] = []
  #wake = () => {}

  constructor(
    path: string,
    { signal }: TransportRequest,
    status = 200,
    headers: Record<string, string> = {},
  ) {
    this.path = path
    this.status = status
    this.headers = headers
    signal?.addEventListener('abort', () => this.play(signal.reason as Error))
  }

  play(...parts: (Uint8Array | 'end' | Error)[]): void {
    this.#parts.push(...parts)
    this.#wake()
  }

  added(name: string, resourceVersion: number): void {
    this.play(bytes({ type: 'ADDED', object: typed(cm(name, resourceVersion)) }))
  }

  bookmark(resourceVersion: number, annotations?: object): void {
    const metadata = { resourceVersion: `${resourceVersion}`, annotations }
    this.play(bytes({ type: 'BOOKMARK', object: { metadata } }))
  }

  error(code: number): void {
    this.play(bytes({ type: 'ERROR', object: { kind: 'Status', code, message: 'no' } }))
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#chunks()
  }

  async *#chunks() {
    for (;;) {
      const part = this.#parts.shift()
      if (part === 'end') return
      if (part instanceof Error) throw part
      if (part) yield part
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

const page = (resourceVersion: number, items: object[] | null, token?: string): Answer => ({
  body: { metadata: { resourceVersion: `${resourceVersion}`, continue: token }, items },
})
const refusal = (status: number, headers: Record<string, string> = {}, details = {}): Answer => ({
  status,
  headers,
  body: { kind: 'Status', code: status, message: 'no', details },
})

/** An API server that follows a script: one answer per list request, one per watch that is not to be accepted. */
class PlayedServer {
  /** Paths asked for, in order. */
  readonly asked: string[] = []
  readonly streams: PlayedStream[] = []
  readonly lists: (Answer | Error)[]
  readonly refusals: (Answer | Error)[] = []

  constructor(...lists: (Answer | Error)[]) {
    this.lists = lists
  }

  get stream(): PlayedStream {
    const last = this.streams.at(-1)
    if (!last) throw new Error('no watch was opened')
    return last
  }

  async request({ path, signal, maxBytes = Infinity }: TransportRequest): Promise<TransportResponse> {
    signal?.throwIfAborted()
    this.asked.push(path)
    const answer = this.lists.shift() ?? page(10, [])
    if (answer instanceof Error) throw answer
    const body = bytes(answer.body)
    if (body.length > maxBytes) throw new AnswerTooLargeError({ path, maxBytes })
    return { status: 200, headers: {}, ...answer, body }
  }

  async open(request: TransportRequest): Promise<TransportStream> {
    this.asked.push(request.path)
    const refused = this.refusals.shift()
    if (refused instanceof Error) throw refused
    const stream = new PlayedStream(request.path, request, refused?.status, refused?.headers)
    if (refused) stream.play(bytes(refused.body), 'end')
    else this.streams.push(stream)
    return stream
  }
}

const transportTo = (server: PlayedServer): Transport => ({
  request: (request) => server.request(request),
  stream: (request) => server.open(request),
  close: async () => {},
})

/** Subscribes to a server's ConfigMaps and notes everything that comes out. */
function watching(t: Test, server: PlayedServer, options: Partial<WatchResourceOptions> = {}) {
  const clock = new VirtualClock()
  const events: WatchEvent[] = []
  const logged: string[] = []
  const counted: string[] = []
  const log = (level: string) => (_: LogFields, message: string) => logged.push(`${level}: ${message}`)
  const logger: Logger = {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    child: () => logger,
  }
  const count = (name: string) => ({
    add: (labels: MetricLabels = {}) => counted.push(`${name} ${Object.values(labels).join(' ')}`),
  })
  const metrics: Metrics = { ...noMetrics, counter: ({ name }) => count(name) }
  const all = {
    transport: transportTo(server),
    resource: configMaps,
    cluster: 'host',
    clock,
    logger,
    metrics,
    random: () => 0.5,
  }
  const subscription: Subscription = watchResource<KubeObject>({ ...all, ...options }).subscribe((event) =>
    events.push(event),
  )
  t.teardown(() => subscription.unsubscribe())
  const take = () => events.splice(0).map(inWords)
  return { clock, events, logged, counted, subscription, take }
}

function inWords(event: WatchEvent): string {
  if ('object' in event)
    return `${event.type} ${event.object.metadata.name}@${event.object.metadata.resourceVersion}`
  if ('key' in event) return `${event.type} ${event.key.name}`
  return 'resourceVersion' in event ? `${event.type} ${event.resourceVersion}` : event.type
}

const listPath = '/api/v1/configmaps?limit=500'
const watchPath = (resourceVersion: number) =>
  `/api/v1/configmaps?watch=true&allowWatchBookmarks=true&timeoutSeconds=450&resourceVersion=${resourceVersion}`

void t.test('a list is read page by page and then watched from its resourceVersion', async (t) => {
  const withFields = cm('a', 5)
  Object.assign(withFields.metadata, { managedFields: [{ manager: 'kubectl' }] })
  const first = page(10, [withFields], 'next&more')
  Object.assign(Object(first.body).metadata, { remainingItemCount: 1 })
  const server = new PlayedServer(first, page(10, [cm('b', 6)]))
  const left: (number | undefined)[] = []
  const { clock, events, take } = watching(t, server, { onPage: (remaining) => left.push(remaining) })
  await clock.advance(0)
  t.match(events[1], { object: { apiVersion: 'v1', kind: 'ConfigMap' } })
  t.equal((events[1] as { object: KubeObject }).object.metadata.managedFields, undefined)
  t.strictSame(take(), ['listStarted', 'listed a@5', 'listed b@6', 'listDone 10'])
  t.strictSame(server.asked, [listPath, `${listPath}&continue=next%26more`, watchPath(10)])
  t.strictSame(left, [1, 0], 'the number of remaining objects is reported after each page')
  server.stream.added('c', 11)
  server.stream.play(
    bytes({ type: 'MODIFIED', object: typed(cm('c', 12)) }),
    bytes({ type: 'DELETED', object: typed(cm('c', 13)) }),
  )
  server.stream.bookmark(20)
  await clock.advance(0)
  t.strictSame(take(), ['applied c@11', 'applied c@12', 'deleted c@13', 'bookmark 20'])
})

void t.test('selectors and namespace narrow both the list and the watch', async (t) => {
  const server = new PlayedServer()
  const scope = { namespace: 'a', labelSelector: 'x in (y)', fieldSelector: 'metadata.name=b' }
  const { clock } = watching(t, server, scope)
  await clock.advance(0)
  for (const asked of server.asked) {
    const { pathname, searchParams } = new URL(asked, 'http://server')
    t.equal(pathname, '/api/v1/namespaces/a/configmaps')
    t.strictSame(
      [searchParams.get('labelSelector'), searchParams.get('fieldSelector')],
      ['x in (y)', 'metadata.name=b'],
    )
  }
})

void t.test('an empty list may be null', async (t) => {
  const { clock, take } = watching(t, new PlayedServer(page(10, null)))
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listDone 10'])
})

void t.test('an answer without a list is not taken for an empty list', async (t) => {
  const server = new PlayedServer({ body: { metadata: { resourceVersion: '10' } } }, page(11, []))
  const { clock, take } = watching(t, server)
  await clock.advance(0)
  t.strictSame(take(), ['listStarted'])
  await clock.advance(1000)
  t.strictSame(take(), ['listStarted', 'listDone 11'])
})

void t.test('metrics count the objects of a list, and a watch that ends at once', async (t) => {
  const server = new PlayedServer(page(10, [cm('a', 5), cm('b', 6)]))
  const sizes: number[] = []
  const gauge = ({ name }: { name: string }) => ({
    set: (_labels: MetricLabels, value: number) => void (name === 'watch_list_objects' && sizes.push(value)),
  })
  const short: string[] = []
  const counter = ({ name }: { name: string }) => ({ add: () => void short.push(name) })
  const { clock } = watching(t, server, { metrics: { ...noMetrics, gauge, counter } })
  await clock.advance(0)
  t.same(sizes, [2])
  const shorts = () => short.filter((name) => name === 'watch_short_streams_total').length
  server.stream.play('end')
  await clock.advance(30_000)
  t.same([server.streams.length, shorts()], [2, 1])
  server.stream.play('end')
  await clock.advance(0)
  t.same([server.streams.length, shorts()], [3, 1], 'one that lived for a while is none')
  server.stream.error(410)
  await clock.advance(0)
  t.same(sizes, [2, 0])
})

void t.test('a broken watch resumes after the last event or bookmark, without a list', async (t) => {
  const server = new PlayedServer()
  const { clock, take, counted, logged } = watching(t, server)
  await clock.advance(0)
  for (const [tell, last] of [
    [() => server.stream.added('a', 11), 11],
    [() => server.stream.bookmark(15), 15],
    [() => {}, 15],
  ] as const) {
    tell()
    server.stream.play(new Error('connection reset'))
    await clock.advance(30_000)
    t.equal(server.asked.at(-1), watchPath(last))
  }
  t.strictSame(take(), ['listStarted', 'listDone 10', 'applied a@11', 'bookmark 15'])
  t.strictSame(
    counted.filter((line) => line.startsWith('watch_restarts')),
    Array(3).fill('watch_restarts_total host configmaps broken'),
  )
  t.match(logged, ['warn: the watch ended; trying again', 'info: watching again'])
})

void t.test(
  'a watch that the server ends well is begun again at once, unless it lived a second or less',
  async (t) => {
    const server = new PlayedServer()
    const { clock, logged } = watching(t, server)
    await clock.advance(1001)
    server.stream.play('end')
    await clock.advance(0)
    t.equal(server.streams.length, 2)
    t.strictSame(logged, [])
    server.stream.play('end')
    await clock.advance(599)
    t.equal(server.streams.length, 2)
    await clock.advance(1)
    t.equal(server.streams.length, 3)
  },
)

void t.test('failures in a row wait longer each time, and a healthy watch makes up for them', async (t) => {
  const server = new PlayedServer()
  const { clock } = watching(t, server)
  await clock.advance(0)
  const waitsMs: number[] = []
  const fail = async (times: number) => {
    server.refusals.push(...Array.from({ length: times - 1 }, () => new Error('refused')))
    server.stream.play(new Error('reset'))
    for (let failure = 0; failure < times; failure++) {
      const before = server.asked.length
      const startMs = clock.now()
      while (server.asked.length === before) await clock.advance(100)
      waitsMs.push(clock.now() - startMs)
    }
  }
  await fail(7)
  t.strictSame(waitsMs, [600, 1200, 2400, 4800, 9600, 19_200, 22_500])
  await clock.advance(29_000)
  await fail(1)
  t.equal(waitsMs.at(-1), 22_500)
  await clock.advance(30_000)
  server.stream.error(500)
  await clock.advance(600)
  t.equal(server.streams.length, 4)
})

void t.test(
  'at the beginning of an outage the server is asked often, and the outage is logged once',
  async (t) => {
    const server = new PlayedServer()
    const { clock, logged } = watching(t, server)
    await clock.advance(2000)
    server.refusals.push(...Array.from({ length: 50 }, () => new Error('refused')))
    const asked = server.asked.length
    server.stream.play(new Error('reset'))
    await clock.advance(9_900)
    t.equal(server.asked.length - asked, 33, 'every 300 ms')
    const warnings = () => logged.filter((line) => line.startsWith('warn')).length
    t.equal(warnings(), 1)
    await clock.advance(10_000)
    t.equal(server.asked.length - asked, 37, 'and less and less often after ten seconds')
    t.equal(warnings(), 5)
  },
)

void t.test('a server that breaks each watch after a while is not asked often each time', async (t) => {
  const server = new PlayedServer()
  const { clock } = watching(t, server)
  for (let second = 0; second < 25; second++) {
    await clock.advance(2000)
    server.streams.at(-1)?.play(new Error('reset'))
  }
  t.ok(server.streams.length < 15, `${server.streams.length}`)
})

void t.test('a resourceVersion the server has forgotten is answered with a new list', async (t) => {
  const server = new PlayedServer(page(10, [cm('a', 5)]), page(30, []), page(40, []))
  const { clock, take } = watching(t, server)
  await clock.advance(2000)
  server.stream.error(410)
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listed a@5', 'listDone 10', 'listStarted', 'listDone 30'])
  server.refusals.push(refusal(410))
  server.stream.play(new Error('reset'))
  await clock.advance(30_000)
  t.strictSame(take(), ['listStarted', 'listDone 40'])
  t.strictSame(server.asked.slice(-3), [watchPath(30), listPath, watchPath(40)])
})

void t.test('a server that comes back without the resourceVersion is asked for a list at once', async (t) => {
  const server = new PlayedServer(page(10, []), page(30, []), page(40, []))
  server.refusals.push(refusal(503), refusal(503), refusal(410), refusal(410))
  const { clock, take } = watching(t, server)
  await clock.advance(600 + 1200)
  t.strictSame(server.asked.slice(-3), [watchPath(10), listPath, watchPath(30)])
  t.strictSame(take().slice(-1), ['listDone 30'])
  await clock.advance(2399)
  t.equal(server.asked.at(-1), watchPath(30), 'but not in a circle')
})

void t.test('a list whose pages expired on the way starts again from its beginning', async (t) => {
  const server = new PlayedServer(page(10, [cm('a', 5)], 'next'), refusal(410), page(20, [cm('a', 15)]))
  const { clock, take } = watching(t, server)
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listed a@5'])
  await clock.advance(600)
  t.strictSame(take(), ['listStarted', 'listed a@15', 'listDone 20'])
  t.strictSame(server.asked, [listPath, `${listPath}&continue=next`, listPath, watchPath(20)])
})

void t.test('a list whose pages expire again and again is not asked for without a pause', async (t) => {
  const server = new PlayedServer(page(10, []))
  const { clock } = watching(t, server)
  await clock.advance(60_000)
  for (let round = 0; round < 50; round++) server.lists.push(page(20, [], 'next'), refusal(410))
  server.stream.error(410)
  await clock.advance(100)
  t.equal(server.asked.length, 4, 'the first list, its watch, and one more list of two pages')
})

void t.test('a refused request is repeated, and not before `Retry-After`', async (t) => {
  const server = new PlayedServer(
    refusal(403),
    refusal(503, { 'retry-after': '7' }),
    refusal(429, {}, { retryAfterSeconds: 9 }),
    { status: 502, body: '<html>bad gateway</html>' },
  )
  server.refusals.push(refusal(403), refusal(401))
  const { clock, take, counted, logged } = watching(t, server)
  const askedAtMs: number[] = []
  for (let known = 0; clock.now() < 120_000; await clock.advance(100)) {
    for (; known < server.asked.length; known++) askedAtMs.push(clock.now())
  }
  const waitsMs = askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0))
  t.strictSame(waitsMs, [600, 7000, 9000, 4800, 0, 9600, 19_200])
  const taken = take()
  t.strictSame(taken.slice(-1), ['listDone 10'])
  t.strictSame(taken.filter((event) => event === 'forbidden').length, 1, 'of a list, not of a watch')
  t.equal(counted.filter((line) => line === 'watch_restarts_total host configmaps refused').length, 6)
  t.equal(logged.filter((line) => line.startsWith('warn')).length, 6)
})

void t.test('a wait that a server asks for is checked', async (t) => {
  const waits: [unknown, number][] = [
    ['x', 600],
    [1e12, 60_000],
    [-5, 600],
    [null, 600],
    [{}, 600],
  ]
  for (const [retryAfterSeconds, waitMs] of waits) {
    const server = new PlayedServer(refusal(429, {}, { retryAfterSeconds }))
    const { clock, subscription } = watching(t, server)
    await clock.advance(waitMs - 100)
    t.equal(server.asked.length, 1, `not before ${waitMs} ms after ${retryAfterSeconds}`)
    await clock.advance(200)
    t.match(server.asked, { length: 3 }, 'a list and its watch')
    subscription.unsubscribe()
  }
  const byHeader = new PlayedServer(refusal(503, { 'retry-after': '1e12' }, { retryAfterSeconds: 'x' }))
  const { clock } = watching(t, byHeader)
  await clock.advance(59_900)
  t.equal(byHeader.asked.length, 1)
  await clock.advance(200)
  t.equal(byHeader.asked.length, 3)
})

void t.test('a kind that is not served is waited for, and nothing is said of its objects', async (t) => {
  const server = new PlayedServer(refusal(404), refusal(404), refusal(404), page(10, [cm('a', 5)]))
  const waiting: number[] = []
  const gauge = ({ name }: { name: string }) => ({
    set: (_: MetricLabels, value: number) => {
      if (name === 'watch_kind_waiting') waiting.push(value)
    },
  })
  let tellServed = () => {}
  const whenServed = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      tellServed = resolve
      signal.addEventListener('abort', () => resolve())
    })
  const { clock, take, logged } = watching(t, server, { whenServed, metrics: { ...noMetrics, gauge } })
  await clock.advance(0)
  t.same(take(), ['listStarted', 'unserved'])
  await clock.advance(600 + 1200)
  t.equal(server.asked.length, 3, 'without a hint it is asked with growing delays')
  tellServed()
  await clock.advance(0)
  t.same(take().slice(-3), ['listStarted', 'listed a@5', 'listDone 10'], 'and at once when it may be served')
  t.same(logged, [
    'warn: the kind is not served; waiting until it is: install its definition, or correct its group and version',
    'info: the kind is served now',
  ])

  server.refusals.push(refusal(404))
  server.lists.push(page(20, []))
  server.stream.play('end')
  await clock.advance(600 + 1200)
  t.same(take(), ['unserved', 'listStarted', 'listDone 20'], 'one that goes is listed when it is back')
  t.same(waiting, [1, 1, 1, 0, 1, 0])
})

void t.test('a watch that says nothing for too long is begun again', async (t) => {
  const server = new PlayedServer()
  const { clock, counted } = watching(t, server, { silenceMs: 20_000 })
  await clock.advance(15_000)
  server.stream.bookmark(12)
  await clock.advance(19_999)
  t.equal(server.streams.length, 1)
  await clock.advance(1)
  t.equal(server.asked.at(-1), watchPath(12))
  t.ok(counted.includes('watch_restarts_total host configmaps silent'))
})

void t.test('a line that is cut off or makes no sense is a broken watch, and nothing is lost', async (t) => {
  const server = new PlayedServer()
  const { clock, take } = watching(t, server, { maxLineBytes: 300 })
  await clock.advance(0)
  take()
  for (const nonsense of [
    '{"type":"ADD',
    '{"type":"ADDED"}\n',
    'x\n',
    '\u0000',
    'null\n',
    `"${'x'.repeat(400)}`,
  ]) {
    server.stream.added('a', 11)
    server.stream.play(bytes(nonsense), 'end')
    await clock.advance(60_000)
    t.strictSame(take(), ['applied a@11'])
    t.equal(server.asked.at(-1), watchPath(11))
  }
})

void t.test('a cluster restored from a backup is listed again and believed, with a warning', async (t) => {
  const server = new PlayedServer(page(100, []), page(50, []), page(40, []))
  const { clock, take, logged, counted } = watching(t, server)
  await clock.advance(2000)
  server.stream.error(410)
  await clock.advance(2000)
  t.strictSame(take(), ['listStarted', 'listDone 100', 'listStarted', 'listDone 50'])
  t.equal(server.asked.at(-1), watchPath(50))
  server.stream.bookmark(39)
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listDone 40'])
  t.equal(logged.filter((line) => /restored from a backup/.test(line)).length, 2)
  t.equal(counted.filter((line) => /restored/.test(line)).length, 2)
})

void t.test('after unsubscribing nothing more happens, in any state of the watch', async (t) => {
  const standing: ((server: PlayedServer, clock: VirtualClock) => Promise<void>)[] = [
    async () => {},
    async (_, clock) => clock.advance(0),
    async (server, clock) => {
      await clock.advance(0)
      server.stream.play(new Error('reset'))
      await clock.advance(100)
    },
  ]
  for (const stand of standing) {
    const server = new PlayedServer()
    const { clock, subscription, take, logged } = watching(t, server)
    await stand(server, clock)
    take()
    const logs = logged.length
    subscription.unsubscribe()
    for (const stream of server.streams) stream.added('late', 99)
    await clock.advance(0)
    const asked = server.asked.length
    await clock.advance(600_000)
    t.strictSame([take(), server.asked.length, logged.length, clock.pending], [[], asked, logs, 0])
  }
})

void t.test('unsubscribing on the last object of a list opens no watch', async (t) => {
  const server = new PlayedServer(page(10, [cm('a', 5)]))
  const all = { transport: transportTo(server), resource: configMaps, clock: new VirtualClock() }
  await firstValueFrom(watchResource<KubeObject>(all).pipe(filter(({ type }) => type === 'listed')))
  await all.clock.advance(0)
  t.strictSame([server.streams, all.clock.pending], [[], 0])
})

void t.test('a subscriber that throws does not stop the watch', async (t) => {
  const unhandled: unknown[] = []
  config.onUnhandledError = (error) => unhandled.push(error)
  t.teardown(() => {
    config.onUnhandledError = null
  })
  const server = new PlayedServer()
  const clock = new VirtualClock()
  let heard = 0
  const subscription = watchResource({
    transport: transportTo(server),
    resource: configMaps,
    clock,
  }).subscribe(() => {
    heard++
    throw new Error('broken')
  })
  t.teardown(() => subscription.unsubscribe())
  await clock.advance(0)
  server.stream.added('a', 11)
  await clock.advance(0)
  await new Promise((resolve) => setTimeout(resolve, 0))
  t.strictSame([heard, unhandled.length], [3, 3])
})

void t.test('a list may come as a stream, and a server that cannot do that is asked for pages', async (t) => {
  const server = new PlayedServer()
  const { clock, take } = watching(t, server, { streamList: true })
  await clock.advance(0)
  t.match(server.asked.at(-1), /sendInitialEvents=true&resourceVersionMatch=NotOlderThan$/)
  server.stream.added('b', 9)
  server.stream.added('a', 5)
  server.stream.bookmark(7)
  server.stream.bookmark(10, { 'k8s.io/initial-events-end': 'true' })
  server.stream.added('a', 11)
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listed b@9', 'listed a@5', 'listDone 10', 'applied a@11'])
  server.stream.play(new Error('reset'))
  await clock.advance(1000)
  t.equal(server.asked.at(-1), watchPath(11))

  for (const status of [400, 422]) {
    const old = new PlayedServer(page(20, [cm('a', 5)]))
    old.refusals.push({
      status,
      body: { kind: 'Status', code: status, reason: status === 422 ? 'Invalid' : 'BadRequest' },
    })
    const watch = watching(t, old, { streamList: true })
    await watch.clock.advance(0)
    t.strictSame(watch.take().slice(1), ['listStarted', 'listed a@5', 'listDone 20'])
    t.strictSame(old.asked.slice(1), [listPath, watchPath(20)])
  }
})

void t.test('a streamed list that breaks off starts again', async (t) => {
  const server = new PlayedServer()
  const { clock, take } = watching(t, server, { streamList: true })
  await clock.advance(0)
  server.stream.added('b', 9)
  server.stream.play('end')
  await clock.advance(1000)
  t.strictSame(take(), ['listStarted', 'listed b@9', 'listStarted'])
  t.match(server.asked.at(-1), /sendInitialEvents=true/)
})

void t.test('objects of another kind or namespace, or without a name, are left out', async (t) => {
  const server = new PlayedServer(
    page(10, [typed({ ...cm('a', 5), kind: 'Secret' }), { metadata: {} }, { kind: 'ConfigMap' }]),
  )
  const { clock, take, counted } = watching(t, server, { namespace: 'default' })
  await clock.advance(0)
  const elsewhere = { ...cm('a', 11), metadata: { ...cm('a', 11).metadata, namespace: 'kube-system' } }
  server.stream.play(bytes({ type: 'ADDED', object: typed(elsewhere) }), bytes({ type: 'NEW', object: {} }))
  server.stream.added('b', 12)
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listDone 10', 'applied b@12'])
  t.equal(counted.filter((line) => line.startsWith('watch_unexpected_objects_total')).length, 4)
})

void t.test('objects of a cluster-scoped kind have no namespace', async (t) => {
  const server = new PlayedServer(page(10, [{ metadata: { name: 'n', resourceVersion: '5' } }]))
  const { clock, take } = watching(t, server, { resource: nodes, namespace: 'ignored' })
  await clock.advance(0)
  t.strictSame(take(), ['listStarted', 'listed n@5', 'listDone 10'])
  t.match(server.asked[0], /^\/api\/v1\/nodes\?/)
})

void t.test('a large list gives way to others, and asks for less at a time', async (t) => {
  const items = Array.from({ length: 100 }, (_, index) => cm(`${index}`, 5))
  let nowMs = 0
  const slow = { now: () => nowMs++, date: () => new Date(0), schedule: () => () => {} }
  const slowServer = new PlayedServer(page(10, items, 'next'), page(10, items))
  const { events } = watching(t, slowServer, { clock: slow, pageSize: 100 })
  const listedPerTurn: number[] = []
  for (let turn = 0; turn < 40; turn++) {
    const before = events.length
    await new Promise((resolve) => setImmediate(resolve))
    listedPerTurn.push(events.length - before)
  }
  t.equal(events.length, 202)
  t.ok(Math.max(...listedPerTurn) <= 22, `${Math.max(...listedPerTurn)} objects in one turn`)
})

void t.test('a list whose single object is too large is not asked for without a pause', async (t) => {
  const tooLarge = new AnswerTooLargeError({ path: '/api/v1/configmaps', maxBytes: 1 })
  const server = new PlayedServer(tooLarge, tooLarge, tooLarge, page(10, [cm('a', 5)]))
  const { clock, logged, take } = watching(t, server, { pageSize: 8 })
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  t.match(server.asked, [/limit=8$/, /limit=1$/])
  t.equal(server.asked.length, 2)
  t.same(logged, ['warn: the watch ended; trying again'])
  await clock.advance(2000)
  t.equal(take().at(-1), 'listDone 10')
})

void t.test('a page that takes long to decode makes the next ones smaller', async (t) => {
  let nowMs = 0
  const clock = { now: () => (nowMs += 25), date: () => new Date(0), schedule: () => () => {} }
  const server = new PlayedServer(page(10, [], 'a'), page(10, [], 'b'), page(10, []))
  watching(t, server, { clock })
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  t.match(server.asked, [/limit=500/, /limit=200&/, /limit=80&/])
})

void t.test('after a page that took long by accident the next ones grow again', async (t) => {
  // When the list began, and then when the decoding of each page did and when it ended.
  const times = [0, 0, 25, 25, 26, 26, 27, 27, 28]
  const clock = { now: () => times.shift() ?? 28, date: () => new Date(0), schedule: () => () => {} }
  const pages = ['a', 'b', 'c', ''].map((token) => page(10, [], token))
  const server = new PlayedServer(...pages)
  watching(t, server, { clock })
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  t.match(server.asked, [/limit=500$/, /limit=200&/, /limit=400&/, /limit=500&/])
})

void t.test('lines are cut at line feeds, whatever the chunks', async (t) => {
  const line = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(`${text}\u2028\u2029\u0085`)),
  )
  fc.assert(
    fc.property(
      fc.array(line),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (lines, sizes) => {
        const stream = Buffer.from(lines.map((text) => `${text}\n`).join('\n'))
        const splitter = new LineSplitter(1e6)
        const cut: unknown[] = []
        for (let at = 0, index = 0; at < stream.length; index++) {
          const size = sizes[index % sizes.length] ?? 1
          cut.push(...splitter.push(stream.subarray(at, at + size)).map(parseJson))
          at += size
        }
        splitter.end()
        t.strictSame(cut, lines.map(parseJson))
      },
    ),
    { numRuns: 50 },
  )
  const reused = bytes('a')
  const copying = new LineSplitter(10)
  copying.push(reused)
  reused.fill('b')
  t.strictSame(copying.push(bytes('c\n')).map(String), ['ac'], 'parts of a line do not keep their buffers')
  const splitter = new LineSplitter(4)
  t.strictSame(splitter.push(bytes('1234\n12')).map(String), ['1234'])
  t.throws(() => splitter.end(), /ended inside a line/)
  t.throws(() => splitter.push(bytes('345\n')), /more than 4 bytes/)
})

void t.test('backoff doubles up to its ceiling and waits a random part of it', async (t) => {
  const delays = (random: number, leastShare: number) =>
    [0, 1, 2, 5000].map((attempt) =>
      backoffMs(attempt, { baseMs: 100, maxMs: 350, leastShare, random: () => random }),
    )
  t.strictSame(delays(1, 0), [100, 200, 350, 350])
  t.strictSame(delays(0, 0), [0, 0, 0, 0])
  t.strictSame(delays(0, 0.5), [50, 100, 175, 175])
})

void t.test(
  'a page that is too large is asked for again with fewer objects, down to a single one',
  async (t) => {
    const large = { ...cm('large', 5), data: { text: 'x'.repeat(3 * 1024 * 1024) } }
    const lists = [page(10, [cm('a', 4)], 'next'), ...Array.from({ length: 4 }, () => page(10, [large]))]
    const server = new PlayedServer(...lists)
    const { clock, take } = watching(t, server)
    await clock.advance(0)
    t.strictSame(take(), ['listStarted', 'listed a@4', 'listed large@5', 'listDone 10'])
    const limits = server.asked.map((path) => path.replace(/.*limit=(\d+)(?:&continue=(\w+))?/, '$1 $2'))
    t.strictSame(limits, ['500 ', '500 next', '62 next', '7 next', '1 next', watchPath(10)])
  },
)

/** A memory of 1000 MiB of which a test says how much is used. */
function playedMemory() {
  const memory = { limitBytes: 1000 * 2 ** 20, usedBytes: 0 }
  const use = (usedMiB: number) => {
    memory.usedBytes = usedMiB * 2 ** 20
  }
  const clock = new VirtualClock()
  return { clock, use, guard: new MemoryGuard({ memory, clock }) }
}

void t.test(
  'a list leaves out what memory has no room for, and is read again when there is room',
  async (t) => {
    const { clock, use, guard } = playedMemory()
    const items = [cm('a', 5), cm('b', 6)]
    const server = new PlayedServer(page(10, items, 'next'), page(10, [cm('c', 7)]), page(20, items))
    const told: unknown[] = []
    const warn = (fields: LogFields, message: string) => void told.push([fields.objects, message])
    const logger: Logger = { ...silentLogger, warn, info: warn, child: () => logger }
    const onPage = (remaining: number | undefined) => use(remaining === 0 ? 900 : 760)
    const { take, counted } = watching(t, server, { clock, memory: guard, logger, onPage })
    await clock.advance(0)
    t.strictSame(take(), ['listStarted', 'listed a@5', 'listed b@6', 'leftOut c', 'listDone 10'])
    t.match(told, [
      [
        2,
        /^after 2 objects and changes of configmaps no more are taken, .* holds 760 MiB of at most 1000 MiB: raise .*max-old-space-size/,
      ],
    ])
    server.stream.added('d', 11)
    await clock.advance(1000)
    t.strictSame(take(), ['leftOut d'], 'a list alone makes up for what was left out')
    use(600)
    await clock.advance(5000)
    await clock.advance(0)
    t.strictSame(take(), ['listStarted', 'listed a@5', 'listed b@6', 'listDone 20'])
    t.ok(counted.includes('watch_restarts_total host configmaps full'))
    t.match(told[1], [2, 'memory holds every object of configmaps again'])
  },
)

void t.test('a watch leaves out what memory has no room for, but takes deletions', async (t) => {
  const { clock, use, guard } = playedMemory()
  const server = new PlayedServer(page(10, [cm('a', 5)]), page(20, [cm('b', 13)]))
  const { take } = watching(t, server, { clock, memory: guard })
  await clock.advance(0)
  take()
  use(900)
  server.stream.added('b', 11)
  server.stream.play(bytes({ type: 'DELETED', object: typed(cm('a', 12)) }))
  await clock.advance(0)
  t.strictSame(take(), ['leftOut b', 'deleted a@12'])
  use(720)
  await clock.advance(20_000)
  t.strictSame(take(), [], 'so little room would soon be used up')
  use(100)
  await clock.advance(5000)
  t.strictSame(take(), ['listStarted', 'listed b@13', 'listDone 20'])
})

void t.test('whatever ends a watch is the fault of the other side, and logged so', async (t) => {
  const server = new PlayedServer(page(10, []))
  const warnings: LogFields[] = []
  const logger: Logger = {
    ...silentLogger,
    warn: (fields) => {
      warnings.push(fields)
    },
    child: () => logger,
  }
  const { clock } = watching(t, server, { logger })
  await clock.advance(0)
  server.stream.play(bytes('no JSON\n'))
  await clock.advance(60_000)
  server.stream.play(bytes('{"type":'), 'end')
  await clock.advance(60_000)
  t.equal(warnings.length, 2)
  for (const { error } of warnings) t.ok(error instanceof NetworkError, String(error))
})
