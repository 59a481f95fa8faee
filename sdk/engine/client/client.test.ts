import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { missingAssets, startRealCluster } from '../../../test/real/real-cluster.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, namespaces, nodes, pods, secrets } from '../kube/builtin.js'
import { ApiError, isAlreadyExists, isConflict, isNotFound, PluginError } from '../kube/error.js'
import { keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { silentLogger } from '../observe/logger.js'
import { noMetrics } from '../observe/metrics.js'
import { createTransport } from '../transport/create-transport.js'
import { loadKubeconfig } from '../transport/load-kubeconfig.js'
import {
  AnswerTooLargeError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.js'
import { CircuitBreaker } from './circuit-breaker.js'
import type { AcceptedWrite, Client, ListOptions } from './client.js'
import { type ClientOptions, createClient } from './create-client.js'
import { listAll } from './list-all.js'
import { openUntil } from './write-gate.js'

interface Scripted {
  status?: number
  headers?: Record<string, string>
  /** Sent as it is, if it is text; else as JSON. Left out, it is what was asked for. */
  body?: unknown
}

const kinds: Record<string, string> = {
  configmaps: 'ConfigMap',
  nodes: 'Node',
  pods: 'Pod',
  secrets: 'Secret',
}

/** The response of a real API server. */
function fitting({ method, path, body }: TransportRequest): object {
  const [, namespace, plural = '', name = '', part] =
    /^\/api\/v1\/(?:namespaces\/([^/]+)\/)?(\w+)(?:\/([^/?]+))?(?:\/(\w+))?/.exec(path) ?? []
  if (method === 'DELETE' || part === 'eviction') return success
  if (method === 'GET' && name === '')
    return { apiVersion: 'v1', kind: `${kinds[plural]}List`, metadata: {}, items: [] }
  const { metadata } = method === 'POST' || method === 'PUT' ? JSON.parse(String(body)) : { metadata: {} }
  const place = namespace === undefined ? {} : { namespace: decodeURIComponent(namespace) }
  return { apiVersion: 'v1', kind: kinds[plural], metadata: { name, ...metadata, ...place } }
}

const success = { apiVersion: 'v1', kind: 'Status', status: 'Success' }

/** A client whose transport records what it is asked and answers from a script. */
function scripted(answers: Scripted[], options: Partial<ClientOptions> = {}) {
  const requests: TransportRequest[] = []
  const written: AcceptedWrite[] = []
  const request = async (asked: TransportRequest): Promise<TransportResponse> => {
    requests.push(asked)
    asked.beforeSend?.()
    const { status = 200, headers = {}, ...rest } = answers.shift() ?? {}
    const body = 'body' in rest ? rest.body : fitting(asked)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { status, headers, body: new TextEncoder().encode(text) }
  }
  const transport: Transport = {
    request,
    stream: () => Promise.reject(new Error('a client opens no streams')),
    close: async () => {},
  }
  const client = createClient({ transport, onWrite: (write) => written.push(write), ...options })
  return { client, requests, written }
}

const key = { namespace: 'team a', name: 'greeting' }
const greeting = {
  apiVersion: 'v1',
  kind: 'ConfigMap' as const,
  metadata: { namespace: 'a', name: 'greeting', uid: 'u1', resourceVersion: '7' },
  data: { hello: 'world' },
}

void t.test('each call is the HTTP request that the API documents', async (t) => {
  type Run = (client: ReturnType<typeof scripted>['client']) => Promise<unknown>
  const cases: [Run, string, string?][] = [
    [(c) => c.get(configMaps, key), 'GET /api/v1/namespaces/team%20a/configmaps/greeting'],
    [
      (c) => c.get(nodes, { namespace: '', name: 'n1' }, { subresource: 'status' }),
      'GET /api/v1/nodes/n1/status',
    ],
    [(c) => c.list(configMaps), 'GET /api/v1/configmaps'],
    [
      (c) =>
        c.list(configMaps, {
          namespace: 'a',
          labelSelector: 'app=web,tier!=db',
          fieldSelector: 'metadata.name=x',
          limit: 5,
          continue: 'abc=',
          resourceVersion: '0',
          resourceVersionMatch: 'NotOlderThan',
        }),
      'GET /api/v1/namespaces/a/configmaps?labelSelector=app%3Dweb%2Ctier%21%3Ddb' +
        '&fieldSelector=metadata.name%3Dx&limit=5&continue=abc%3D&resourceVersion=0' +
        '&resourceVersionMatch=NotOlderThan',
    ],
    [
      (c) => c.create(configMaps, greeting, { dryRun: true }),
      'POST /api/v1/namespaces/a/configmaps?dryRun=All&fieldManager=sync application/json',
      JSON.stringify(greeting),
    ],
    [
      (c) => c.create(configMaps, greeting, { fieldValidation: 'Strict' }),
      'POST /api/v1/namespaces/a/configmaps?fieldManager=sync&fieldValidation=Strict application/json',
      JSON.stringify(greeting),
    ],
    [
      (c) => c.create<KubeObject>(pods, greeting, { subresource: 'eviction', fieldManager: 'other' }),
      'POST /api/v1/namespaces/a/pods/greeting/eviction?fieldManager=other application/json',
      JSON.stringify(greeting),
    ],
    [
      (c) => c.update(configMaps, { metadata: greeting.metadata }),
      'PUT /api/v1/namespaces/a/configmaps/greeting?fieldManager=sync application/json',
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: greeting.metadata }),
    ],
    [
      (c) => c.patch(configMaps, key, { type: 'merge', body: { data: null }, subresource: 'status' }),
      'PATCH /api/v1/namespaces/team%20a/configmaps/greeting/status?fieldManager=sync application/merge-patch+json',
      '{"data":null}',
    ],
    [
      (c) => c.patch(configMaps, key, { type: 'json', body: [{ op: 'remove', path: '/data' }] }),
      'PATCH /api/v1/namespaces/team%20a/configmaps/greeting?fieldManager=sync application/json-patch+json',
      '[{"op":"remove","path":"/data"}]',
    ],
    [
      (c) => c.patch(configMaps, key, { type: 'apply', body: { kind: 'ConfigMap' }, force: true }),
      'PATCH /api/v1/namespaces/team%20a/configmaps/greeting?fieldManager=sync&force=true ' +
        'application/apply-patch+yaml',
      '{"kind":"ConfigMap"}',
    ],
    [(c) => c.delete(configMaps, key), 'DELETE /api/v1/namespaces/team%20a/configmaps/greeting'],
    [
      (c) =>
        c.delete(configMaps, key, {
          uid: 'u',
          resourceVersion: '3',
          propagationPolicy: 'Foreground',
          gracePeriodSeconds: 0,
          dryRun: true,
        }),
      'DELETE /api/v1/namespaces/team%20a/configmaps/greeting application/json',
      '{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u","resourceVersion":"3"},' +
        '"propagationPolicy":"Foreground","gracePeriodSeconds":0,"dryRun":["All"]}',
    ],
    [
      (c) => c.deleteCollection(configMaps, { namespace: 'a', labelSelector: 'x' }),
      'DELETE /api/v1/namespaces/a/configmaps?labelSelector=x',
    ],
  ]
  for (const [run, line, body] of cases) {
    const { client, requests } = scripted([], { fieldManager: 'sync' })
    await run(client)
    const [request] = requests
    const contentType = request?.headers?.['content-type'] ?? ''
    t.equal(`${request?.method} ${request?.path} ${contentType}`.trim(), line)
    t.equal(request?.body, body, line)
    t.equal(request?.headers?.accept, 'application/json')
  }
})

