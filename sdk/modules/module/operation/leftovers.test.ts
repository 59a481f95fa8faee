// The report about objects that are left after an uninstallation.
import t from 'tap'
import { configMaps, namespaces, services } from '../../../engine/kube/builtin.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { Transport, TransportRequest } from '../../../engine/transport/transport.js'
import { createChart, helm, helmModule } from '../../helm/helm.fixture.js'
import { modules } from '../../kinds/module-kind.js'
import { annotate, events, moduleOf, shop, startTimed, type TimedTest } from '../modules.fixture.js'

const other = 'elsewhere'
const moduleLabel = 'forkspacer.com/module'
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kept', namespace: other },
  spec: { ports: [{ port: 80 }] },
}
const configMapOf = (name: string, namespace = other) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})
const listing = (resource: unknown) => ({
  permissions: [{ resource: resource as Resource, verbs: ['list'] }],
})

/** Whether a request looks for objects of a Module. */
const isLook = ({ method, path }: TransportRequest) =>
  method === 'GET' && path.includes(`labelSelector=${encodeURIComponent(moduleLabel)}`)

/** Notes the looks, and answers them with 403 if a test says so. */
function watchingLooks() {
  const looks: TransportRequest[] = []
  const forbidden = new Set<string>()
  const wrap = (inner: Transport): Transport => ({
    request: async (request) => {
      if (!isLook(request)) return inner.request(request)
      looks.push(request)
      const [plural = ''] = /[a-z]+(?=\?)/.exec(request.path) ?? []
      if (!forbidden.has(plural)) return inner.request(request)
      const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, reason: 'Forbidden' }
      return { ...(await inner.request(request)), status: 403, body: Buffer.from(JSON.stringify(body)) }
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  return { looks, forbidden, wrap, pathsOf: () => looks.map(({ path }) => path.split('?')[0]) }
}

/** Keeps the warnings. */
function keptWarnings() {
  const warnings: string[] = []
  const warn = (fields: object, message: string) => void warnings.push(`${message} ${JSON.stringify(fields)}`)
  const ignore = () => {}
  const logger: Logger = { debug: ignore, info: ignore, warn, error: ignore, child: () => logger }
  const ofLooks = () => warnings.filter((text) => /leaves? behind/.test(text))
  return { logger, ofLooks }
}

/** A program that makes objects in two namespaces and deletes only those of one. */
async function leaving(test: TimedTest, objects: readonly object[]): Promise<void> {
  await test.client.create(namespaces, { metadata: { name: other } })
  const own = configMapOf('shop-installed', 'default')
  test.noting.behaviour = {
    install: ({ cluster }) => cluster.apply([own, ...objects] as never),
    uninstall: ({ cluster }) => cluster.delete([own]),
  }
}

const installed = async (test: TimedTest, name = shop.name) => {
  await test.client.create(modules, moduleOf({}, { name }))
  await test.pass(0)
  return (await test.live(name)).metadata.uid ?? ''
}
const uninstalled = async (test: TimedTest, name = shop.name) => {
  await test.client.delete(modules, { ...shop, name })
  await test.pass(10)
  await test.client.get(modules, { ...shop, name }).then(
    () => Promise.reject(new Error('the Module is still there')),
    () => {},
  )
}
const reports = async ({ client }: TimedTest) =>
  (await client.list(events)).items.flatMap(({ reason, message }) =>
    reason === 'LeftBehind' ? [message] : [],
  )

void t.test('what an uninstallation leaves is named by an Event, and stays', async (t) => {
  const { looks, wrap, pathsOf } = watchingLooks()
  const test = await startTimed(t, { wrap, modules: listing(services) })
  await leaving(test, [service, configMapOf('kept')])
  const uid = await installed(test)
  t.strictSame((await test.live()).status?.kinds, ['v1 Service', 'v1 ConfigMap'])
  t.strictSame(looks, [], 'nothing is looked for before')
  const labels = { [moduleLabel]: uid }
  await test.client.create(configMaps, { metadata: { name: 'forged', namespace: 'default', labels } })
  const owner = await test.client.get(services, { namespace: other, name: 'kept' })
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name: 'kept', uid: owner.metadata.uid ?? '' }]
  await test.client.create(configMaps, {
    metadata: { name: 'dependent', namespace: other, labels, ownerReferences },
  })
  await uninstalled(test)
  const [report = '', ...more] = await reports(test)
  t.strictSame(more, [])
  t.match(report, new RegExp(`^after the uninstallation these still have the label ${moduleLabel}=${uid}: `))
  t.match(report, ': Service elsewhere/kept, ConfigMap default/forged, ConfigMap elsewhere/kept; ')
  t.notMatch(report, 'dependent', 'it goes with its owner')
  for (const name of ['kept', 'dependent'])
    t.ok(await test.client.get(configMaps, { namespace: other, name }))
  t.ok(await test.client.get(configMaps, { namespace: 'default', name: 'forged' }))
  t.strictSame(pathsOf(), ['/api/v1/services', '/api/v1/configmaps'], 'each kind once')
  for (const { headers, path } of looks) {
    t.match(headers?.accept, 'as=PartialObjectMetadataList', 'the metadata alone')
    t.match(path, 'limit=50')
  }
})

