import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import type { Explanation } from '../../../sdk/engine/inspector/explanation-view.js'
import type { Overview } from '../../../sdk/engine/inspector/model.js'
import { freePort } from '../../../simulator/free-ports.js'
import { until } from '../../../test/until.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Exit } from '../../program/plugin-process.js'
import { DevInspector } from './dev-inspector.js'

const key = { namespace: 'default', name: 'one' }
const recorded = [{ subject: 'virtual v1 configmaps default/one' }]

/** The answers of a program that has one syncer, and runs. */
const answers: Readonly<Record<string, unknown>> = {
  '/inspector/api/overview': {
    plugin: { name: 'demo', isRunning: true },
    syncers: [{ name: 'configmap', windows: [], errors: [] }],
    controllers: [],
    methods: [],
    calls: [],
  },
  '/inspector/api/why': [{ ...key, syncer: 'configmap', cluster: null, timeline: [], recorded, events: [] }],
}

async function startProgram(port: number) {
  const server = createServer((request, response) => {
    const data = answers[request.url?.split('?')[0] ?? '']
    response.writeHead(data === undefined ? 404 : 200).end(JSON.stringify(data ?? { path: request.url }))
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return () => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  }
}

/** A process of the program. */
class FakeChild extends EventEmitter {
  connected = true
  readonly asked: object[] = []
  end = (_exit: Exit) => {}
  readonly exited = new Promise<Exit>((resolve) => {
    this.end = resolve
  })

  send(message: object): void {
    this.asked.push(message)
  }

  records(...records: object[]): void {
    this.emit('message', { inspector: 'records', records })
  }
}

const follow = (inspector: DevInspector, child: FakeChild, pid: number) =>
  inspector.follow({ child, pid, exited: child.exited } as never)

const runOf = (atMs: number, error?: string) => ({
  what: 'run',
  worker: 'configmap',
  key,
  waiting: 2,
  entry: { what: 'run', atMs, result: error ? 'error' : 'success', durationMs: 3, ...(error && { error }) },
  ...(error && { error: { message: error, frames: [] } }),
})

void t.test('the history, the charts and the errors survive the processes of the program', async (t) => {
  const programPort = await freePort()
  const clock = new VirtualClock()
  const inspector = await DevInspector.start({ once: false, programPort, env: {}, clock })
  t.teardown(() => inspector.close())
  const { url = '' } = inspector
  const read = async (path: string) => (await fetch(`${url}api/${path}`)).json()
  const overview = async () => (await read('overview')) as Overview
  t.equal((await fetch(url)).status, 200, 'the page is served before the program')
  t.match(await read('overview'), { error: 'The program starts.' })

  const [first, second] = [new FakeChild(), new FakeChild()]
  follow(inspector, first, 7)
  await clock.advance(1000)
  const nowMs = clock.date().getTime()
  const stop = await startProgram(programPort)
  first.records(runOf(nowMs, 'no'), {
    what: 'subject',
    subject: recorded[0]?.subject,
    entry: { what: 'write', atMs: nowMs, side: 'virtual', verb: 'written', resourceVersion: '5' },
  })
  t.match(await overview(), {
    dev: { process: { state: 'running', text: 'process 7' } },
    syncers: [
      { name: 'configmap', windows: [{ runs: 1, failures: 1 }], errors: [{ message: 'no', times: 1 }] },
    ],
  })
  await read('why?syncer=configmap')
  await stop()
  await clock.advance(1000)
  first.end({ code: null, signal: 'SIGKILL', failure: undefined })
  await first.exited

  const down = await overview()
  t.match(down, {
    plugin: { name: 'demo', isRunning: false },
    dev: { process: { state: 'ended', text: 'process 7 was ended by SIGKILL' } },
    syncers: [{ windows: [{ runs: 1 }] }],
  })
  const happened = async () =>
    ((await read('why?syncer=configmap')) as Explanation[])[0]?.timeline.map((entry) =>
      'verb' in entry ? `${entry.what} ${entry.verb}` : entry.what,
    )
  t.same(await happened(), ['run', 'write written', 'process ended'], 'the last answer, with the end')
  t.match(await read('why?syncer=other'), {
    error: /^The program does not run: process 7 was ended by SIGKILL/,
  })

  const stopAgain = await startProgram(programPort)
  t.teardown(stopAgain)
  await clock.advance(1000)
  follow(inspector, second, 8)
  await clock.advance(1000)
  second.records(runOf(clock.date().getTime()))
  t.match(await overview(), {
    dev: { process: { state: 'running', text: 'process 8' } },
    syncers: [{ windows: [{ runs: 2 }], errors: [{ message: 'no' }] }],
  })
  t.same(await happened(), ['run', 'write written', 'process ended', 'process started', 'run'])
})

void t.test('metrics that break off, and a client that leaves, end both connections', async (t) => {
  const programPort = await freePort()
  let [closed, opened] = [0, 0]
  const server = createServer((_, response) => {
    opened++
    response.on('close', () => closed++)
    response.writeHead(200).write('begin')
  })
  await new Promise<void>((listening) => server.listen(programPort, '127.0.0.1', listening))
  const inspector = await DevInspector.start({ once: false, programPort, env: {} })
  t.teardown(async () => {
    await inspector.close()
    server.closeAllConnections()
    server.close()
  })
  const metrics = new URL('/metrics', inspector.url)
  const brokenOff = await fetch(metrics)
  server.closeAllConnections()
  await t.rejects(brokenOff.text())
  const leaving = new AbortController()
  await fetch(metrics, { signal: leaving.signal })
  leaving.abort()
  await until(() => closed === 2)
  t.equal(opened, 2)
})

void t.test('only the page of dev may ask for a run, and metrics are those of the program', async (t) => {
  const programPort = await freePort()
  const inspector = await DevInspector.start({ once: false, programPort, env: {} })
  t.teardown(() => inspector.close())
  const url = inspector.url ?? ''
  const run = async (headers: Record<string, string>) =>
    (await fetch(`${url}api/run?syncer=configmap&namespace=default&name=one`, { method: 'POST', headers }))
      .status
  t.equal(await run({ 'x-inspector': '1' }), 503, 'there is no process')
  const child = new FakeChild()
  follow(inspector, child, 7)
  t.equal(await run({}), 403)
  t.equal(await run({ 'x-inspector': '1', 'sec-fetch-site': 'cross-site' }), 403)
  t.equal(child.asked.length, 0)
  t.equal(await run({ 'x-inspector': '1' }), 200)
  const post = async (query: string) =>
    (await fetch(`${url}api/run?${query}`, { method: 'POST', headers: { 'x-inspector': '1' } })).status
  t.equal(await post('syncer=configmap'), 400)
  t.equal(await post('name=one'), 400)
  t.same(child.asked, [{ inspector: 'run', syncer: 'configmap', ...key }])

  const metrics = new URL('/metrics', url)
  t.equal((await fetch(metrics)).status, 503)
  t.teardown(await startProgram(programPort))
  t.same(await (await fetch(metrics)).json(), { path: '/metrics' })
  t.equal(await post('syncer=other&name=one'), 404)
  child.end({ code: null, signal: null, failure: { message: 'spawn ENOENT' } })
  await child.exited
  t.match(await (await fetch(`${url}api/overview`)).json(), {
    dev: { process: { text: 'its process could not be started: spawn ENOENT' } },
  })
})

void t.test('an address of the user is left to the program', async (t) => {
  const own = await DevInspector.start({ once: false, programPort: 1, env: { METRICS_ADDRESS: ':9090' } })
  t.equal(own.url, undefined)
  t.same(own.env, { VCLUSTER_PLUGIN_INSPECT: '1' })
  t.same((await DevInspector.start({ once: true, programPort: 1 })).env, {})
})
