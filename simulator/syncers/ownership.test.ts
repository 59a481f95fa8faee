// Tests which host objects vcluster's own syncers write, in both versions.
import t, { type Test } from 'tap'
import { type ConfigMap, configMaps, events } from '../../sdk/engine/kube/builtin.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { ClientHook } from '../../sdk/vcluster/hook/client-hook.js'
import { type TestPlugin, type TestPluginOptions, testPlugin } from '../../testing/plugin/test-plugin.js'
import { mergeBidirectional } from './bidirectional-merge.js'

const versions = ['0.36', '0.19'] as const
const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const greeting: ConfigMap = { metadata: key, data: { text: 'hello' } }

class SilentHook extends ClientHook<ConfigMap> {
  constructor() {
    super('silent', configMaps)
  }

  override mutateCreatePhysical() {
    return undefined
  }
}

async function run(t: Test, options: TestPluginOptions): Promise<TestPlugin> {
  const test = await testPlugin((plugin) => plugin.register(new SilentHook()), {
    syncAllToHost: true,
    logger: silentLogger,
    ...options,
  })
  t.teardown(() => test.stop())
  return test
}

void t.test(
  'a foreign object with the name of a copy is not changed, and only 0.19 reports it',
  async (t) => {
    for (const version of versions) {
      const { virtual, host, settled } = await run(t, { version })
      await host.create(configMaps, { metadata: hostKey, data: { text: 'foreign' } })
      await virtual.create(configMaps, greeting)
      await settled()
      t.same((await host.get(configMaps, hostKey)).data, { text: 'foreign' })
      const messages = (await virtual.listAll(events, { namespace: 'default' })).items
        .filter(({ involvedObject }) => involvedObject.name === 'greeting')
        .map(({ message }) => message)
      const conflict =
        'conflict: cannot sync virtual object default/greeting as unmanaged physical object vcluster-vc/greeting-x-default-x-vc exists with desired name'
      t.same([...new Set(messages)], version === '0.19' ? [conflict] : [])
    }
  },
)

void t.test('the copy of an earlier object is deleted and created again', async (t) => {
  for (const version of versions) {
    const first = await run(t, { version })
    await first.virtual.create(configMaps, greeting)
    await first.settled()
    const { virtual, host, virtualServer, hostServer } = first
    const before = await host.get(configMaps, hostKey)
    await first.stop()
    await virtual.delete(configMaps, key)
    const { metadata } = await virtual.create(configMaps, { ...greeting, data: { text: 'new' } })
    await run(t, { version, virtualServer, hostServer })
    const after = await host.get(configMaps, hostKey)
    t.same(after.data, { text: 'new' }, version)
    t.not(after.metadata.uid, before.metadata.uid)
    t.equal(after.metadata.annotations?.['vcluster.loft.sh/object-uid'], metadata.uid)
  }
})

void t.test('an object that another controller syncs is ignored', async (t) => {
  for (const version of versions) {
    const { virtual, host, settled } = await run(t, { version })
    const labels = { 'vcluster.loft.sh/controlled-by': 'someone' }
    await virtual.create(configMaps, { ...greeting, metadata: { ...key, labels } })
    await settled()
    await t.rejects(host.get(configMaps, hostKey), { code: 404 })
  }
})

void t.test('labels are merged key by key, and the virtual side has precedence', async (t) => {
  const same = (name: string) => (name === 'reserved' ? undefined : name)
  const keys = {
    toHost: (name: string) => same(name) && `h-${name}`,
    toVirtual: (name: string) => same(name)?.slice(2),
  }
  const old = { virtualOld: { a: '1', b: '1' }, hostOld: { 'h-a': '1', 'h-b': '1', marker: 'x' } }
  t.same(
    mergeBidirectional({ ...old, virtual: { a: '2', c: '1' }, host: { ...old.hostOld, 'h-a': '3' } }, keys),
    { virtual: { a: '2', c: '1' }, host: { 'h-a': '2', 'h-c': '1', marker: 'x' } },
  )
  t.same(
    mergeBidirectional(
      { ...old, virtual: old.virtualOld, host: { 'h-a': '3', marker: 'x', reserved: 'y' } },
      keys,
    ),
    { virtual: { a: '3' }, host: { 'h-a': '3', marker: 'x', reserved: 'y' } },
  )
})
