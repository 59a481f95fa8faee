// Every fault of the embedded API server, through the SDK's own transports, watch and store: what is broken heals.
import type { ClientRequest } from 'node:http'
import { type ClientHttp2Stream, connect } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import t, { type Test } from 'tap'
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import type { FaultAction } from '../apiserver/faults/fault-action.js'
import type { FaultMatch } from '../apiserver/faults/fault-match.js'
import type { FaultOptions, FaultRule } from '../apiserver/faults/faults.js'
import { configMaps } from '../sdk/kube/builtin.js'
import { parseJson } from '../sdk/kube/json.js'
import type { KubeObject } from '../sdk/kube/object.js'
import { intoStore } from '../sdk/store/into-store.js'
import { Store } from '../sdk/store/store.js'
import { type Clock, systemClock } from '../sdk/time/clock.js'
import { createTransport } from '../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/transport/kubeconfig.js'
import type { Transport } from '../sdk/transport/transport.js'
import { watchResource } from '../sdk/watch/watch-resource.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { VirtualClock } from './clock/virtual-clock.js'

const PATH = '/api/v1/namespaces/default/configmaps'
const JSON_TYPE = { 'content-type': 'application/json' }
/** Whoever looks at what is really there; rules are about `admin`. */
const WITNESS = { name: 'witness', groups: ['system:masters'] }
const WATCHES: FaultMatch = { verb: 'watch', resource: 'configmaps', user: 'admin' }

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn()
}

/** The machine's clock, twenty times as fast: backoffs and silences are over in no time. */
const fastClock: Clock = {
  now: () => systemClock.now() * 20,
  date: () => new Date(),
  schedule: (delayMs, callback) => systemClock.schedule(delayMs / 20, callback),
}

type Door = (t: Test, server: ApiServer) => Promise<Transport>

const doors: Readonly<Record<string, Door>> = {
  'in process': async (t, server) => {
    const transport = inProcessTransport(server)
    t.teardown(() => transport.close())
    return transport
  },
  'over sockets': async (t, server) => {
    await server.listen()
    const kubeconfig = await loadKubeconfig({ text: await server.kubeconfig() })
    const transport = createTransport({ kubeconfig, clock: fastClock })
    t.teardown(() => transport.close())
    return transport
  },
}

async function startServer(t: Test, options: Parameters<typeof createApiServer>[0] = {}): Promise<ApiServer> {
  const server = await createApiServer({ clock: fastClock, ...options })
  t.teardown(() => server.close())
  return server
}

