import t, { type Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import type { TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import {
  configMaps,
  type Deployment,
  deployments,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
} from '../../../engine/kube/builtin.js'
import type { SyncContext } from '../../context/sync-context.js'
import { podReferences } from '../references/pod-references.js'
import type { Pair } from '../syncer.js'
import { mirrorDown } from '../translator/mirror.js'
import { NamespacedTranslator } from '../translator/namespaced-translator.js'
import { syncUpStatus } from '../translator/sync-status.js'
import type { Watches } from '../watches.js'
import { becomesRare, contests, hostKey, key, pass, type Rival, repeated, turns } from './rival.fixture.js'

const labels = { app: 'a' }
const references = { ...podReferences('spec.template.spec'), 'spec.selector': 'plain' } as const
const options = { statusUp: true, references }
const original: Deployment = {
  metadata: key,
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
}

const statusOf = (status: object) => ({ type: 'merge', subresource: 'status', body: { status } }) as const

/** A plugin that has copied the original. */
async function mirrored(t: Test, clock: VirtualClock): Promise<TestPlugin> {
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, deployments, options)), {
    clock,
  })
  await test.virtual.create(deployments, original)
  await turns(100)
  return test
}

/**
 * The host gives each copy a status of its own, and another program deletes the copy when the original has that status.
 */
function hostWithDeleter({ host, virtual }: TestPlugin): Rival {
  let generation = 1
  const step = async () => {
    const copy = await host.get(deployments, hostKey)
    if (copy.status?.observedGeneration !== generation) {
      await host.patch(deployments, hostKey, statusOf({ observedGeneration: generation }))
      return false
    }
    const { status } = await virtual.get(deployments, key)
    if (status?.observedGeneration !== generation) return false
    await host.delete(deployments, hostKey)
    generation++
    return true
  }
  return repeated(() => step().catch(() => false))
}

void t.test(
  'a copy that is deleted each time is created more and more rarely, although its status is copied up',
  async (t) => {
    const clock = new VirtualClock()
    const test = await mirrored(t, clock)
    const other = hostWithDeleter(test)
    t.teardown(other.end)
    await becomesRare(t, clock, other)
    t.match(await contests(test), [/deletes the copy vcluster-vc\/a-x-default-x-vc each time/])
  },
)

void t.test(
  'a status that a program of the virtual cluster sets back each time is copied up rarely',
  async (t) => {
    const clock = new VirtualClock()
    const test = await mirrored(t, clock)
    await test.host.patch(deployments, hostKey, statusOf({ replicas: 1 }))
    await turns(100)
    const shown = async () => (await test.virtual.get(deployments, key)).status?.replicas
    t.equal(await shown(), 1)
    const other = repeated(async () => {
      if ((await shown()) === 9) return false
      await test.virtual.patch(deployments, key, statusOf({ replicas: 9 }))
      return true
    })
    await becomesRare(t, clock, other)
    t.match(await contests(test), [/sets status\.replicas of default\/a in the virtual cluster/])
    await test.host.patch(deployments, hostKey, statusOf({ replicas: 2 }))
    await other.end()
    await pass(clock, 600)
    t.equal(await shown(), 2, 'it is right when the other has left')
  },
)

const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const settings = { namespace: 'default', name: 'settings' }

/** Shows the text of the ConfigMap `default/settings` as the phase of each claim. */
class WithSettings extends NamespacedTranslator<PersistentVolumeClaim> {
  override modifyController(watches: Watches): void {
    watches.watch(configMaps, { side: 'virtual', keysOf: () => [key] })
  }

  override async virtualReferences(ctx: SyncContext, { host }: Pair<PersistentVolumeClaim>) {
    const { data } = ctx.virtual.store(configMaps).get(settings) ?? {}
    return { ...host, status: { ...host.status, phase: data?.text } } as PersistentVolumeClaim
  }

  syncDown(ctx: SyncContext, virtual: PersistentVolumeClaim) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
    return syncUpStatus(this, ctx, pair)
  }
}

void t.test('a status that is made from another object too is copied up whenever that changes', async (t) => {
  const test = await running(
    t,
    (plugin, ctx) => plugin.register(new WithSettings(ctx, 'with-settings', persistentVolumeClaims)),
    { clock: new VirtualClock() },
  )
  await test.virtual.create(configMaps, { metadata: settings, data: { text: 'first' } })
  await test.virtual.create(persistentVolumeClaims, { metadata: key, spec: claim })
  for (let change = 0; change < 12; change++) {
    await test.virtual.patch(configMaps, settings, { type: 'merge', body: { data: { text: `${change}` } } })
    await turns(100)
    t.equal((await test.virtual.get(persistentVolumeClaims, key)).status?.phase, `${change}`)
  }
  t.same(await contests(test), [])
})
