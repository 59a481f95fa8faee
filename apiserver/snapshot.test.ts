import t, { type Test } from 'tap'
import { VirtualClock } from '../testing/clock/virtual-clock.js'
import { type ApiServer, createApiServer } from './api-server.js'
import { readSnapshot, writeSnapshot } from './snapshot.js'

const configMaps = '/api/v1/namespaces/default/configmaps'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface Body {
  readonly [member: string]: Body
}

async function startServer(t: Test): Promise<ApiServer> {
  const server = await createApiServer()
  t.teardown(() => server.close())
  return server
}

/** Sends a POST if there is a body, otherwise `method`. */
async function call(server: ApiServer, path: string, body?: object, method = 'GET') {
  const answer = await server.handle({
    method: body === undefined ? method : 'POST',
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : ''
  return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Body }
}

const create = (server: ApiServer, name: string) => call(server, configMaps, { metadata: { name } })

async function watch(server: ApiServer, resourceVersion: string) {
  const path = `${configMaps}?watch=1&resourceVersion=${resourceVersion}`
  const { body } = await server.handle({ method: 'GET', path })
  if (body instanceof Uint8Array) throw new Error('no watch was opened')
  return body[Symbol.asyncIterator]()
}

void t.test('a restored backup has its objects, UIDs and resourceVersions', async (t) => {
  const server = await startServer(t)
  const { body: kept } = await create(server, 'kept')
  const snapshot = server.snapshot()
  const { body: later } = await create(server, 'later')
  await call(server, `${configMaps}/kept`, undefined, 'DELETE')
  server.restore(snapshot)
  t.equal(server.resourceVersion, snapshot.resourceVersion)
  t.strictSame((await call(server, `${configMaps}/kept`)).body, kept)
  t.equal((await call(server, `${configMaps}/later`)).status, 404)
  const { body: again } = await create(server, 'again')
  t.equal(again.metadata?.resourceVersion, later.metadata?.resourceVersion, 'resourceVersions are used again')
})

void t.test('watches end when a backup is restored, and none can be resumed from before it', async (t) => {
  const server = await startServer(t)
  await create(server, 'a')
  const old = server.resourceVersion
  await create(server, 'b')
  const snapshot = server.snapshot()
  await create(server, 'c')
  const ahead = server.resourceVersion
  const open = await watch(server, ahead)
  const waiting = open.next()
  server.restore(snapshot)
  t.equal((await waiting).done, true)
  const { value } = await (await watch(server, old)).next()
  const line = JSON.parse(Buffer.from(value ?? []).toString('utf8'))
  t.match(line, {
    type: 'ERROR',
    object: { message: `too old resource version: ${old} (${snapshot.resourceVersion})`, code: 410 },
  })
  const future = await watch(server, ahead)
  await create(server, 'd')
  await create(server, 'e')
  const told = JSON.parse(Buffer.from((await future.next()).value ?? []).toString('utf8'))
  t.equal(told.object.metadata.name, 'e', 'a watch from a future resourceVersion reports only later changes')
  await future.return?.()
})

void t.test(
  'after a restore, a watch from before it reports nothing below its resourceVersion',
  async (t) => {
    const clock = new VirtualClock()
    const server = await createApiServer({ clock, bookmarkIntervalMs: 1000 })
    t.teardown(() => server.close())
    const snapshot = server.snapshot()
    await create(server, 'a')
    await create(server, 'b')
    const ahead = server.resourceVersion
    server.restore(snapshot)
    const open = await watch(server, `${ahead}&allowWatchBookmarks=true`)
    const waiting = open.next()
    await create(server, 'c')
    await clock.advance(5000)
    await create(server, 'd')
    await clock.advance(1000)
    const { type, object } = JSON.parse(Buffer.from((await waiting).value ?? []).toString('utf8'))
    t.strictSame(
      [type, object.metadata.resourceVersion],
      ['BOOKMARK', ahead],
      'only that the cluster has reached it',
    )
    await open.return?.()
  },
)

void t.test('after a restore, custom resources are served again and owners are known', async (t) => {
  const server = await startServer(t)
  const before = server.snapshot()
  const schema = { openAPIV3Schema: { type: 'object' } }
  const spec = {
    group: 'acme.io',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  }
  t.equal((await call(server, definitions, { metadata: { name: 'things.acme.io' }, spec })).status, 201)
  const { body: owner } = await create(server, 'owner')
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata?.uid }
  await call(server, configMaps, { metadata: { name: 'owned', ownerReferences: [reference] } })
  await new Promise(setImmediate)
  const withDefinition = server.snapshot()
  const things = async () => (await call(server, '/apis/acme.io/v1/namespaces/default/things')).status
  t.equal(await things(), 200)
  server.restore(before)
  t.equal(await things(), 404)
  server.restore(withDefinition)
  t.equal(await things(), 200)
  await call(server, `${configMaps}/owner`, undefined, 'DELETE')
  await new Promise(setImmediate)
  t.equal((await call(server, `${configMaps}/owned`)).status, 404, 'dependents are deleted with their owner')
})

void t.test('a snapshot that was written as text is restored in another server', async (t) => {
  const first = await startServer(t)
  const { body: kept } = await create(first, 'kept')
  const text = writeSnapshot(first.snapshot())
  const second = await startServer(t)
  second.restore(readSnapshot(text))
  t.equal(second.resourceVersion, first.resourceVersion)
  t.strictSame((await call(second, `${configMaps}/kept`)).body, kept)
  t.equal(writeSnapshot(second.snapshot()), text)
})

void t.test('the damaged text of a snapshot is refused with its line', async (t) => {
  const server = await startServer(t)
  await create(server, 'secret')
  const [first = '', second = '', ...rest] = writeSnapshot(server.snapshot()).split('\n')
  const text = (...lines: string[]) => lines.join('\n')
  t.throws(() => readSnapshot(text(first, second.slice(0, -9), ...rest)), { message: /^line 2: / })
  t.throws(() => readSnapshot(text(first, second, ...rest).slice(0, -9)), { message: /the end is missing$/ })
  t.throws(() => readSnapshot(text(first.replace('1', '2'), second, ...rest)), {
    message: 'line 1: the format is 2, and this version reads 1',
  })
  t.throws(() => readSnapshot(text(first, '{}', ...rest)), { message: 'line 2: not an object of a cluster' })
  t.throws(() => readSnapshot(''), { message: /^line 1: / })
})

void t.test('each write is reported, until the listener is removed', async (t) => {
  const server = await startServer(t)
  let writes = 0
  const end = server.onWrite(() => {
    writes += 1
  })
  await create(server, 'a')
  await call(server, `${configMaps}/a`)
  t.equal(writes, 1)
  end()
  await create(server, 'b')
  t.equal(writes, 1)
})
