// Tests the example on embedded clusters with a thousand objects at a time.
import t from 'tap'
import { register } from '../examples/sync-all-configmaps/register.js'
import { type ConfigMap, configMaps, services } from '../sdk/engine/kube/builtin.js'
import { type Logger, silentLogger } from '../sdk/engine/observe/logger.js'
import type { SyncContext } from '../sdk/vcluster/context/sync-context.js'
import type { Pair } from '../sdk/vcluster/syncer/syncer.js'
import { NamespacedTranslator } from '../sdk/vcluster/syncer/translator/namespaced-translator.js'
import { type ApiServer, createApiServer, testPlugin } from '../testing/index.js'

const objects = 1000

/** A server that counts writes of ConfigMaps. */
function counting(server: ApiServer): { server: ApiServer; writes: () => Record<string, number> } {
  let counts: Record<string, number> = {}
  const handle: ApiServer['handle'] = (request) => {
    const writes = request.method !== 'GET' && request.path.includes('/configmaps')
    if (writes) counts[request.method] = (counts[request.method] ?? 0) + 1
    return server.handle(request)
  }
  const writes = () => {
    const counted = counts
    counts = {}
    return counted
  }
  return {
    server: new Proxy(server, { get: (target, name) => (name === 'handle' ? handle : bound(target, name)) }),
    writes,
  }
}

function bound(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name, target)
  return typeof member === 'function' ? member.bind(target) : member
}

const objectNamed = (name: string): ConfigMap => ({
  metadata: { namespace: 'default', name },
  data: { name },
})

void t.test('a thousand ConfigMaps need a thousand creates, and a restart needs no writes', async (t) => {
  const virtualServer = await createApiServer({ name: 'virtual' })
  const host = counting(await createApiServer({ name: 'host' }))
  const servers = { virtualServer, hostServer: host.server }
  const first = await testPlugin(register, servers)
  for (let i = 0; i < objects; i++) await first.virtual.create(configMaps, objectNamed(`cm-${i}`))
  await first.settled()
  const { items: originals } = await first.virtual.listAll(configMaps)
  t.ok(originals.length >= objects)
  t.same(host.writes(), { POST: originals.length })
  await first.stop()

  const second = await testPlugin(register, servers)
  t.same(host.writes(), {}, 'nothing had changed')
  await second.virtual.create(configMaps, objectNamed('one-more'))
  await second.settled()
  t.same(host.writes(), { POST: 1 })
  await second.stop()
  const copies = (await second.hostObjects(configMaps)).filter(({ metadata }) => metadata.labels)
  t.equal(copies.length, originals.length + 1)
})

void t.test('several changes of one object before its reconcile need one update', async (t) => {
  const host = counting(await createApiServer({ name: 'host' }))
  const test = await testPlugin(register, { hostServer: host.server })
  t.teardown(() => test.stop())
  await test.virtual.create(configMaps, objectNamed('busy'))
  await test.settled()
  host.writes()
  const changes = Array.from({ length: 100 }, (_, i) =>
    test.virtual.patch(
      configMaps,
      { namespace: 'default', name: 'busy' },
      { type: 'merge', body: { data: { count: `${i}` } } },
    ),
  )
  await Promise.all(changes)
  await test.settled()
  const { PUT = 0, ...others } = host.writes()
  t.same(others, {})
  t.ok(PUT >= 1 && PUT < changes.length, `${PUT} updates for ${changes.length} changes`)
  const [copy] = (await test.hostObjects(configMaps)).filter(({ metadata }) =>
    metadata.name?.startsWith('busy'),
  )
  const original = await test.virtual.get(configMaps, { namespace: 'default', name: 'busy' })
  t.same(copy?.data, original.data)
})

void t.test(
  'no copies are created while the Service of the vcluster is missing, and all exist when it is back',
  async (t) => {
    const host = counting(await createApiServer({ name: 'host' }))
    const failures: string[] = []
    const logger: Logger = {
      ...silentLogger,
      child: () => logger,
      error: (_, text) => void failures.push(text),
    }
    const test = await testPlugin(register, { hostServer: host.server, logger })
    t.teardown(() => test.stop())
    await test.virtual.create(configMaps, objectNamed('greeting'))
    await test.settled()
    const copy = { namespace: test.targetNamespace, name: 'greeting-x-default-x-vc' }
    const service = { namespace: test.targetNamespace, name: 'vc' }
    const { spec } = await test.host.get(services, service)
    host.writes()

    await test.host.delete(services, service)
    await test.settled()
    t.ok((host.writes().POST ?? 0) < 20, 'the garbage collector and the plugin do not undo each other’s work')
    await t.rejects(test.host.get(configMaps, copy), { name: 'ApiError', message: /not found/ })
    t.same(failures, [], 'no object fails because of a missing dependency')

    const back = await test.host.create(services, { metadata: service, spec: { ports: spec?.ports ?? [] } })
    await test.settled()
    t.match((await test.host.get(configMaps, copy)).metadata.ownerReferences, [{ uid: back.metadata.uid }])
  },
)

/** Adds a label and a field to each copy, and leaves one field out. */
class Stamping extends NamespacedTranslator<ConfigMap> {
  override transform(virtual: ConfigMap): ConfigMap {
    const { secret: _, ...data } = virtual.data ?? {}
    const labels = { ...virtual.metadata.labels, stamped: 'yes' }
    return { ...virtual, metadata: { ...virtual.metadata, labels }, data: { ...data, stamp: 'one' } }
  }

  override syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

void t.test('the result of a syncer’s transform is in a new copy and stays in it', async (t) => {
  const host = counting(await createApiServer({ name: 'host' }))
  const test = await testPlugin((plugin, ctx) => plugin.register(new Stamping(ctx, 'stamping', configMaps)), {
    hostServer: host.server,
  })
  t.teardown(() => test.stop())
  const key = { namespace: 'default', name: 'greeting' }
  const copyKey = { namespace: test.targetNamespace, name: 'greeting-x-default-x-vc' }
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'a', secret: 'b' } })
  await test.settled()
  host.writes()
  await test.virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: 'changed' } } })
  await test.settled()
  const { metadata, data } = await test.host.get(configMaps, copyKey)
  t.same(data, { text: 'changed', stamp: 'one' })
  t.match(metadata.labels, { stamped: 'yes' })
  t.same(host.writes(), { PUT: 1 })
})