void t.test(
  'objects come and go as they are: unknown fields, big integers, __proto__ as a key',
  async (t) => {
    const text =
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"b"},"data":{"__proto__":"x"},"big":9007199254740993}'
    const { client, requests } = scripted([{ body: text }])
    const object = await client.get(configMaps, { namespace: 'b', name: 'a' })
    await client.update(configMaps, object)
    t.equal(requests[1]?.body, text)
  },
)

void t.test(
  'a whole list is read page by page, and again once when its continue token expires',
  async (t) => {
    const page = (names: string[], next?: string) => ({
      body: { metadata: { resourceVersion: '9', ...(next && { continue: next }) }, items: names.map(named) },
    })
    const named = (name: string) => ({ metadata: { name } })
    const expired = {
      status: 410,
      body: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' },
    }
    const { client, requests } = scripted([page(['a'], 'n1'), expired, page(['a'], 'n2'), page(['b', 'c'])])
    const list = await client.listAll(configMaps, { labelSelector: 'x', limit: 2 })
    t.same(list, { metadata: { resourceVersion: '9' }, items: ['a', 'b', 'c'].map(named) })
    t.same(
      requests.map(({ path }) => path.replace('/api/v1/configmaps?labelSelector=x&limit=2', '')),
      ['', '&continue=n1', '', '&continue=n2'],
    )
    await t.rejects(scripted([expired, expired]).client.listAll(configMaps), { code: 410 })
    const { client: empty } = scripted([{ body: { metadata: {}, items: null } }])
    t.same((await empty.list(configMaps)).items, [], 'a Go server writes no items as null')
  },
)

