import t, { type Test } from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import { createClient } from '../client/create-client.js'
import type { SyncContext } from '../context/sync-context.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  type PriorityClass,
  priorityClasses,
} from '../kube/builtin.js'
import { isNotFound } from '../kube/error.js'
import type { Pair } from '../syncer/syncer.js'
import { inProcessTransport } from '../testing/in-process-transport.js'
import { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from '../testing/test-plugin.js'
import { ClusterTranslator } from './cluster-translator.js'
import { hostNamespaceOf } from './names.js'
import { NamespacedTranslator } from './namespaced-translator.js'

class PriorityClassSyncer extends ClusterTranslator<PriorityClass> {
  syncDown(ctx: SyncContext, virtual: PriorityClass) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  sync(ctx: SyncContext, { host, virtual }: Pair<PriorityClass>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

class ConfigMapSyncer extends NamespacedTranslator<ConfigMap> {
  syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

async function running(t: Test, register: Register, options?: TestPluginOptions): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

/** Whether what is asked for is not there. */
async function isGone(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}

const high = { metadata: { name: 'high', labels: { app: 'web' } }, value: 7 }
const highKey = { namespace: '', name: 'high' }
const highOnHost = { namespace: '', name: 'vcluster-high-x-vcluster-vc-x-vc' }
const syncsPriorities: Register = (plugin, ctx) =>
  plugin.register(new PriorityClassSyncer(ctx, 'priorityclass', priorityClasses))

void t.test('a cluster-scoped object has its copy under a name of this vcluster alone', async (t) => {
  const test = await running(t, syncsPriorities)
  const { metadata } = await test.virtual.create(priorityClasses, high)
  await test.settled()
  const copy = await test.host.get(priorityClasses, highOnHost)
  t.equal(copy.value, 7)
  t.same(copy.metadata.labels, { app: 'web', 'vcluster.loft.sh/managed-by': 'vcluster-vc-x-vc' })
  t.same(copy.metadata.annotations, {
    'vcluster.loft.sh/object-host-name': highOnHost.name,
    'vcluster.loft.sh/object-kind': 'scheduling.k8s.io/v1, Kind=PriorityClass',
    'vcluster.loft.sh/object-name': 'high',
    'vcluster.loft.sh/object-uid': metadata.uid,
  })
  t.equal(copy.metadata.ownerReferences, undefined, 'an owner in a namespace may not own it')

  await test.virtual.patch(priorityClasses, highKey, { type: 'merge', body: { description: 'first' } })
  await test.settled()
  t.equal((await test.host.get(priorityClasses, highOnHost)).description, 'first')
  await test.virtual.delete(priorityClasses, highKey)
  await test.settled()
  t.ok(await isGone(test.host.get(priorityClasses, highOnHost)))
})

void t.test('up to 0.20 a cluster-scoped copy’s label keys name the host namespace', async (t) => {
  const test = await running(t, syncsPriorities, { labelMode: 'hashed' })
  await test.virtual.create(priorityClasses, high)
  await test.settled()
  const { labels } = (await test.host.get(priorityClasses, highOnHost)).metadata
  t.equal(labels?.['vcluster.loft.sh/label-vcluster-vc-x-vc-x-a172cedcae'], 'web')
})

void t.test('the cluster-scoped copies of two vclusters do not meet', async (t) => {
  const one = await running(t, syncsPriorities)
  const options = { vclusterName: 'vc', targetNamespace: 'other', hostServer: one.hostServer }
  const other = await running(t, syncsPriorities, options)
  await one.virtual.create(priorityClasses, high)
  await other.virtual.create(priorityClasses, { ...high, value: 8 })
  await one.settled()
  await other.settled()
  await one.virtual.delete(priorityClasses, highKey)
  await one.settled()
  t.ok(await isGone(one.host.get(priorityClasses, highOnHost)))
  t.equal(
    (await one.host.get(priorityClasses, { namespace: '', name: 'vcluster-high-x-other-x-vc' })).value,
    8,
  )
})

void t.test('a translator refuses a kind of the other scope', async (t) => {
  await running(t, (_, ctx) => {
    t.throws(() => new PriorityClassSyncer(ctx, 'x', { ...priorityClasses, namespaced: true }), {
      code: 'NOT_CLUSTER_SCOPED',
    })
    t.throws(() => new ConfigMapSyncer(ctx, 'x', { ...configMaps, namespaced: false }), {
      code: 'NOT_NAMESPACED',
    })
  })
})

const greeting = {
  metadata: { namespace: 'default', name: 'greeting', labels: { release: 'r1' } },
  data: { a: 'b' },
}

void t.test('short names are vcluster’s, and lead back', async (t) => {
  for (const [names, name] of [
    ['short', 'v38wyt783onuwv'],
    ['short-hex', '824d8bcd'],
  ] as const) {
    const test = await running(t, (plugin, ctx) =>
      plugin.register(new ConfigMapSyncer(ctx, 'configmap', configMaps, { names })),
    )
    await test.virtual.create(configMaps, greeting)
    await test.settled()
    const at = { namespace: test.targetNamespace, name }
    t.same((await test.host.get(configMaps, at)).data, greeting.data)
    await test.virtual.delete(configMaps, { namespace: 'default', name: 'greeting' })
    await test.settled()
    t.ok(await isGone(test.host.get(configMaps, at)), names)
  }
})

void t.test('each virtual namespace may have a host namespace of its own', async (t) => {
  const hostServer = await createApiServer({ name: 'host' })
  const host = createClient({ transport: inProcessTransport(hostServer) })
  for (const namespace of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    await host.create(namespaces, { metadata: { name: hostNamespaceOf(namespace, 'vcluster-vc', 'vc') } })
  }
  const syncsOwn: Register = (plugin, ctx) =>
    plugin.register(new ConfigMapSyncer(ctx, 'configmap', configMaps, { namespaces: 'own' }))
  const test = await running(t, syncsOwn, { hostServer })
  await test.virtual.create(configMaps, greeting)
  await test.settled()
  const at = { namespace: 'vcluster-37a8eec1-59d7e901', name: 'greeting' }
  const copy = await test.host.get(configMaps, at)
  t.equal(copy.metadata.labels?.release, 'r1', 'no other namespace’s Helm looks there')
  t.equal(copy.metadata.ownerReferences, undefined, 'an owner in another namespace would count as gone')
  await test.host.patch(configMaps, at, { type: 'merge', body: { data: { a: 'edited' } } })
  await test.settled()
  t.same((await test.host.get(configMaps, at)).data, greeting.data, 'the copy is watched there')
  await test.virtual.delete(configMaps, { namespace: 'default', name: 'greeting' })
  await test.settled()
  t.ok(await isGone(test.host.get(configMaps, at)))
})
