// The example on the embedded clusters, a thousand objects at a time.
import t from 'tap'
import { register } from '../examples/sync-all-configmaps/register.js'
import { type ConfigMap, configMaps } from '../sdk/kube/builtin.js'
import { type ApiServer, createApiServer, testPlugin } from '../sdk/testing/index.js'

const objects = 1000

/** A server that counts the writes of ConfigMaps that reach it. */
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

void t.test('a thousand ConfigMaps cost a thousand creates, and a restart costs nothing', async (t) => {
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

void t.test('many changes of one object before it is looked at cost one update', async (t) => {
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
