// Tests contests about what own syncers copy to their originals by the functions for status and finalizers.
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import {
  type ConfigMap,
  configMaps,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
} from '../../../engine/kube/builtin.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { Pair } from '../syncer.js'
import { mirrorDown } from '../translator/mirror.js'
import { NamespacedTranslator } from '../translator/namespaced-translator.js'
import { finishDeletion, syncDeletion } from '../translator/sync-deletion.js'
import { syncFinalizers } from '../translator/sync-finalizers.js'
import { syncUpStatus } from '../translator/sync-status.js'
import { becomesRare, contests, hostKey, key, pass, repeated, rival, turns } from './rival.fixture.js'

/** A syncer that ignores the results of the functions, as authors may. */
class Claims extends NamespacedTranslator<PersistentVolumeClaim> {
  async syncDown(ctx: SyncContext, virtual: PersistentVolumeClaim) {
    if (await finishDeletion(this, ctx, virtual)) return undefined
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  async sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
    await syncFinalizers(this, ctx, pair)
    await syncDeletion(this, ctx, pair)
    await syncUpStatus(this, ctx, pair, { fields: ['phase'] })
  }
}

const original: PersistentVolumeClaim = {
  metadata: key,
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}
const finalizer = 'example.com/work'

/** A plugin that has copied the original, with a finalizer and a status of the copy. */
async function copied(t: Parameters<typeof running>[0], clock: VirtualClock) {
  const test = await running(
    t,
    (plugin, ctx) => plugin.register(new Claims(ctx, 'claim', persistentVolumeClaims)),
    { clock },
  )
  await test.virtual.create(persistentVolumeClaims, original)
  await turns(100)
  const hostPatch = (body: object, subresource?: 'status') =>
    test.host.patch(persistentVolumeClaims, hostKey, {
      type: 'merge',
      body,
      ...(subresource && { subresource }),
    })
  const shown = () => test.virtual.get(persistentVolumeClaims, key)
  return { ...test, hostPatch, shown }
}

void t.test('a status that is set back each time is copied up rarely by an own syncer', async (t) => {
  const clock = new VirtualClock()
  const test = await copied(t, clock)
  const phaseOf = async () => (await test.shown()).status?.phase
  await test.hostPatch({ status: { phase: 'Bound' } }, 'status')
  await turns(100)
  t.equal(await phaseOf(), 'Bound')
  const other = repeated(async () => {
    if ((await phaseOf()) === 'Lost') return false
    const body = { status: { phase: 'Lost' } }
    await test.virtual.patch(persistentVolumeClaims, key, { type: 'merge', subresource: 'status', body })
    return true
  })
  await becomesRare(t, clock, other)
  t.match(await contests(test), [/sets status\.phase of default\/a in the virtual cluster/])
  await other.end()
  await pass(clock, 320)
  t.equal(await phaseOf(), 'Bound', 'it is right when the other has left')
})

void t.test('finalizers that are removed each time are copied up rarely', async (t) => {
  const clock = new VirtualClock()
  const test = await copied(t, clock)
  const finalizersOf = async () => (await test.shown()).metadata.finalizers ?? []
  await test.hostPatch({ metadata: { finalizers: [finalizer] } })
  await turns(100)
  t.ok((await finalizersOf()).includes(finalizer))
  const other = repeated(async () => {
    if (!(await finalizersOf()).includes(finalizer)) return false
    const body = { metadata: { finalizers: null } }
    await test.virtual.patch(persistentVolumeClaims, key, { type: 'merge', body })
    return true
  })
  await becomesRare(t, clock, other)
  t.match(await contests(test), [/sets metadata\.finalizers of default\/a in the virtual cluster/])
  const further = 'example.com/further'
  await test.hostPatch({ metadata: { finalizers: [finalizer, further] } })
  await turns(100)
  await other.end()
  await pass(clock, 320)
  const finalizers = await finalizersOf()
  t.ok(
    finalizers.includes(finalizer) && finalizers.includes(further),
    'they are right when the other has left',
  )
})

void t.test('each new status of the copy is copied up at once, also during a contest', async (t) => {
  const clock = new VirtualClock()
  const test = await copied(t, clock)
  const phases = ['Bound', 'Pending', 'Bound', 'Pending', 'Bound', 'Pending', 'Bound', 'Pending'] as const
  for (const phase of phases) {
    await test.hostPatch({ status: { phase } }, 'status')
    await turns(100)
    t.equal((await test.shown()).status?.phase, phase)
    const body = { status: { phase: 'Lost' } }
    await test.virtual.patch(persistentVolumeClaims, key, { type: 'merge', subresource: 'status', body })
    await turns(100)
  }
})

/** A syncer whose runs end with a lasting error, after the copy is as it should be. */
function refusing(ctx: RegisterContext) {
  const syncer = mirrorDown(ctx, configMaps)
  const sync = syncer.sync.bind(syncer)
  syncer.sync = async (run, pair) => {
    await sync(run, pair)
    if (run.key.name === key.name) throw new PermanentError('it has no licence')
  }
  return syncer
}

void t.test('a contest in runs with a lasting error ends with its pause', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(refusing(ctx)), { clock })
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await turns(100)
  const textOf = async () => (await test.host.get(configMaps, hostKey)).data?.text
  const isSet = ({ data }: ConfigMap) => data?.text === 'mine'
  const other = rival({ client: test.host, at: hostKey, body: { data: { text: 'mine' } }, isSet })
  await becomesRare(t, clock, other)
  await other.end()
  t.equal(await textOf(), 'mine', 'the plugin pauses')
  await pass(clock, 320)
  t.equal(await textOf(), 'hi', 'it is right when the other has left')
})
