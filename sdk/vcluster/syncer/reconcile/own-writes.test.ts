import t, { type Test } from 'tap'
import {
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from '../../../../testing/plugin/test-plugin.js'
import { type ConfigMap, configMaps, persistentVolumeClaims } from '../../../engine/kube/builtin.js'
import type { DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { asPlainPair, type Pair } from '../syncer.js'
import { NamespacedTranslator } from '../translator/namespaced-translator.js'

const key = { namespace: 'default', name: 'a' }
const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }

/** Copies down, and tells which methods were called for `default/a`. */
class Recorded<T extends KubeObject> extends NamespacedTranslator<T> {
  override readonly runsAfterOwnWrites: boolean
  readonly calls: string[] = []

  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    { runsAfterOwnWrites = false }: { runsAfterOwnWrites?: boolean } = {},
  ) {
    super(ctx, name, resource)
    this.runsAfterOwnWrites = runsAfterOwnWrites
  }

  async syncDown(ctx: SyncContext, virtual: DeepReadonly<T>) {
    this.#called(ctx, 'syncDown')
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  async sync(ctx: SyncContext, pair: Pair<T>) {
    this.#called(ctx, 'sync')
    const { host, virtual } = asPlainPair(pair)
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }

  /** The calls since the last time. */
  take(): string[] {
    return this.calls.splice(0)
  }

  #called(ctx: SyncContext, method: string): void {
    if (ctx.key.name === key.name) this.calls.push(method)
  }
}

async function running<T extends KubeObject>(
  t: Test,
  syncersOf: (ctx: RegisterContext) => readonly Recorded<T>[],
  options: TestPluginOptions = {},
): Promise<{ test: TestPlugin; syncers: readonly Recorded<T>[] }> {
  let syncers: readonly Recorded<T>[] = []
  const test = await testPlugin((plugin, ctx) => {
    syncers = syncersOf(ctx)
    for (const syncer of syncers) plugin.register(syncer)
  }, options)
  t.teardown(() => test.stop())
  await test.settled()
  return { test, syncers }
}

const data = (text: string) => ({ type: 'merge', body: { data: { text } } }) as const

void t.test('a syncer whose writes leave nothing to do runs once for each change', async (t) => {
  const { test, syncers } = await running<ConfigMap>(t, (ctx) => [new Recorded(ctx, 'one', configMaps)])
  const [syncer] = syncers
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await test.settled()
  t.strictSame(syncer?.take(), ['syncDown'])
  await test.virtual.patch(configMaps, key, data('ho'))
  await test.settled()
  t.strictSame(syncer?.take(), ['sync'])
  await test.host.patch(configMaps, hostKey, data('edited'))
  await test.settled()
  t.strictSame(syncer?.take(), ['sync'], 'what somebody else writes still triggers the key')
  t.same((await test.host.get(configMaps, hostKey)).data, { text: 'ho' })
  await test.host.delete(configMaps, hostKey)
  await test.settled()
  t.strictSame(syncer?.take(), ['syncDown'])
})

void t.test('a copy holds the content of its original, after a write and after an event', async (t) => {
  let areOne = () => false
  const { test, syncers } = await running<ConfigMap>(t, (ctx) => {
    areOne = () => {
      const { data } = ctx.virtual.store(configMaps).get(key) ?? {}
      return data !== undefined && ctx.host.store(configMaps).get(hostKey)?.data === data
    }
    return [new Recorded(ctx, 'one', configMaps)]
  })
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await test.settled()
  t.ok(areOne())
  const annotations = { 'example.com/note': 'by somebody else' }
  await test.host.patch(configMaps, hostKey, { type: 'merge', body: { metadata: { annotations } } })
  await test.settled()
  t.strictSame(syncers[0]?.take(), ['syncDown', 'sync'])
  t.ok(areOne())
})

void t.test('any other syncer runs again after its own write', async (t) => {
  const options = { runsAfterOwnWrites: true }
  const { test, syncers } = await running<ConfigMap>(t, (ctx) => [
    new Recorded(ctx, 'one', configMaps, options),
  ])
  const [syncer] = syncers
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await test.settled()
  t.strictSame(syncer?.take(), ['syncDown', 'sync'])
  await test.virtual.patch(configMaps, key, data('ho'))
  await test.settled()
  t.strictSame(syncer?.take(), ['sync', 'sync'])
})

void t.test('an object that the API server has altered is looked at once more', async (t) => {
  const { test, syncers } = await running(t, (ctx) => [new Recorded(ctx, 'one', persistentVolumeClaims)])
  const spec = { resources: { requests: { storage: '1Gi' } }, accessModes: ['ReadWriteOnce'] }
  await test.virtual.create(persistentVolumeClaims, { metadata: key, spec })
  await test.settled()
  t.match((await test.host.get(persistentVolumeClaims, hostKey)).metadata.finalizers, [String])
  t.strictSame(syncers[0]?.take().slice(0, 2), ['syncDown', 'sync'])
})

void t.test('a write of one syncer is a change for another one of the kind', async (t) => {
  const { test, syncers } = await running<ConfigMap>(t, (ctx) => [
    new Recorded(ctx, 'one', configMaps),
    new Watching(ctx, 'two', configMaps),
  ])
  const [one, two] = syncers
  await test.virtual.create(configMaps, { metadata: key, data: { text: 'hi' } })
  await test.settled()
  t.strictSame(one?.take(), ['syncDown'])
  t.equal(two?.take().at(-1), 'sync', 'it has seen the copy that the other one made')
})

/** Only looks. */
class Watching<T extends KubeObject> extends Recorded<T> {
  override async syncDown(ctx: SyncContext) {
    if (ctx.key.name === key.name) this.calls.push('syncDown')
    return undefined
  }

  override async sync(ctx: SyncContext) {
    if (ctx.key.name === key.name) this.calls.push('sync')
    return undefined
  }
}
