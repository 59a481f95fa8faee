import { Subject } from 'rxjs'
import t from 'tap'
import { isGone, running } from '../../../testing/plugin/running.fixture.js'
import {
  type ConfigMap,
  configMaps,
  type Node,
  nodes,
  type Secret,
  secrets,
} from '../../engine/kube/builtin.js'
import type { Key } from '../../engine/kube/key.js'
import { formatKey, keyOf, parseKey } from '../../engine/kube/key.js'
import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { FakeSyncer } from './fake-syncer.js'
import type { Pair } from './syncer.js'
import { NamespacedTranslator } from './translator/namespaced-translator.js'
import type { Watches } from './watches.js'

class ConfigMapSyncer extends NamespacedTranslator<ConfigMap> {
  readonly runs: string[] = []

  constructor(ctx: RegisterContext) {
    super(ctx, 'configmap', configMaps)
  }

  override async reconcileStart(ctx: SyncContext) {
    this.runs.push(formatKey(ctx.key))
    return false
  }

  syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const greeting = { metadata: key, data: { text: 'hello' } }
const merge = (body: object) => ({ type: 'merge', body }) as const

/** Enqueues a ConfigMap for each Secret that names it, and whatever a test sends. */
class WatchingSyncer extends ConfigMapSyncer {
  readonly messages = new Subject<Key>()
  seenAtFirstRun: number | undefined

  override modifyController(watches: Watches) {
    const keysOf = (secret: Secret) => {
      const named = secret.metadata.annotations?.for
      if (named === 'broken') throw new Error('no such key')
      return named ? [parseKey(named)] : []
    }
    watches.watch(secrets, { side: 'virtual', keysOf })
    watches.watch(secrets, { side: 'host', keysOf, namespace: '' })
    watches.add(this.messages)
  }

  override async reconcileStart(ctx: SyncContext) {
    this.seenAtFirstRun ??= ctx.virtual.store(secrets).list('default').length
    return super.reconcileStart(ctx)
  }
}

void t.test('a watch of another kind, on either cluster, enqueues the keys it is mapped to', async (t) => {
  let syncer: WatchingSyncer | undefined
  const test = await running(t, (plugin, ctx) => {
    syncer = new WatchingSyncer(ctx)
    plugin.register(syncer)
  })
  const enqueued = async (doing: () => Promise<unknown>) => {
    await test.settled()
    if (syncer) syncer.runs.length = 0
    await doing()
    await test.settled()
    return syncer?.runs
  }
  const naming = (namespace: string, named: string) => ({
    metadata: { namespace, name: 'secret', annotations: { for: named } },
  })
  const at = { namespace: 'default', name: 'secret' }
  t.same(await enqueued(() => test.virtual.create(secrets, naming('default', 'default/a'))), ['default/a'])
  t.same(
    await enqueued(() => test.virtual.patch(secrets, at, merge(naming('default', 'default/b')))),
    ['default/b', 'default/a'],
    'what it no longer names is enqueued too',
  )
  t.same(await enqueued(() => test.virtual.patch(secrets, at, merge(naming('default', 'broken')))), [
    'default/b',
  ])
  t.same(await enqueued(() => test.host.create(secrets, naming('kube-system', 'default/c'))), ['default/c'])
  t.same(await enqueued(async () => syncer?.messages.next(key)), ['default/greeting'])
})

void t.test('no key is served before the kinds that were added are listed', async (t) => {
  const first = await running(t, () => {})
  await first.virtual.create(configMaps, greeting)
  await first.virtual.create(secrets, { metadata: { namespace: 'default', name: 'one' } })
  const { virtualServer, hostServer } = first
  let syncer: WatchingSyncer | undefined
  await running(
    t,
    (plugin, ctx) => {
      syncer = new WatchingSyncer(ctx)
      plugin.register(syncer)
    },
    { virtualServer, hostServer },
  )
  t.equal(syncer?.seenAtFirstRun, 1)
})

/** A Node for each name that a ConfigMap gives as the place where it runs. */
class FakeNodeSyncer extends FakeSyncer<Node> {
  constructor() {
    super('fake-node', nodes)
  }