void t.test('a list without a last page ends at a limit', async (t) => {
  const endless = (items: object[]) => {
    const body = Buffer.from(JSON.stringify({ metadata: { resourceVersion: '9', continue: 'more' }, items }))
    let pages = 0
    const request = async () => {
      pages++
      return { status: 200, headers: {}, body }
    }
    const transport: Transport = {
      request,
      stream: () => Promise.reject(new Error('a client opens no streams')),
      close: async () => {},
    }
    return { client: createClient({ transport, maxListBytes: 100_000 }), pages: () => pages }
  }
  const error = {
    name: 'AnswerTooLargeError',
    message:
      'GET /api/v1/namespaces/a/configmaps: the pages of the list together have more than 100000 bytes; ' +
      'select fewer objects by a namespace or by labels, or read the list page by page',
  }
  const large = endless([{ metadata: { name: 'a' }, data: { a: 'x'.repeat(30_000) } }])
  await t.rejects(large.client.listAll(configMaps, { namespace: 'a' }), error)
  t.equal(large.pages(), 4)
  const empty = endless([])
  await t.rejects(empty.client.listAll(configMaps, { namespace: 'a' }), error)
  t.equal(empty.pages(), 26, 'each counts as 4 KiB')
})

void t.test('a page that is too large for an answer is read in smaller ones', async (t) => {
  const limits: (number | undefined)[] = []
  const objects = Array.from({ length: 70 }, (_, at) => ({ metadata: { name: `c${at}` } }))
  const list = async (_: unknown, { limit = 500, continue: from = '0' }: ListOptions = {}) => {
    limits.push(limit)
    if (limit > 60) throw new AnswerTooLargeError({ path: '/x', maxBytes: 1 })
    const end = Number(from) + limit
    const metadata = { resourceVersion: '9', ...(end < objects.length && { continue: `${end}` }) }
    return { metadata, items: objects.slice(Number(from), end) }
  }
  const client = { list: list as unknown as Client['list'] }
  const { items } = await listAll(client, configMaps, { limit: 400 })
  t.same(items, objects)
  t.same(limits, [400, 50, 50], 'the next page is as small')
  const refusing = { list: () => Promise.reject(new AnswerTooLargeError({ path: '/x', maxBytes: 1 })) }
  await t.rejects(listAll(refusing, configMaps, {}), { name: 'AnswerTooLargeError' })
})

void t.test(
  "a refusal is an ApiError with the server's Status, or one made up without the body",
  async (t) => {
    const failing = async (answer: Scripted) => {
      const { client } = scripted([answer])
      return client.update<KubeObject>(secrets, greeting).then(
        () => undefined,
        (error: unknown) => error as ApiError,
      )
    }
    const status = {
      kind: 'Status',
      reason: 'AlreadyExists',
      message: 'x exists',
      code: 409,
      details: { name: 'x' },
    }
    const exists = await failing({ status: 409, body: status })
    t.ok(isAlreadyExists(exists))
    t.match(exists, { code: 409, message: 'x exists', status: { details: { name: 'x' } } })
    const bare = await failing({ status: 409, body: { kind: 'Status', reason: 'Conflict' } })
    t.equal(bare?.code, 409, 'the code of a Status without one is that of HTTP')
    t.ok(isConflict(bare))
    const reasons: [number, string][] = [
      [400, 'BadRequest'],
      [404, 'NotFound'],
      [413, 'RequestEntityTooLarge'],
      [429, 'TooManyRequests'],
      [502, 'InternalError'],
      [503, 'ServiceUnavailable'],
      [418, 'Unknown'],
    ]
    for (const [code, reason] of reasons) {
      const error = await failing({ status: code, headers: { 'retry-after': '3' }, body: '<html>c4n4ry' })
      t.ok(error instanceof ApiError)
      t.match(error, { code, reason, status: { details: { retryAfterSeconds: 3 } } })
      t.match(error?.message, `PUT secrets a/greeting: the server answered ${code}`)
      t.notMatch(JSON.stringify([error?.message, error?.status]), 'c4n4ry')
    }
    const unserved = await failing({ status: 404, body: '404 page not found' })
    t.ok(isNotFound(unserved))
    t.match(
      unserved?.message,
      /a\/greeting: .*install the definition of the kind, or correct its group, version/,
    )
    const patient = { kind: 'Status', code: 429, details: { retryAfterSeconds: 7 } }
    const tooMany = await failing({ status: 429, headers: { 'retry-after': '3' }, body: patient })
    t.equal(tooMany?.status.details?.retryAfterSeconds, 7, "the Status' own word counts")
    for (const body of ['<html>c4n4ry', 'null', '"c4n4ry"', '7']) {
      const noObject = await failing({ body })
      t.match(noObject?.message, /PUT secrets a\/greeting: .*not a JSON object/, body)
      t.notMatch(`${noObject?.stack} ${noObject?.cause}`, 'c4n4ry')
    }
  },
)