async function write(server: ApiServer, method: string, name: string, value = ''): Promise<void> {
  const path = method === 'POST' ? PATH : `${PATH}/${name}`
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } }
  const answer = await server.handle({
    method,
    path,
    headers: JSON_TYPE,
    user: WITNESS,
    ...(method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}`)
}

/** Adds, changes and removes. */
async function makeChanges(server: ApiServer): Promise<void> {
  await write(server, 'POST', 'a', '1')
  await write(server, 'POST', 'b', '1')
  await turn()
  await write(server, 'PUT', 'a', '2')
  await write(server, 'DELETE', 'b')
  await write(server, 'POST', 'c', '1')
  await write(server, 'PUT', 'c', '2')
}

async function listed(server: ApiServer): Promise<KubeObject[]> {
  const { body } = await server.handle({ method: 'GET', path: '/api/v1/configmaps', user: WITNESS })
  return (parseJson(body as Uint8Array) as { items: KubeObject[] }).items
}

const versionsOf = (objects: readonly KubeObject[]) =>
  objects
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`)
    .sort()
    .join()

/** A store that a watch fills. */
function watched(t: Test, transport: Transport): Store {
  const store = new Store()
  const events$ = watchResource({
    transport,
    resource: configMaps,
    clock: fastClock,
    silenceMs: 10_000,
    random: () => 0,
  })
  const subscription = events$.pipe(intoStore(store)).subscribe()
  t.teardown(() => subscription.unsubscribe())
  return store
}

async function untilInSync(server: ApiServer, store: Store): Promise<void> {
  const truth = versionsOf(await listed(server))
  await until(() => versionsOf(store.list()) === truth)
}

interface Scenario {
  readonly title: string
  readonly match: FaultMatch
  readonly action: FaultAction
  readonly options?: FaultOptions
}

const scenarios: readonly Scenario[] = [
  {
    title: 'reset mid-line',
    match: WATCHES,
    action: { type: 'resetWatch', afterEvents: 1 },
    options: { times: 2 },
  },
  {
    title: 'reset with its whole connection',
    match: WATCHES,
    action: { type: 'resetWatch', wholeConnection: true },
    options: { times: 1 },
  },
  { title: 'silent', match: WATCHES, action: { type: 'stallWatch', afterEvents: 1 }, options: { times: 1 } },
  { title: 'told everything twice', match: WATCHES, action: { type: 'duplicateEvents' } },
  { title: 'told the outcome only', match: WATCHES, action: { type: 'coalesceEvents', windowMs: 500 } },
  { title: 'told everything late', match: WATCHES, action: { type: 'delayEvents', delayMs: 500 } },
  { title: 'opened late', match: WATCHES, action: { type: 'delay', delayMs: 500 } },
  {
    title: 'refused as expired',
    match: WATCHES,
    action: { type: 'status', code: 410 },
    options: { times: 1 },
  },
  {
    title: 'refused by a busy server',
    match: { user: 'admin' },
    action: { type: 'status', code: 429, retryAfterSeconds: 1 },
    options: { times: 3 },
  },
  {
    title: 'never opened because the connection broke',
    match: WATCHES,
    action: { type: 'reset', when: 'after' },
    options: { times: 1 },
  },
]

for (const [door, open] of Object.entries(doors)) {
  for (const { title, match, action, options } of scenarios) {
    void t.test(`a watch that is ${title} ends in sync by itself, ${door}`, async (t) => {
      const server = await startServer(t)
      const rule = server.faults.add(match, action, options)
      const store = watched(t, await open(t, server))
      // A rule about the events of a watch has it open before anything happens.
      await until(() => store.synced && rule.hits > 0)
      await makeChanges(server)
      await untilInSync(server, store)
      const isOver = options?.times === rule.hits
      t.equal(isOver, options !== undefined, 'a fault that comes a few times came as often')
      // What it broke is tried again.
      await until(() => !isOver || rule.matches > rule.hits)
    })
  }

  void t.test(`a stale reader catches up when the rule is removed, ${door}`, async (t) => {
    const server = await startServer(t)
    await write(server, 'POST', 'old')
    const before = versionsOf(await listed(server))
    const resourceVersion = server.resourceVersion
    const rule = server.faults.add({ user: 'admin' }, { type: 'stale', resourceVersion })
    await makeChanges(server)
    const transport = await open(t, server)
    const store = watched(t, transport)
    await until(() => store.synced && rule.hits > 1)
    t.equal(versionsOf(store.list()), before, 'the list is old')
    const [old, unseen] = [`${PATH}/old`, `${PATH}/a`]
    t.equal((await transport.request({ method: 'GET', path: old })).status, 200)
    t.equal((await transport.request({ method: 'GET', path: unseen })).status, 404)
    await write(server, 'PUT', 'old', 'new')
    t.equal(versionsOf(store.list()), before, 'the watch says nothing new')
    rule.remove()
    await untilInSync(server, store)
    t.equal((await transport.request({ method: 'GET', path: unseen })).status, 200)
  })

  void t.test(`a write is lost or done when its connection breaks, ${door}`, async (t) => {
    const server = await startServer(t)
    const transport = await open(t, server)
    const create = (name: string) =>
      transport.request({
        method: 'POST',
        path: PATH,
        headers: JSON_TYPE,
        body: JSON.stringify({ metadata: { name } }),
      })
    const existing = async () => (await listed(server)).map(({ metadata }) => metadata.name)
    const rules = [
      server.faults.add({ verb: 'create' }, { type: 'reset', when: 'before' }, { times: 1 }),
      server.faults.add({ verb: 'create' }, { type: 'reset', when: 'after' }, { times: 1 }),
    ]
    await t.rejects(create('before'), 'nothing was done')
    t.notOk((await existing()).includes('before'))
    await t.rejects(create('after'), 'only the answer is lost')
    t.ok((await existing()).includes('after'))
    t.equal((await create('third')).status, 201)
    t.strictSame(
      rules.map(({ hits }) => hits),
      [1, 1],
    )
  })
}

void t.test('a rule says which of the requests it matches it acts on', async (t) => {
  const server = await startServer(t)
  const get = async (path = '/api/v1/namespaces') => (await server.handle({ method: 'GET', path })).status
  const several = async (count: number) => {
    const statuses: number[] = []
    for (let at = 0; at < count; at++) statuses.push(await get())
    return statuses
  }
  const refuse: FaultAction = { type: 'status', code: 503 }
  await t.test('the third and fourth', async (t) => {
    const rule = server.faults.add({ verb: 'list' }, refuse, { skip: 2, times: 2 })
    t.strictSame(await several(6), [200, 200, 503, 503, 200, 200])
    t.match(rule, { hits: 2, matches: 6 })
    rule.remove()
  })
  await t.test('a share of them, the same for the same seed', async (t) => {
    const sample = async (seed: number) => {
      const rule = server.faults.add({ resource: /^name/ }, refuse, { probability: 0.5, seed })
      const statuses = await several(40)
      rule.remove()
      return statuses.join()
    }
    const first = await sample(1)
    t.match(first, '200')
    t.match(first, '503')
    t.equal(await sample(1), first)
    t.not(await sample(2), first)
  })
  await t.test('those of a name, a user or anything else about them', async (t) => {
    server.faults.add(
      { name: 'default', user: 'admin', where: ({ headers }) => headers.via === undefined },
      refuse,
    )
    t.equal(await get('/api/v1/namespaces/default'), 503)
    t.equal(await get('/api/v1/namespaces/kube-system'), 200)
    server.faults.clear()
    t.strictSame(server.faults.rules, [])
    t.equal(await get('/api/v1/namespaces/default'), 200)
  })
})

void t.test('a refusal carries what a client needs to know', async (t) => {
  const server = await startServer(t)
  server.faults.add({}, { type: 'status', code: 429, retryAfterSeconds: 3 })
  const { status, headers, body } = await server.handle({ method: 'GET', path: '/api' })
  t.match({ status, headers }, { status: 429, headers: { 'retry-after': '3' } })
  t.match(parseJson(body as Uint8Array), { reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } })
})