  override async registerIndices(ctx: RegisterContext) {
    ctx.virtual.store(configMaps).addIndex('node', ({ data }) => (data?.node ? [data.node] : []))
  }

  override modifyController(watches: Watches) {
    const keysOf = ({ data }: ConfigMap) => (data?.node ? [{ namespace: '', name: data.node }] : [])
    watches.watch(configMaps, { side: 'virtual', keysOf })
  }

  async fakeSyncUp(ctx: SyncContext, { name }: Key) {
    if (this.#isUsed(ctx, name)) await ctx.virtual.client.create(nodes, { metadata: { name } })
  }

  async fakeSync(ctx: SyncContext, virtual: Node) {
    const at = keyOf(virtual)
    if (!this.#isUsed(ctx, at.name)) await ctx.virtual.client.delete(nodes, at)
  }

  #isUsed(ctx: SyncContext, name: string) {
    return ctx.virtual.store(configMaps).byIndex('node', name).length > 0
  }
}

void t.test('a fake object is there while something virtual needs it', async (t) => {
  const test = await running(t, (plugin) => plugin.register(new FakeNodeSyncer()))
  const node = { namespace: '', name: 'worker-1' }
  await test.virtual.create(configMaps, { metadata: key, data: { node: 'worker-1' } })
  await test.settled()
  t.notOk(await isGone(test.virtual.get(nodes, node)))
  t.ok(await isGone(test.host.get(nodes, node)))

  await test.virtual.delete(nodes, node)
  await test.settled()
  t.notOk(await isGone(test.virtual.get(nodes, node)), 'deleted by hand it comes back')

  await test.virtual.patch(
    nodes,
    node,
    merge({ metadata: { labels: { 'vcluster.loft.sh/controlled-by': 'x' } } }),
  )
  await test.virtual.delete(configMaps, key)
  await test.settled()
  t.notOk(await isGone(test.virtual.get(nodes, node)), 'another controller looks after it')
  const release = { metadata: { labels: { 'vcluster.loft.sh/controlled-by': null } } }
  await test.virtual.patch(nodes, node, merge(release))
  await test.settled()
  t.ok(await isGone(test.virtual.get(nodes, node)))
})

void t.test('a runnable without a syncer runs its own steps, and may write', async (t) => {
  const calls: string[] = []
  let ended: AbortSignal | undefined
  const test = await running(t, (plugin) =>
    plugin.register({
      name: 'bootstrap',
      init: async () => void calls.push('init'),
      registerIndices: async () => void calls.push('registerIndices'),
      register: async (ctx, signal) => {
        ended = signal
        await ctx.virtual.client.create(configMaps, greeting)
        calls.push('register')
      },
    }),
  )
  t.same(calls, ['init', 'registerIndices', 'register'])
  t.same((await test.virtual.get(configMaps, key)).data, greeting.data)
  t.equal(ended?.aborted, false)
  await test.stop()
  t.equal(ended?.aborted, true)
})

const controlledBy = 'vcluster.loft.sh/controlled-by'

void t.test('a copy that another controller looks after is left alone, our own label aside', async (t) => {
  const test = await running(t, (plugin, ctx) => plugin.register(new ConfigMapSyncer(ctx)))
  await test.virtual.create(configMaps, greeting)
  await test.settled()
  const edit = async (controller: string) => {
    const metadata = { labels: { [controlledBy]: controller } }
    await test.host.patch(configMaps, hostKey, merge({ metadata, data: { text: 'edited' } }))
    await test.settled()
    return (await test.host.get(configMaps, hostKey)).data?.text
  }
  t.equal(await edit('someone'), 'edited')
  t.equal(await edit('configmap'), 'hello')
})

class ExcludingSyncer extends ConfigMapSyncer {
  override excludeVirtual({ metadata }: ConfigMap) {
    return metadata.labels?.skip === 'virtual'
  }