void t.test('an answer of 200 with another object than the requested one is an error', async (t) => {
  type Run = (client: ReturnType<typeof scripted>['client']) => Promise<unknown>
  const at = keyOf(greeting)
  const canary = 'c4n4ry'
  const other = (metadata: object) => ({ ...greeting, metadata: { ...greeting.metadata, ...metadata } })
  const writes: Record<string, Run> = {
    get: (c) => c.get(configMaps, at),
    create: (c) => c.create(configMaps, greeting),
    update: (c) => c.update(configMaps, greeting),
    'status update': (c) => c.update(configMaps, greeting, { subresource: 'status' }),
    patch: (c) => c.patch(configMaps, at, { type: 'merge', body: {} }),
    delete: (c) => c.delete(configMaps, at, { uid: 'u1' }),
    eviction: (c) => c.create<KubeObject>(pods, greeting, { subresource: 'eviction' }),
    scale: (c) => c.get(pods, at, { subresource: 'scale' }),
    list: (c) => c.list(configMaps),
    'delete of many': (c) => c.deleteCollection(configMaps, { namespace: 'a' }),
  }
  const answers: [unknown, RegExp][] = [
    [{}, /./],
    ['', /not a JSON object/],
    ['null', /not a JSON object/],
    [`<html>${canary}`, /not a JSON object/],
    [[], /./],
    [{ data: canary }, /./],
    [{ kind: 'Status', status: 'Failure', message: canary }, /./],
  ]
  for (const [what, run] of Object.entries(writes)) {
    for (const [body, message] of answers) {
      const { client, written } = scripted([{ headers: { 'content-type': 'text/html; x' }, body }])
      const error: Error = await run(client).then(
        () => new Error('it was taken for a success'),
        (reason: Error) => reason,
      )
      t.equal(error.name, 'UnexpectedAnswerError', `${what}: ${JSON.stringify(body)}`)
      t.match(error.message, message)
      t.match(error.message, /answered 200 \(text\/html, \d+ bytes\)/)
      t.notMatch(`${error.stack} ${error.cause}`, canary)
      t.same(written, [])
    }
  }
  const identities: [string, object, RegExp][] = [
    ['update', other({ name: 'farewell' }), /which is ConfigMap a\/farewell\./],
    ['create', other({ namespace: 'b' }), /which is ConfigMap b\/greeting\./],
    ['update', other({ uid: 'u2' }), /another uid/],
    ['delete', other({ uid: 'u2' }), /another uid/],
    ['delete', { ...success, details: { uid: 'u2' } }, /another uid/],
    ['patch', { ...greeting, kind: 'Secret' }, /which is v1 Secret and not v1 ConfigMap/],
    ['patch', { ...greeting, apiVersion: 'v2' }, /which is v2 ConfigMap and not v1 ConfigMap/],
    ['list', { apiVersion: 'v1', kind: 'SecretList', metadata: {}, items: [] }, /which is v1 SecretList/],
  ]
  for (const [what, body, message] of identities)
    await t.rejects(writes[what]?.(scripted([{ body }]).client) ?? Promise.resolve(), { message }, what)

  const generated = { metadata: { namespace: 'a', generateName: 'run-' } }
  const named = (name: string) => scripted([{ body: other({ name }) }]).client.create(configMaps, generated)
  t.equal((await named('run-x7k2p')).metadata.name, 'run-x7k2p')
  await t.rejects(named('greeting'), { name: 'UnexpectedAnswerError' })
  const token = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    status: { token: 'x' },
  }
  await t.resolves(
    scripted([{ body: token }]).client.create<KubeObject>(pods, greeting, { subresource: 'token' }),
  )
})

void t.test('no write starts while the gate is closed, and none may outlast it', async (t) => {
  const clock = new VirtualClock()
  let deadline = 5000
  const gate = openUntil({ deadline: () => deadline, clock })
  const { client, requests, written } = scripted(
    [{ body: greeting }, { body: greeting }, { body: greeting }],
    { gate },
  )
  await client.update(configMaps, greeting)
  await clock.advance(1000)
  await client.update(configMaps, greeting)
  await client.update(configMaps, greeting, { timeoutMs: 10 })
  t.same(
    requests.map(({ timeoutMs }) => timeoutMs),
    [5000, 4000, 10],
  )
  await clock.advance(4000)
  const writes: Promise<unknown>[] = [
    client.create(configMaps, greeting),
    client.update(configMaps, greeting),
    client.patch(configMaps, key, { type: 'merge', body: {} }),
    client.delete(configMaps, key),
    client.deleteCollection(configMaps),
  ]
  for (const write of writes) await t.rejects(write, { name: 'PluginError', code: 'NOT_LEADER' })
  t.equal(requests.length, 3)
  t.equal(written.length, 3)
  await t.resolves(client.get(configMaps, key), 'reading needs no leadership')
  deadline = Number.POSITIVE_INFINITY
  await client.update(configMaps, greeting)
  t.equal(requests.at(-1)?.timeoutMs, 60_000)
})

