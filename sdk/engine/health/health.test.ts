import { get } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import t from 'tap'
import { runChecks } from './health.js'
import { answerAtClose } from './late-request.fixture.js'
import { loopCheck, loopSampleMs } from './loop-check.js'
import { createPrometheusMetrics } from './prometheus-metrics.js'
import { serveInspection } from './serve.js'

void t.test('a check that fails or throws is listed among the others', async (t) => {
  const checks = [
    { name: 'alive', wrong: () => undefined },
    { name: 'watches', wrong: () => 'nothing was heard' },
    {
      name: 'broken',
      wrong: () => {
        throw new Error('no idea')
      },
    },
  ]
  t.same(runChecks(checks), {
    ok: false,
    text: '[+]alive ok\n[-]watches failed: nothing was heard\n[-]broken failed: no idea\nnot healthy\n',
  })
  t.same(runChecks([]), { ok: true, text: 'healthy\n' })
})

void t.test('a blocked event loop is reported once', async (t) => {
  const check = loopCheck(50)
  // Node measures from one sample to the next.
  const twoSamples = () => new Promise((resolve) => setTimeout(resolve, 2 * loopSampleMs))
  await twoSamples()
  const endMs = performance.now() + 150
  while (performance.now() < endMs);
  await twoSamples()
  t.match(check.wrong(), /the event loop was held up for \d+ ms/)
  t.equal(check.wrong(), undefined)
})

void t.test('one name registered twice is one metric, and a gauge may follow a value', async (t) => {
  const metrics = createPrometheusMetrics()
  const options = { name: 'runs_total', help: 'Runs.', labelNames: ['result'] }
  metrics.counter(options).add({ result: 'success' })
  metrics.counter(options).add({ result: 'success' }, 2)
  metrics.histogram({ name: 'run_seconds', help: 'How long.', buckets: [1, 10] }).observe({}, 5)
  let depth = 7
  const follow = (name: string) => ({
    name: 'depth',
    help: 'How deep.',
    labelNames: ['queue'],
    follow: (gauge: { set(labels: Record<string, string>, value: number): void }) =>
      gauge.set({ queue: name }, depth),
  })
  metrics.gauge(follow('one'))
  metrics.gauge(follow('two'))
  depth = 8
  const text = await metrics.text()
  for (const line of [
    'runs_total{result="success"} 3',
    'run_seconds_bucket{le="10"} 1',
    'depth{queue="one"} 8',
    'depth{queue="two"} 8',
  ])
    t.ok(text.split('\n').includes(line), line)
  t.match(text, /^process_cpu_seconds_total /m)
})

void t.test('health, readiness and metrics are read by HTTP, and nothing can be changed', async (t) => {
  let ready: string | undefined = 'the first lists are not in'
  const inspection = await serveInspection({
    address: '127.0.0.1:0',
    metrics: createPrometheusMetrics(),
    live: () => [],
    ready: () => [{ name: 'started', wrong: () => ready }],
  })
  t.teardown(() => inspection.close())
  const read = async (path: string, method = 'GET') => {
    const response = await fetch(inspection.url + path, { method })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    }
  }
  t.match(await read('/healthz?verbose'), { status: 200, body: 'healthy\n' })
  t.match(await read('/readyz'), { status: 503, body: /\[-\]started failed: the first lists are not in/ })
  ready = undefined
  t.match(await read('/readyz'), { status: 200, body: /\[\+\]started ok/ })
  t.match(await read('/metrics'), { status: 200, type: /^text\/plain; version=0\.0\.4/ })
  t.match(await read('/metrics', 'HEAD'), { status: 200, body: '' })
  t.match(await read('/metrics', 'POST'), { status: 405 })
  t.match(await read('/'), { status: 404 })
})