void t.test('a delayed request waits for the clock', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  server.faults.add({}, { type: 'delay', delayMs: 1000 })
  let status = 0
  const answer = server.handle({ method: 'GET', path: '/api' }).then((done) => {
    status = done.status
  })
  await clock.advance(999)
  t.equal(status, 0)
  await clock.advance(1)
  await answer
  t.equal(status, 200)
})

/** The names and types of the events that a watch in process has to tell. */
async function openWatch(t: Test, server: ApiServer): Promise<string[]> {
  const ended = new AbortController()
  const path = `${PATH}?watch=1&fieldSelector=metadata.name!=kube-root-ca.crt`
  const { body } = await server.handle({ method: 'GET', path, signal: ended.signal })
  const told: string[] = []
  const reading = (async () => {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      for (const line of Buffer.from(chunk).toString().trimEnd().split('\n')) {
        const { type, object } = parseJson(line) as { type: string; object: KubeObject }
        told.push(`${type} ${object.metadata.name}`)
      }
    }
  })()
  t.teardown(async () => {
    ended.abort()
    await reading
  })
  return told
}

void t.test('a watch that is disturbed says so in bytes', async (t) => {
  const server = await startServer(t)
  const bytesOf = async (action: FaultAction) => {
    const rule = server.faults.add({ verb: 'watch' }, action)
    const path = '/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=default'
    const { body } = await server.handle({ method: 'GET', path })
    rule.remove()
    let text = ''
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString()
    } catch (error) {
      text += (error as NodeJS.ErrnoException).code
    }
    return text
  }
  const whole = await bytesOf({ type: 'delayEvents', delayMs: 0 })
  t.match(whole, /^\{"type":"ADDED".*\}\n$/)
  t.equal(await bytesOf({ type: 'duplicateEvents' }), whole + whole)
  t.equal(await bytesOf({ type: 'resetWatch' }), `${whole.slice(0, whole.length >> 1)}ECONNRESET`)
})

/** What a client over a socket of its own is told of the end of its request. */
function outcomeOf(request: ClientRequest | ClientHttp2Stream): Promise<string | undefined> {
  return new Promise((resolve) => {
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    request.once('close', () => resolve('closed'))
    request.end()
  })
}