void t.test('nothing is reported, or looked for, if there is nothing', async (t) => {
  const { looks, wrap } = watchingLooks()
  const test = await startTimed(t, { wrap })
  await installed(test)
  await uninstalled(test)
  t.strictSame(await reports(test), [])
  looks.length = 0
  await test.client.create(modules, moduleOf({ workspace: { namespace: 'default', name: 'absent' } }))
  await test.pass(0)
  await uninstalled(test)
  t.strictSame(looks, [], 'a Module that was never installed')
})

void t.test('the kinds are known to the next process', async (t) => {
  const first = await startTimed(t)
  await leaving(first, [configMapOf('kept')])
  await installed(first)
  await first.operator.stop()
  const next = await startTimed(t, { servers: { main: first.server }, clock: first.clock })
  next.noting.behaviour.uninstall = () => {}
  await uninstalled(next)
  t.match(await reports(next), [/ConfigMap elsewhere\/kept/])
})

void t.test('the kinds of an installation that failed are known too', async (t) => {
  const test = await startTimed(t)
  await leaving(test, [])
  test.noting.behaviour.install = async ({ cluster }) => {
    await cluster.apply([configMapOf('kept')])
    throw new Error('no luck')
  }
  test.noting.behaviour.uninstall = () => {}
  await installed(test)
  await uninstalled(test)
  t.match(await reports(test), [/ConfigMap elsewhere\/kept/])
})

void t.test('a kind that the operator may not list is logged once, and holds no deletion', async (t) => {
  const { forbidden, wrap, pathsOf } = watchingLooks()
  const { logger, ofLooks } = keptWarnings()
  const test = await startTimed(t, { wrap, logger })
  await leaving(test, [service, configMapOf('kept')])
  await installed(test)
  await uninstalled(test)
  t.strictSame(pathsOf(), ['/api/v1/configmaps'], 'what the operator was not given is not asked for')
  t.match(ofLooks(), [/add the verb list .*"kinds":\["services"\]/])
  t.match(await reports(test), [/ConfigMap elsewhere\/kept; /])
  forbidden.add('configmaps')
  test.noting.behaviour.install = ({ cluster }) => cluster.apply([configMapOf('kept-too')])
  for (const name of ['second', 'third']) {
    await installed(test, name)
    await uninstalled(test, name)
  }
  t.match(ofLooks(), [/"services"/, /"kinds":\["configmaps"\]/])
  t.equal(ofLooks().length, 2)
})

void t.test('objects that go with their Module need no permission to list them', async (t) => {
  const { looks, wrap } = watchingLooks()
  const { logger, ofLooks } = keptWarnings()
  const test = await startTimed(t, { wrap, logger })
  await leaving(test, [{ ...service, metadata: { name: 'owned' } }, configMapOf('owned', 'default')])
  await installed(test)
  t.strictSame((await test.live()).status?.kinds, undefined)
  const { metadata } = await test.client.get(services, { namespace: 'default', name: 'owned' })
  t.match(metadata.ownerReferences, [{ kind: 'Module', name: 'shop' }])
  await uninstalled(test)
  t.strictSame(looks, [])
  t.strictSame(ofLooks(), [])
  t.strictSame(await reports(test), [])
})

void t.test('an answer that fails holds no deletion', async (t) => {
  const { logger, ofLooks } = keptWarnings()
  const wrap = (inner: Transport): Transport => ({
    request: (request) =>
      isLook(request) ? Promise.reject(new Error('the connection is lost')) : inner.request(request),
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  })
  const test = await startTimed(t, { wrap, logger })
  await leaving(test, [configMapOf('kept')])
  await installed(test)
  await uninstalled(test)
  t.match(ofLooks(), [/cannot be looked for/])
})

void t.test('what force-delete leaves is named, and the kinds that are unknown', async (t) => {
  const { forbidden, wrap } = watchingLooks()
  const test = await startTimed(t, { wrap })
  forbidden.add('secrets')
  test.noting.behaviour.uninstall = () => {
    throw new Error('still in use')
  }
  await installed(test)
  await test.client.delete(modules, shop)
  await annotate(test, { 'forkspacer.com/force-delete': 'true' })
  await test.pass(10)
  const { items } = await test.client.list(events)
  const message = items.find(({ reason }) => reason === 'Abandoned')?.message
  t.match(message, /ConfigMap default\/shop-installed; unknown of secrets, which the operator may not list$/)
})

void t.test(
  'objects of a Helm release that its chart keeps are named; others go with the Module',
  async (t) => {
    const { logger, ofLooks } = keptWarnings()
    const test = await startTimed(t, { logger, modules: { helm } })
    await createChart(test.client)
    await test.client.create(modules, helmModule({ values: [{ raw: { kept: 'kept' } }] }))
    await test.pass(2_000)
    const { status } = await test.live()
    t.match(status, { phase: 'ready', kinds: ['v1 ConfigMap'] })
    t.equal(status?.kinds?.length, 1, 'the other objects have an owner reference')
    await test.client.delete(modules, shop)
    await test.pass(2_000)
    await t.rejects(test.live(), { code: 404 })
    t.match(await reports(test), [/: ConfigMap default\/kept; /])
    t.ok(await test.client.get(configMaps, { namespace: 'default', name: 'kept' }))
    t.strictSame(ofLooks(), [])
  },
)