void t.test('the gate is asked again right before the bytes leave', async (t) => {
  let open = true
  const check = () => {
    if (!open) throw new PluginError('NOT_LEADER', 'no')
  }
  const sent: unknown[] = []
  const transport: Transport = {
    // Stands for a transport that waits, for a connection or a retry, before it sends.
    async request(request) {
      open = false
      request.beforeSend?.()
      sent.push(request)
      return { status: 200, headers: {}, body: new Uint8Array() }
    },
    stream: () => Promise.reject(new Error('a client opens no streams')),
    close: async () => {},
  }
  const client = createClient({ transport, gate: { check } })
  await t.rejects(client.update(configMaps, greeting), { code: 'NOT_LEADER' })
  t.same(sent, [])
})

void t.test('`onWrite` gets what was written', async (t) => {
  const deleting = (metadata: object): KubeObject => ({
    ...greeting,
    metadata: { ...greeting.metadata, deletionTimestamp: '2024-01-01T00:00:00Z', ...metadata },
  })
  const told = async (
    answer: unknown,
    run: (client: ReturnType<typeof scripted>['client']) => Promise<unknown>,
  ) => {
    const { client, written } = scripted([{ body: answer }])
    await run(client)
    return written
  }
  const object = { resource: configMaps, object: greeting }
  t.same(await told(greeting, (c) => c.create(configMaps, greeting)), [object])
  t.same(await told(greeting, (c) => c.update(configMaps, greeting, { subresource: 'status' })), [object])
  t.same(await told(greeting, (c) => c.patch(configMaps, keyOf(greeting), { type: 'merge', body: {} })), [
    object,
  ])
  t.same(
    await told(greeting, (c) => c.create(configMaps, greeting, { dryRun: true })),
    [],
    'not of a dry run',
  )
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: greeting.metadata }
  t.same(
    await told(scale, (c) => c.update(configMaps, greeting, { subresource: 'scale' })),
    [],
    'not of a scale',
  )

  const remove = (answer: unknown, options = {}) =>
    told(answer, (c) => c.delete(configMaps, keyOf(greeting), options))
  const gone = (uid?: string) => [{ resource: configMaps, key: keyOf(greeting), uid, deleted: true }]
  const removed = { ...success, details: { uid: 'u9' } }
  t.same(await remove(removed), gone('u9'))
  t.same(await remove(success, { uid: 'u5' }), gone('u5'))
  t.same(await remove(success), gone())
  t.same(await remove(greeting), gone('u1'), 'some kinds answer with what they removed')
  t.same(await remove(deleting({ deletionGracePeriodSeconds: 0 })), gone('u1'))
  t.same(await remove(success, { dryRun: true }), [])
  for (const stays of [deleting({ finalizers: ['x'] }), deleting({ deletionGracePeriodSeconds: 30 })]) {
    t.same(await remove(stays), [{ resource: configMaps, object: stays }])
  }
  const { namespace: _, ...metadata } = deleting({}).metadata
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { ...metadata, name: 'team' } }
  const removeTeam = (answer: object) =>
    told(answer, (c) => c.delete(namespaces, { namespace: '', name: 'team' }))
  const held = { ...team, spec: { finalizers: ['kubernetes'] } }
  t.same(await removeTeam(held), [{ resource: namespaces, object: held }], 'its content goes first')
  t.match(await removeTeam({ ...team, spec: {} }), [{ deleted: true }])

  const release = (answer: object) =>
    told(answer, (c) => c.patch(configMaps, keyOf(greeting), { type: 'merge', body: {} }))
  t.same(await release(deleting({})), gone('u1'), 'its last finalizer is gone, and so is the object')
  const ending = deleting({ finalizers: ['x'] })
  t.same(await release(ending), [{ resource: configMaps, object: ending }])
})