void t.test('a broken connection is a broken socket', async (t) => {
  const server = await startServer(t)
  const url = await server.listen()
  const rule = server.faults.add({ path: '/version' }, { type: 'reset', when: 'after' })
  const insecure = { rejectUnauthorized: false, agent: false } as const
  t.equal(await outcomeOf(httpsRequest(`${url}/version`, insecure)), 'ECONNRESET')
  const session = connect(url, insecure)
  t.teardown(() => session.close())
  t.equal(await outcomeOf(session.request({ ':path': '/version' })), 'ERR_HTTP2_STREAM_ERROR')
  t.equal(session.destroyed, false, 'the rest of the HTTP/2 connection lives on')
  rule.remove()
  server.faults.add({ path: '/version' }, { type: 'reset', when: 'before', wholeConnection: true })
  const broken = new Promise((resolve) => session.once('close', resolve))
  session.on('error', () => undefined)
  t.equal(await outcomeOf(session.request({ ':path': '/version' })), 'ECONNRESET')
  await broken
})

void t.test('a watch that coalesces tells what several events came to', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  await write(server, 'POST', 'again', '1')
  const rule: FaultRule = server.faults.add({ verb: 'watch' }, { type: 'coalesceEvents', windowMs: 100 })
  const told = await openWatch(t, server)
  await clock.advance(100)
  t.strictSame(told.splice(0), ['ADDED again'])
  await makeChanges(server)
  await write(server, 'DELETE', 'again')
  await write(server, 'POST', 'again', '2')
  await clock.advance(99)
  t.strictSame(told, [])
  await clock.advance(1)
  t.strictSame(told.splice(0), ['ADDED a', 'ADDED c', 'MODIFIED again'])
  rule.remove()
})

void t.test(
  'a watch whose events are late tells each portion after its time, and what came meanwhile with the next',
  async (t) => {
    const clock = new VirtualClock()
    const server = await startServer(t, { clock })
    const rule = server.faults.add({ verb: 'watch' }, { type: 'delayEvents', delayMs: 100 })
    const told = await openWatch(t, server)
    await write(server, 'POST', 'a')
    await clock.advance(99)
    t.strictSame(told, [])
    await write(server, 'POST', 'b')
    await clock.advance(1)
    t.strictSame(told.splice(0), ['ADDED a'])
    await clock.advance(100)
    t.strictSame(told.splice(0), ['ADDED b'])
    t.match(rule, { matches: 1, hits: 1 })
    rule.remove()
  },
)

void t.test('a watch that is cut breaks at its time, and lives on where the rule goes before', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  const path = '/api/v1/namespaces?watch=1&fieldSelector=metadata.name=default'
  const linesOf = async () => {
    const { body } = await server.handle({ method: 'GET', path })
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }
  const rule = server.faults.add({ verb: 'watch' }, { type: 'cutWatch', afterMs: 1000 })
  const [lines, others] = [await linesOf(), await linesOf()]
  await lines.next()
  const broken = t.rejects(lines.next(), { code: 'ECONNRESET', wholeConnection: false })
  await clock.advance(1000)
  await broken
  await others.return?.()
  const living = await linesOf()
  await living.next()
  rule.remove()
  const next = living.next()
  await clock.advance(1000)
  const changed = { metadata: { labels: { changed: 'yes' } } }
  const headers = { 'content-type': 'application/merge-patch+json' }
  const patch = { method: 'PATCH', path: '/api/v1/namespaces/default', headers }
  await server.handle({ ...patch, body: Buffer.from(JSON.stringify(changed)) })
  t.match(Buffer.from((await next).value).toString(), '"MODIFIED"')
  await living.return?.()
})

void t.test('a stalled watch goes on when the rule is removed', async (t) => {
  const server = await startServer(t)
  const rule = server.faults.add({ verb: 'watch' }, { type: 'stallWatch', afterEvents: 1 })
  const told = await openWatch(t, server)
  await makeChanges(server)
  await until(() => told.length > 0)
  await turn()
  t.strictSame(told, ['ADDED a'])
  rule.remove()
  await until(() => told.includes('MODIFIED c'))
  t.equal(told.length, 6, 'nothing was lost')
})
