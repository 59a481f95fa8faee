import t, { type Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { isGone, running } from '../../../../testing/plugin/running.fixture.js'
import type { Register } from '../../../../testing/plugin/test-plugin.js'
import { createClient } from '../../../engine/client/create-client.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  type PersistentVolumeClaim,
  type Pod,
  type PriorityClass,
  persistentVolumeClaims,
  pods,
  priorityClasses,
} from '../../../engine/kube/builtin.js'
import type { Key } from '../../../engine/kube/key.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { virtualLabels } from '../../naming/labels.js'
import { hostNamespaceOf } from '../../naming/names.js'
import {
  hostLabelSelector,
  mergeLabelSelectors,
  namespaceLabelSelector,
  virtualLabelSelector,
} from '../../naming/selectors.js'
import type { Pair } from '../syncer.js'
import { ClusterTranslator } from './cluster-translator.js'
import { indexHostNames, virtualByHostName } from './host-name-index.js'
import { NamespacedTranslator } from './namespaced-translator.js'
import { finishDeletion, syncDeletion } from './sync-deletion.js'
import { syncFinalizers } from './sync-finalizers.js'
import { syncUpStatus } from './sync-status.js'

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

/** Claims follow their copies: status and finalizers come up, and either side may begin to go. */
class ClaimSyncer extends NamespacedTranslator<PersistentVolumeClaim> {
  override async registerIndices(ctx: RegisterContext) {
    indexHostNames(this, ctx)
  }

  async syncDown(ctx: SyncContext, virtual: PersistentVolumeClaim) {
    if (await finishDeletion(this, ctx, virtual)) return undefined
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  async sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
    await syncFinalizers(this, ctx, pair)
    await syncDeletion(this, ctx, pair)
    return syncUpStatus(this, ctx, pair)
  }
}