void t.test('an incomplete key is refused with a sentence', async (t) => {
  const { client, requests } = scripted([])
  const unnamed = { metadata: { namespace: 'a' } }
  await t.rejects(client.get(configMaps, { namespace: '', name: 'x' }), {
    code: 'INCOMPLETE_KEY',
    message: 'configmaps "x" has no metadata.namespace; set it before calling the API server.',
  })
  await t.rejects(client.update(configMaps, unnamed), {
    code: 'INCOMPLETE_KEY',
    message: /no metadata.name;/,
  })
  await t.rejects(client.create(configMaps, { metadata: { name: 'x' } }), { code: 'INCOMPLETE_KEY' })
  await t.rejects(client.delete(nodes, { namespace: '', name: '' }), { code: 'INCOMPLETE_KEY' })
  t.equal(requests.length, 0)
})

/** The client and the transport of sockets against a server that was not written for this test. */
async function walkThrough(t: Test, kubeconfigText: string): Promise<void> {
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: kubeconfigText }) })
  t.teardown(() => transport.close())
  const written: AcceptedWrite[] = []
  const client = createClient({ transport, fieldManager: 'walk', onWrite: (write) => written.push(write) })
  const at = { namespace: 'default', name: 'walk' }
  const lines = await watchLines(t, transport, '/api/v1/namespaces/default/configmaps?watch=1')

  const created = await client.create(configMaps, { metadata: at, data: { a: '1', __proto__: 'x' } })
  t.ok(created.metadata.uid)
  await t.rejects(client.create(configMaps, { metadata: at }), { code: 409, message: /already exists/ })
  const updated = await client.update(configMaps, { ...created, data: { a: '2' } })
  await t.rejects(client.update(configMaps, { ...created, data: {} }), { code: 409 })
  const merged = await client.patch(configMaps, at, { type: 'merge', body: { data: { b: '3' } } })
  t.same(merged.data, { a: '2', b: '3' })
  const replace = { op: 'replace', path: '/data/a', value: '4' } as const
  t.same((await client.patch(configMaps, at, { type: 'json', body: [replace] })).data, { a: '4', b: '3' })
  t.same(
    await client.get(configMaps, at),
    written.flatMap((write) => (write.deleted ? [] : [write.object])).at(-1),
  )
  const bySelector = { namespace: 'default', fieldSelector: 'metadata.name=walk' }
  t.same((await client.listAll(configMaps, bySelector)).items.length, 1)
  const [alone, ...more] = (await client.list(configMaps, { ...bySelector, metadataOnly: true })).items
  t.same(more, [])
  t.same(Object.keys(alone ?? {}), ['apiVersion', 'kind', 'metadata'], 'the metadata alone')
  t.match(alone, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...at, uid: created.metadata.uid } })
  await t.rejects(client.delete(configMaps, at, { uid: 'another' }), { code: 409 })
  await client.delete(configMaps, at, { uid: updated.metadata.uid ?? '' })
  t.match(written.at(-1), { key: at, uid: updated.metadata.uid, deleted: true })
  await t.rejects(client.get(configMaps, at), { code: 404 })
  t.same(await lines('walk', 5), ['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED'])
  const held = { ...at, name: 'held' }
  const { metadata } = await client.create(configMaps, { metadata: { ...held, finalizers: ['a.b/c'] } })
  await client.delete(configMaps, held)
  t.match(written.at(-1), { object: { metadata: { finalizers: ['a.b/c'] } } })
  await client.patch(configMaps, held, { type: 'merge', body: { metadata: { finalizers: null } } })
  t.match(written.at(-1), { key: held, uid: metadata.uid, deleted: true }, 'it went with its last finalizer')
}

/** Opens a watch; the function it returns reads on until so many events of an object have come. */
async function watchLines(t: Test, transport: Transport, path: string) {
  const { status, chunks } = await transport.stream({ method: 'GET', path })
  t.equal(status, 200)
  return async (name: string, count: number) => {
    let text = ''
    for await (const chunk of chunks) {
      text += Buffer.from(chunk).toString()
      const events = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      const types = events.filter(({ object }) => object.metadata.name === name).map(({ type }) => type)
      if (types.length >= count) return types
    }
    return []
  }
}

void t.test('all of it works on the embedded API server', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  await server.listen()
  await walkThrough(t, await server.kubeconfig())
})

void t.test('all of it works on a real API server', { skip: missingAssets() }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  await walkThrough(t, cluster.kubeconfig)
})