  override excludeHost({ metadata }: ConfigMap) {
    return metadata.annotations?.skip === 'host'
  }
}

void t.test('an object that a syncer excludes is left alone on both sides', async (t) => {
  const test = await running(t, (plugin, ctx) => plugin.register(new ExcludingSyncer(ctx)))
  const other = { namespace: 'default', name: 'other' }
  await test.virtual.create(configMaps, { metadata: { ...other, labels: { skip: 'virtual' } } })
  await test.virtual.create(configMaps, {
    metadata: { ...key, labels: { [controlledBy]: 'x' } },
    data: { a: 'b' },
  })
  await test.settled()
  t.ok(await isGone(test.host.get(configMaps, { ...hostKey, name: 'other-x-default-x-vc' })))
  t.same(
    (await test.host.get(configMaps, hostKey)).data,
    { a: 'b' },
    'its answer decides about controlled-by',
  )

  await test.host.patch(configMaps, hostKey, merge({ metadata: { annotations: { skip: 'host' } } }))
  await test.virtual.delete(configMaps, key)
  await test.settled()
  t.notOk(await isGone(test.host.get(configMaps, hostKey)))
})

void t.test('a copy marked skip-backsync stays when its original goes', async (t) => {
  const test = await running(t, (plugin, ctx) => plugin.register(new ConfigMapSyncer(ctx)))
  await test.virtual.create(configMaps, greeting)
  await test.settled()
  const annotations = { 'vcluster.loft.sh/skip-backsync': 'true' }
  await test.host.patch(configMaps, hostKey, merge({ metadata: { annotations } }))
  await test.virtual.delete(configMaps, key)
  await test.settled()
  t.notOk(await isGone(test.host.get(configMaps, hostKey)))
  await test.host.patch(
    configMaps,
    hostKey,
    merge({ metadata: { annotations: { 'vcluster.loft.sh/skip-backsync': null } } }),
  )
  await test.settled()
  t.ok(await isGone(test.host.get(configMaps, hostKey)))
})

/** Host ConfigMaps become virtual ones where an annotation asks for it; then they have copies as all others. */
class ImportingSyncer extends ConfigMapSyncer {
  override importKey({ metadata }: ConfigMap): Key | undefined {
    const asked = metadata.annotations?.['example.com/adopt-as']
    return asked ? parseKey(asked) : undefined
  }

  override async import(ctx: SyncContext, host: ConfigMap) {
    if (host.data?.refuse) return false
    await ctx.virtual.client.create(configMaps, { metadata: ctx.key, data: host.data ?? {} })
    await ctx.host.client.delete(configMaps, keyOf(host))
    return true
  }
}

void t.test('a host object that asks for it is imported, once, the first of several', async (t) => {
  const { host, virtualServer, hostServer } = await running(t, () => {})
  const asking = (name: string, data: Record<string, string>) => ({
    metadata: { namespace: 'vcluster-vc', name, annotations: { 'example.com/adopt-as': 'default/greeting' } },
    data,
  })
  await host.create(configMaps, asking('a-refused', { refuse: 'yes' }))
  await host.create(configMaps, asking('c', { text: 'c' }))
  await host.create(configMaps, asking('b', { text: 'b' }))
  const test = await running(t, (plugin, ctx) => plugin.register(new ImportingSyncer(ctx)), {
    virtualServer,
    hostServer,
  })
  t.ok(await isGone(test.virtual.get(configMaps, key)))
  await test.host.delete(configMaps, { ...hostKey, name: 'a-refused' })
  await test.settled()
  t.same((await test.virtual.get(configMaps, key)).data, { text: 'b' })
  t.same((await test.host.get(configMaps, hostKey)).data, { text: 'b' }, 'its copy bears the copy’s name')
  t.ok(await isGone(test.host.get(configMaps, { ...hostKey, name: 'b' })))
  t.notOk(await isGone(test.host.get(configMaps, { ...hostKey, name: 'c' })), 'the other waits')
})