const claimKey = { namespace: 'default', name: 'disk' }
const claimOnHost = { namespace: 'vcluster-vc', name: 'disk-x-default-x-vc' }
const claim: PersistentVolumeClaim = {
  metadata: { ...claimKey, finalizers: ['example.com/own'] },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const merge = (body: object) => ({ type: 'merge', body }) as const

async function claimed(t: Test) {
  let byHostName: (key: Key) => PersistentVolumeClaim | undefined = () => undefined
  const test = await running(t, (plugin, ctx) => {
    const syncer = new ClaimSyncer(ctx, 'claim', persistentVolumeClaims)
    byHostName = (key) => virtualByHostName(syncer, ctx, key)
    plugin.register(syncer)
  })
  await test.virtual.create(persistentVolumeClaims, claim)
  await test.settled()
  const hold = { metadata: { finalizers: ['example.com/storage', 'foregroundDeletion'] } }
  await test.host.patch(persistentVolumeClaims, claimOnHost, merge(hold))
  await test.settled()
  const virtual = () => test.virtual.get(persistentVolumeClaims, claimKey)
  const host = () => test.host.get(persistentVolumeClaims, claimOnHost)
  return { test, byHostName, virtual, host }
}

void t.test('the status of a copy is the original’s, too', async (t) => {
  const { test, byHostName, virtual } = await claimed(t)
  const status = { phase: 'Bound', capacity: { storage: '1Gi' } }
  await test.host.patch(persistentVolumeClaims, claimOnHost, { ...merge({ status }), subresource: 'status' })
  await test.settled()
  t.match((await virtual()).status, status)
  t.same(byHostName(claimOnHost)?.metadata.name, 'disk')
  t.equal(byHostName({ ...claimOnHost, name: 'other' }), undefined)
})

void t.test('an original is held by the finalizers of its copy, and by its own', async (t) => {
  const { test, virtual, host } = await claimed(t)
  // The finalizers that the API server puts on every claim.
  const own = ['example.com/own', 'kubernetes.io/pvc-protection']
  t.same((await virtual()).metadata.finalizers, [...own, 'example.com/storage'])
  t.notMatch(Object.keys((await host()).metadata.annotations ?? {}).join(), /finalizers/)
  await test.host.patch(
    persistentVolumeClaims,
    claimOnHost,
    merge({ metadata: { finalizers: ['example.com/other'] } }),
  )
  await test.settled()
  t.same((await virtual()).metadata.finalizers, [...own, 'example.com/other'])

  await test.virtual.delete(persistentVolumeClaims, claimKey)
  await test.settled()
  t.ok((await host()).metadata.deletionTimestamp, 'the copy goes when the original begins to')
  await test.host.patch(persistentVolumeClaims, claimOnHost, merge({ metadata: { finalizers: null } }))
  await test.settled()
  t.ok(await isGone(host()))
  t.same((await virtual()).metadata.finalizers, ['example.com/own'])
  await test.virtual.patch(persistentVolumeClaims, claimKey, merge({ metadata: { finalizers: null } }))
  await test.settled()
  t.ok(await isGone(virtual()))
  t.ok(await isGone(host()), 'and was not made again')
})

void t.test('an original is deleted when its copy is being deleted', async (t) => {
  const { test, virtual, host } = await claimed(t)
  await test.host.delete(persistentVolumeClaims, claimOnHost)
  await test.settled()
  t.ok((await virtual()).metadata.deletionTimestamp)
  t.notOk(await isGone(host()))
})

void t.test('a grace period is the one that the deletion began with, and is shortened with it', async (t) => {
  const calls: string[] = []
  const going = (seconds?: number): Pod => ({
    metadata: {
      ...claimKey,
      uid: 'uid',
      ...(seconds !== undefined && { deletionTimestamp: 'now', deletionGracePeriodSeconds: seconds }),
    },
  })
  const noting = (side: string) => ({
    client: {
      delete: async (_: unknown, __: unknown, options: object) => void calls.push(`${side} ${told(options)}`),
    },
  })
  const told = (options: object) => JSON.stringify(options)
  const ctx = { virtual: noting('virtual'), host: noting('host'), logger: silentLogger, key: claimKey }
  // Identity names: any host object is the copy of the virtual one of its name.
  const syncer = {
    resource: pods,
    sourceOf: () => claimKey,
  } as unknown as ClaimSyncer
  const sync = async (host: Pod, virtual: Pod) => {
    calls.length = 0
    const answer = await syncDeletion(syncer as never, ctx as never, { host, virtual })
    return [answer, ...calls]
  }
  t.same(await sync(going(), going()), [false])
  t.same(await sync(going(), going(30)), [true, 'host {"uid":"uid","gracePeriodSeconds":30}'])
  t.same(await sync(going(5), going()), [true, 'virtual {"uid":"uid","gracePeriodSeconds":5}'])
  t.same(await sync(going(5), going(30)), [true, 'virtual {"uid":"uid","gracePeriodSeconds":5}'])
  t.same(await sync(going(30), going(5)), [true])
})

void t.test('selectors and labels are translated there and back', async (t) => {
  for (const labelMode of ['reserved', 'hashed'] as const) {
    await running(t, (_, ctx) => {
      const syncer = new ConfigMapSyncer(ctx, 'configmap', configMaps, { labelMode })
      const selector = {
        matchLabels: { app: 'web', release: 'r1' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['a'] }],
      }
      const app = labelMode === 'hashed' ? 'vcluster.loft.sh/label-vc-x-a172cedcae' : 'app'
      const there = hostLabelSelector(selector, syncer.naming)
      t.same(there?.matchLabels, { [app]: 'web', 'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1' })
      t.equal(there?.matchExpressions?.[0]?.operator, 'In')
      if (labelMode === 'reserved') t.same(virtualLabelSelector(there, syncer.naming.scheme), selector)
      else t.throws(() => virtualLabelSelector(there, syncer.naming.scheme), { name: 'PermanentError' })
      t.same(hostLabelSelector({ matchLabels: { app: 'web' } }, { ...syncer.naming, namespace: 'team' }), {
        matchLabels: {
          [app]: 'web',
          'vcluster.loft.sh/namespace': 'team',
          'vcluster.loft.sh/managed-by': 'vc',
        },
      })
      t.same(namespaceLabelSelector({ matchLabels: { app: 'web' } }, 'vc'), {
        matchLabels: { 'vcluster.loft.sh/ns-label-vc-x-a172cedcae': 'web' },
      })
      t.equal(hostLabelSelector(undefined, syncer.naming), undefined)
      t.same(hostLabelSelector({}, syncer.naming), {})

      const labels = { app: 'web', release: 'r1', 'vcluster.loft.sh/ns-label-x': 'stays' }
      const virtual: ConfigMap = { metadata: { ...greeting.metadata, labels } }
      const { metadata } = syncer.translateMetadata(virtual)
      const edited = {
        metadata: { ...metadata, labels: { ...metadata.labels, [app]: 'edited', added: 'x' } },
      }
      const added = labelMode === 'hashed' ? {} : { added: 'x' }
      t.same(virtualLabels(edited, syncer.naming.scheme, virtual), { ...labels, app: 'edited', ...added })
    })
  }
  t.same(mergeLabelSelectors(undefined, { matchLabels: { a: '1', b: '1' } }, { matchLabels: { a: '2' } }), {
    matchLabels: { a: '2', b: '1' },
  })
  t.same(mergeLabelSelectors({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, {}), {
    matchExpressions: [{ key: 'a', operator: 'Exists' }],
  })
})