/** Answers creates and deletes as a cluster does that refuses for a while. */
function breaking(refusal: () => Scripted | undefined) {
  const clock = new VirtualClock()
  const logged: string[] = []
  const note = (_fields: object, words: string) => logged.push(words)
  const logger = { ...silentLogger, warn: note, info: note, child: () => logger }
  const breaker = new CircuitBreaker({ cluster: 'host', clock, logger, metrics: noMetrics })
  const answers = { shift: () => refusal() ?? {} }
  const { client, requests } = scripted(answers as unknown as Scripted[], { breaker })
  const create = (name = 'greeting', namespace = 'a') =>
    client.create(configMaps, { metadata: { namespace, name } }).then(
      () => 'created',
      (error: Error) => error.name,
    )
  return { client, clock, create, logged, requests }
}

const status = (code: number, message: string): Scripted => ({
  status: code,
  body: { kind: 'Status', code, reason: code === 403 ? 'Forbidden' : 'TooManyRequests', message },
})

const forbidden = (name: string, words: string) => status(403, `configmaps "${name}" is forbidden: ${words}`)
const exceeded = 'exceeded quota: objects, requested: count/configmaps=1, used: count/configmaps=9'

/** The name in the body or path that the client asked for last. */
const askedName = (requests: readonly TransportRequest[]): string => {
  const { body, path = '' } = requests.at(-1) ?? {}
  return body === undefined ? (path.split('/').at(-1) ?? '') : JSON.parse(String(body)).metadata.name
}

void t.test('a used-up quota costs two calls for all creates, and then fewer and fewer', async (t) => {
  let isFull = true
  const { client, clock, create, logged, requests } = breaking(() =>
    isFull ? forbidden(askedName(requests), exceeded) : undefined,
  )
  const first = await Promise.all([create('one'), create('two'), create('three')])
  t.same(first, ['ApiError', 'CircuitOpenError', 'CircuitOpenError'], 'one refusal is reported')
  const ends = new Set<string>()
  for (let second = 0; second < 600; second++) {
    for (let one = 0; one < 10; one++) ends.add(await create(`${one}`))
    await clock.advance(1000)
  }
  t.same([...ends], ['CircuitOpenError'])
  t.ok(requests.length < 20, `${requests.length} calls for 6,003 objects in ten minutes`)
  const before = requests.length
  isFull = false
  t.equal(await create('greeting', 'b'), 'created', 'another namespace has a quota of its own')
  await client.update(configMaps, { metadata: key })
  t.equal(requests.length, before + 2, 'what is there already can change')
  await client.delete(configMaps, { namespace: 'a', name: 'greeting' })
  t.equal(await create(), 'created', 'a delete makes room, so the next create may try')
  t.same(logged.length, 2, 'a line at the beginning, a line at the end')
})

void t.test('an overloaded server is left alone by all writes, one of which tries', async (t) => {
  let isBusy = true
  const { client, clock, create, requests } = breaking(() => (isBusy ? status(429, 'too many') : undefined))
  t.equal(await create(), 'ApiError')
  t.equal(await create('greeting', 'b'), 'ApiError', 'the second namespace gets the error, too')
  await t.rejects(client.delete(secrets, key), { name: 'CircuitOpenError', retryInMs: 1000 })
  t.equal(requests.length, 2)
  await clock.advance(1000)
  t.same(await Promise.all([create('greeting', 'c'), create('greeting', 'd')]), [
    'CircuitOpenError',
    'CircuitOpenError',
  ])
  t.equal(requests.length, 3, 'one tried')
  await clock.advance(1000)
  t.equal(await create('greeting', 'd'), 'CircuitOpenError')
  t.equal(requests.length, 3, 'the next try comes later')
  isBusy = false
  await clock.advance(1000)
  t.equal(await create('greeting', 'b'), 'CircuitOpenError', 'who was refused already comes later still')
  t.equal(await create('greeting', 'd'), 'created')
  t.equal(await create('greeting', 'b'), 'created')
})

void t.test('a 401 answer is reported once per attempt, not once per object', async (t) => {
  let isUnknown = true
  const { clock, create, logged, requests } = breaking(() =>
    isUnknown ? { status: 401, body: undefined } : undefined,
  )
  t.same(
    [await create('one'), await create('two'), await create('three')],
    ['ApiError', 'CircuitOpenError', 'CircuitOpenError'],
  )
  t.equal(await create('one', 'b'), 'ApiError')
  t.equal(await create('one', 'c'), 'CircuitOpenError')
  t.equal(requests.length, 3)
  isUnknown = false
  await clock.advance(1000)
  t.equal(await create('one', 'c'), 'created')
  t.equal(logged.length, 3, 'a line for the namespace, a line for all, and a line at the end')
})

