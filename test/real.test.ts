// Tests the example in standalone mode between two real control planes.
import t from 'tap'
import { type ConfigMap, configMaps, leases, namespaces, services } from '../sdk/engine/kube/builtin.js'
import type { Key } from '../sdk/engine/kube/key.js'
import type { Store } from '../sdk/engine/store/store.js'
import { openCluster } from './live-cluster.js'
import { type PluginProcess, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { writesDuring } from './real/request-counts.js'

const main = 'examples/sync-all-configmaps/main.ts'
const target = 'vc-host'
const objects = 1000
const copyKey = (name: string): Key => ({ namespace: target, name: `${name}-x-default-x-vc` })
const virtualKey = (name: string): Key => ({ namespace: 'default', name })
const copies = (store: Store<ConfigMap>) =>
  store.list(target).filter(({ metadata }) => metadata.labels?.['vcluster.loft.sh/managed-by'] === 'vc')

const skip = missingAssets('kube-controller-manager')

void t.test('standalone between two real API servers', { skip, timeout: 600_000 }, async (t) => {
  const virtualServer = await startRealCluster()
  t.teardown(() => virtualServer.stop())
  const hostServer = await startRealCluster({ controllerManager: true })
  t.teardown(() => hostServer.stop())
  const virtual = await openCluster(virtualServer.kubeconfigFile)
  t.teardown(() => virtual.close())
  const host = await openCluster(hostServer.kubeconfigFile)
  t.teardown(() => host.close())
  const env = {
    VIRTUAL_KUBECONFIG: virtualServer.kubeconfigFile,
    HOST_KUBECONFIG: hostServer.kubeconfigFile,
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: target,
  }
  const write = (name: string, data: Record<string, string> = { name }) =>
    virtual.client.create(configMaps, { metadata: virtualKey(name), data })
  let plugin: PluginProcess
  t.teardown(() => plugin.end('SIGKILL'))

  /** The writes of ConfigMaps that the host's API server received during `work`. */
  const hostWrites = (atLeast: number, work: () => Promise<unknown>) =>
    writesDuring({ transport: host.transport, resource: 'configmaps', atLeast }, work)

  await host.client.create(namespaces, { metadata: { name: target } })
  await host.until((store) => store.get({ namespace: target, name: 'kube-root-ca.crt' }) !== undefined)
  const service = await host.client.create(services, {
    metadata: { namespace: target, name: 'vc' },
    spec: { ports: [{ port: 443 }] },
  })
  await inParallel(
    Array.from({ length: objects }, (_, i) => `cm-${i}`),
    write,
  )

  await t.test('each existing ConfigMap is created exactly once', async (t) => {
    const writes = await hostWrites(objects, async () => {
      plugin = startPlugin(main, env)
      await Promise.race([
        host.until((store) => copies(store).length === virtual.configMaps.size),
        plugin.line('never said'),
      ])
    })
    t.ok(virtual.configMaps.size >= objects)
    t.same(writes, { 'POST configmaps': virtual.configMaps.size })
  })

  await t.test(
    'a copy has its labels and annotations, and the Service of the vcluster as its owner',
    async (t) => {
      const { metadata, data } = await host.client.get(configMaps, copyKey('cm-7'))
      const original = virtual.configMaps.get(virtualKey('cm-7'))
      t.same(data, { name: 'cm-7' })
      t.match(metadata.ownerReferences, [{ kind: 'Service', name: 'vc', uid: service.metadata.uid }])
      t.match(metadata.annotations, {
        'vcluster.loft.sh/object-name': 'cm-7',
        'vcluster.loft.sh/object-namespace': 'default',
        'vcluster.loft.sh/object-uid': original?.metadata.uid,
        'vcluster.loft.sh/object-kind': '/v1, Kind=ConfigMap',
        'vcluster.loft.sh/object-host-name': 'cm-7-x-default-x-vc',
        'vcluster.loft.sh/object-host-namespace': target,
      })
    },
  )

  await t.test('updates, deletes and edits of the copy are reconciled', async (t) => {
    await virtual.client.patch(configMaps, virtualKey('cm-1'), {
      type: 'merge',
      body: { data: { greeting: 'hi' } },
    })
    await host.until((store) => store.get(copyKey('cm-1'))?.data?.greeting === 'hi')
    const edited = await host.client.patch(configMaps, copyKey('cm-2'), {
      type: 'merge',
      body: { data: { name: 'edited' } },
    })
    await host.until((store) => {
      const copy = store.get(copyKey('cm-2'))
      return copy?.data?.name === 'cm-2' && isNewer(copy, edited)
    })
    const removed = await host.client.get(configMaps, copyKey('cm-3'))
    await host.client.delete(configMaps, copyKey('cm-3'))
    await host.until((store) => {
      const copy = store.get(copyKey('cm-3'))
      return copy?.data?.name === 'cm-3' && isNewer(copy, removed)
    })
    await virtual.client.delete(configMaps, virtualKey('cm-4'))
    await host.until((store) => !store.get(copyKey('cm-4')))
    t.pass()
  })

  await t.test('a foreign object with the name of a copy is kept until it is deleted', async (t) => {
    await host.client.create(configMaps, { metadata: copyKey('taken'), data: { mine: 'yes' } })
    await write('taken')
    await plugin.line('cannot be copied')
    t.same((await host.client.get(configMaps, copyKey('taken'))).data, { mine: 'yes' })
    await host.client.delete(configMaps, copyKey('taken'))
    await host.until((store) => store.get(copyKey('taken'))?.data?.name === 'taken')
  })

  await t.test('a stop releases the Lease, and a restart without changes writes nothing', async (t) => {
    t.equal(await plugin.end(), 0)
    const { items } = await host.client.list(leases, { namespace: target })
    t.same(
      items.map(({ spec }) => spec?.holderIdentity ?? ''),
      [''],
    )
    const writes = await hostWrites(1, async () => {
      plugin = startPlugin(main, env)
      await plugin.line('the plugin is running')
      await write('after-restart')
      await host.until((store) => store.get(copyKey('after-restart')) !== undefined)
    })
    t.same(writes, { 'POST configmaps': 1 })
  })

  await t.test('changes during a downtime of the plugin are found', async (t) => {
    await plugin.end('SIGKILL')
    await virtual.client.delete(configMaps, virtualKey('cm-5'))
    await virtual.client.delete(configMaps, virtualKey('cm-6'))
    await write('cm-6', { name: 'made again' })
    plugin = startPlugin(main, env)
    await host.until((store) => !store.get(copyKey('cm-5')))
    await host.until((store) => store.get(copyKey('cm-6'))?.data?.name === 'made again')
    t.equal(copies(host.configMaps).length, virtual.configMaps.size)
  })

  await t.test('a second plugin waits as standby, and takes over as soon as the first stops', async (t) => {
    await plugin.line('the plugin is running')
    const second = startPlugin(main, env)
    t.teardown(() => second.end('SIGKILL'))
    await second.line('standing by')
    t.notOk(second.lines.some((line) => line.includes('the plugin is running')))
    t.equal(await plugin.end(), 0)
    await second.line('the plugin is running')
    await write('after-takeover')
    await host.until((store) => store.get(copyKey('after-takeover')) !== undefined)
    t.equal(await second.end(), 0)
  })
})

async function inParallel<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}

/** Whether `object` is a later revision than `than`, on the same API server. */
function isNewer(object: ConfigMap, than: ConfigMap): boolean {
  return Number(object.metadata.resourceVersion) > Number(than.metadata.resourceVersion)
}