void t.test('a gauge that throws is an answer, and no unhandled rejection', async (t) => {
  const metrics = createPrometheusMetrics()
  const follow = () => {
    throw new Error('the password is hunter2')
  }
  metrics.gauge({ name: 'broken', help: 'Throws.', follow })
  const inspection = await serveInspection({
    address: '127.0.0.1:0',
    metrics,
    live: () => [],
    ready: () => [],
  })
  t.teardown(() => inspection.close())
  const signal = AbortSignal.timeout(60_000)
  const response = await fetch(`${inspection.url}/metrics`, { signal })
  t.equal(response.status, 500)
  t.notMatch(await response.text(), 'hunter2')
  t.equal((await fetch(`${inspection.url}/livez`)).status, 200)
})

void t.test('on loopback a request with another host name is refused, elsewhere it is served', async (t) => {
  const serve = async (address: string) => {
    const metrics = createPrometheusMetrics()
    const inspection = await serveInspection({ address, metrics, live: () => [], ready: () => [] })
    t.teardown(() => inspection.close())
    return Number(new URL(inspection.url).port)
  }
  const ask = (port: number, host: string, path = '/metrics') =>
    new Promise<number | undefined>((resolve, reject) => {
      get({ port, host: '127.0.0.1', path, headers: { host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).once('error', reject)
    })
  const local = await serve('127.0.0.1:0')
  for (const host of ['localhost:9090', '127.0.0.1', `127.0.0.1:${local}`, '[::1]:9090', 'LOCALHOST'])
    t.equal(await ask(local, host), 200, host)
  for (const host of ['evil.example.com', '127.0.0.1.evil.example.com', 'localhost.evil:80', '10.0.0.7:9090'])
    for (const path of ['/metrics', '/healthz']) t.equal(await ask(local, host, path), 403, `${host} ${path}`)
  const everywhere = await serve('0.0.0.0:0')
  for (const host of ['10.0.0.7:9090', 'plugin.svc:9090']) t.equal(await ask(everywhere, host), 200, host)
})

void t.test('without a host it answers on IPv4, and on IPv6 if the machine has it', async (t) => {
  const metrics = createPrometheusMetrics()
  const inspection = await serveInspection({ address: ':0', metrics, live: () => [], ready: () => [] })
  t.teardown(() => inspection.close())
  const hasIpv6 = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1')
  const { host, port } = new URL(inspection.url)
  for (const name of ['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])])
    t.equal((await fetch(`http://${name}:${port}/livez`)).status, 200, name)
  t.equal(host, hasIpv6 ? `[::]:${port}` : `0.0.0.0:${port}`)
})

void t.test('an address that cannot be listened on is named with what to do', async (t) => {
  const serve = (address: string) =>
    serveInspection({ address, metrics: createPrometheusMetrics(), live: () => [], ready: () => [] })
  for (const address of ['9090', '127.0.0.1', '127.0.0.1:99999', 'x:y'])
    await t.rejects(serve(address), { code: 'INVALID_ADDRESS', message: /must be host:port, got/ }, address)
  const first = await serve('127.0.0.1:0')
  t.teardown(() => first.close())
  const taken = new URL(first.url).host
  await t.rejects(serve(taken), {
    code: 'CANNOT_LISTEN',
    message: new RegExp(`METRICS_ADDRESS ${taken}.*EADDRINUSE.*choose another`),
  })
})

void t.test(
  'a request that arrives as the server closes is answered, and a page is not waited for',
  async (t) => {
    const pages = { path: '/page', isFor: (path: string) => path === '/page', respond: async () => {} }
    const metrics = createPrometheusMetrics()
    const options = { address: '127.0.0.1:0', metrics, live: () => [], ready: () => [], pages }
    const inspection = await serveInspection(options)
    const port = Number(new URL(inspection.url).port)
    const page = get({ port, host: '127.0.0.1', path: '/page' }).on('error', () => {})
    const request = 'GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const answer = await answerAtClose(connect(port, '127.0.0.1'), request, () => inspection.close())
    t.match(answer, /HTTP\/1\.1 200 /)
    page.destroy()
  },
)