void t.test('a right that was taken away is not asked for by every object', async (t) => {
  const message = 'configmaps is forbidden: User "x" cannot create resource "configmaps" in API group ""'
  const { client, create, requests } = breaking(() => status(403, message))
  t.same([await create('one'), await create('two')], ['ApiError', 'CircuitOpenError'])
  await t.rejects(client.update(configMaps, { metadata: key }), { name: 'ApiError' })
  t.equal(requests.length, 3, 'other rights are others')
  t.equal(await create('three'), 'CircuitOpenError')
  t.equal(requests.length, 3)
})

void t.test('a refusal that quotes what was written opens no circuit, whatever it reads like', async (t) => {
  const permission = 'User "x" cannot create resource "configmaps" in API group ""'
  const quoting = (words: string) => (name: string) =>
    `configmaps "${name}" is forbidden: violates PodSecurity "baseline:latest": type "${words}"`
  const webhook = (name: string) => `admission webhook "a.b" denied the request: ${exceeded} of ${name}`
  const cases: [string, number, (name: string) => string][] = [
    ['quoted quota', 403, quoting(exceeded)],
    ['quoted permission', 403, quoting(permission)],
    ['quoted whole refusal', 403, quoting(`configmaps "one" is forbidden: ${exceeded}`)],
    ['another object’s quota', 403, () => `configmaps "other" is forbidden: ${exceeded}`],
    ['another kind’s quota', 403, (name) => `pods "${name}" is forbidden: ${exceeded}`],
    [
      'another verb',
      403,
      () => 'configmaps is forbidden: User "x" cannot get resource "secrets" in API group ""',
    ],
    ['webhook', 403, webhook],
    ['webhook with 429', 429, webhook],
    ['webhook with 401', 401, webhook],
  ]
  for (const [what, code, message] of cases) {
    const { create, logged, requests } = breaking(() => status(code, message(askedName(requests))))
    const ends = [
      await create('one'),
      await create('two'),
      await create('one', 'b'),
      await create('two', 'b'),
    ]
    t.same(ends, ['ApiError', 'ApiError', 'ApiError', 'ApiError'], what)
    t.same(logged, [], what)
  }
})

void t.test('a refusal of one object, or of one namespace, holds back no other', async (t) => {
  const { clock, create, logged, requests } = breaking(() => {
    const name = askedName(requests)
    return name.startsWith('huge') ? forbidden(name, exceeded) : undefined
  })
  for (let i = 0; i < 5; i++) {
    t.equal(await create('huge'), 'ApiError', 'one object never speaks for others')
    t.equal(await create('small'), 'created')
  }
  t.same(logged, [])
  t.same([await create('huge'), await create('huge-too')], ['ApiError', 'CircuitOpenError'])
  t.equal(await create('small'), 'CircuitOpenError', 'two hold back their namespace')
  await clock.advance(1000)
  t.equal(await create('huge-too'), 'CircuitOpenError', 'whose refusal opened it does not try first')
  t.equal(await create('small'), 'created')
  t.equal(logged.length, 2, 'a line at the beginning, a line at the end')
})

void t.test('a missing permission of an impersonated user does not stop our own writes', async (t) => {
  const refused = status(
    403,
    'configmaps is forbidden: User "x" cannot create resource "configmaps" in API group ""',
  )
  let answer: Scripted | undefined = refused
  const { client, create, logged } = breaking(() => answer)
  const alice = client.as({ user: 'alice' })
  for (const name of ['one', 'two'])
    for (const namespace of ['a', 'b'])
      await t.rejects(alice.create(configMaps, { metadata: { namespace, name } }), { name: 'ApiError' })
  answer = undefined
  t.equal(await create(), 'created')
  t.same(logged, [])
})

void t.test('a client impersonates a user, with that user’s permissions', async (t) => {
  const server = await createApiServer({ authorization: 'rbac' })
  const administrator = createClient({ transport: inProcessTransport(server) })
  const written: string[] = []
  const onWrite = (write: AcceptedWrite) =>
    written.push(write.deleted ? write.key.name : keyOf(write.object).name)
  const own = createClient({ transport: inProcessTransport(server), onWrite })
  const alice = own.as({ user: 'alice', groups: ['editors'], extra: { team: ['a'] } })
  const create = (name: string) => alice.create(configMaps, { metadata: { namespace: 'default', name } })
  await t.rejects(create('early'), { code: 403, message: /User "alice" cannot create/ })
  const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'RoleBinding', namespaced: true }
  await administrator.create<KubeObject & { roleRef: object; subjects: object[] }>(
    { ...rbac, plural: 'rolebindings' },
    {
      metadata: { namespace: 'default', name: 'editors' },
      roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name: 'edit' },
      subjects: [{ apiGroup: rbac.group, kind: 'Group', name: 'editors' }],
    },
  )
  await create('late')
  t.same(written, ['late'], 'and stores learn of what it writes')
})
