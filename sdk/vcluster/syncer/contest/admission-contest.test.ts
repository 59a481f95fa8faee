// Tests that admission which changes each write of the plugin is damped, if its result is another one each time.
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import type { Register, TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import { type ConfigMap, configMaps, deployments } from '../../../engine/kube/builtin.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { podReferences } from '../references/pod-references.js'
import type { Pair } from '../syncer.js'
import { mirrorBoth, mirrorDown } from '../translator/mirror.js'
import { NamespacedTranslator } from '../translator/namespaced-translator.js'
import type { Watches } from '../watches.js'
import { mutates } from './admission.fixture.js'
import { contests, FromHost, hostKey, key, original, pass, turns } from './rival.fixture.js'

const shared = { namespace: 'vcluster-vc', name: 'shared' }
const settings = { namespace: 'default', name: 'settings' }
const counting = 'Object{data: {"n": string(int(oldObject.data.n) + 1)}}'
const stable = {
  resource: 'configmaps',
  operations: ['CREATE', 'UPDATE'],
  expression: 'Object{data: {"n": "7"}}',
}
const merge = (body: object) => ({ type: 'merge', body }) as const

async function started(t: Test, register: Register): Promise<TestPlugin & { clock: VirtualClock }> {
  const clock = new VirtualClock()
  return { clock, ...(await running(t, register, { clock })) }
}

/** A plugin that has copied a ConfigMap of the host to {@link key}. */
async function copiedUp(t: Test) {
  const test = await started(t, (plugin, ctx) => plugin.register(new FromHost(ctx, 'up', configMaps)))
  const metadata = { ...shared, labels: { shared: 'true' } }
  await test.host.create(configMaps, { metadata, data: { n: '0', text: 'hi' } })
  await turns(100)
  return test
}

/** Admission counts the writes of the plugin: a few at once, and then ever fewer. Takes five minutes. */
async function areDamped(t: Test, clock: VirtualClock, count: () => Promise<number>): Promise<void> {
  await pass(clock, 60)
  const first = await count()
  t.ok(first >= 5 && first <= 12, `${first} writes in the first minute`)
  await pass(clock, 240)
  const later = (await count()) - first
  t.ok(later <= 6, `${later} in the next four`)
}

void t.test('a policy of a tenant that changes a copy with each update is damped', async (t) => {
  const { virtual, host, clock, ...test } = await copiedUp(t)
  await mutates(virtual, { resource: 'configmaps', expression: counting })
  await host.patch(configMaps, shared, merge({ data: { text: 'ho' } }))
  await areDamped(t, clock, async () => Number((await virtual.get(configMaps, key)).data?.n))
  t.match(await contests({ virtual, host, ...test }), [/sets data\.n of the copy default\/a/])
  await host.patch(configMaps, shared, merge({ data: { text: 'new' } }))
  await turns(100)
  t.equal(
    (await virtual.get(configMaps, key)).data?.text,
    'new',
    'a change of the original is written at once',
  )
})

void t.test('so is one that adds a field with another name each time', async (t) => {
  const { virtual, host, clock } = await copiedUp(t)
  const name = '"n" + string(size(oldObject.metadata.annotations["names"]))'
  const annotations = '{"names": oldObject.metadata.annotations["names"] + "+"}'
  await virtual.patch(configMaps, key, merge({ metadata: { annotations: { names: '' } } }))
  await mutates(virtual, {
    resource: 'configmaps',
    expression: `Object{metadata: Object.metadata{annotations: ${annotations}}, data: {${name}: "x"}}`,
  })
  await host.patch(configMaps, shared, merge({ data: { text: 'ho' } }))
  const count = async () => (await virtual.get(configMaps, key)).metadata.annotations?.names?.length ?? 0
  await pass(clock, 60)
  t.ok((await count()) < 130, `${await count()} writes in the first minute`)
})

void t.test('a policy of the host that changes a copy with each update is damped', async (t) => {
  const test = await started(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)))
  await test.virtual.create(configMaps, { ...original, data: { n: '0' } })
  await turns(100)
  await mutates(test.host, { resource: 'configmaps', expression: counting })
  await test.virtual.patch(configMaps, key, merge({ data: { text: 'ho' } }))
  await areDamped(t, test.clock, async () => Number((await test.host.get(configMaps, hostKey)).data?.n))
  t.match(await contests(test), [/sets data\.n of the copy vcluster-vc\/a-x-default-x-vc/])
})

void t.test('a policy whose result is the same each time is not a contest', async (t) => {
  const { virtual, host, clock, ...test } = await copiedUp(t)
  await mutates(virtual, stable)
  for (let change = 0; change < 10; change++) {
    await host.patch(configMaps, shared, merge({ data: { text: `${change}` } }))
    await turns(100)
    t.same((await virtual.get(configMaps, key)).data, { n: '7', text: `${change}` })
  }
  const { metadata } = await virtual.get(configMaps, key)
  await pass(clock, 60)
  t.equal((await virtual.get(configMaps, key)).metadata.resourceVersion, metadata.resourceVersion)
  t.same(await contests({ virtual, host, ...test }), [])
})

/** Adds the text of the ConfigMap `default/settings` to each copy. */
class WithSettings extends NamespacedTranslator<ConfigMap> {
  readonly #ctx: RegisterContext

  constructor(ctx: RegisterContext) {
    super(ctx, 'with-settings', configMaps)
    this.#ctx = ctx
  }

  override readonly selects = ({ metadata }: ConfigMap) => metadata.name === key.name

  override modifyController(watches: Watches): void {
    watches.watch<ConfigMap>(configMaps, {
      side: 'virtual',
      keysOf: ({ metadata }) => (metadata.name === settings.name ? [key] : []),
    })
  }

  override transform(virtual: ConfigMap): ConfigMap {
    const { data } = this.#ctx.virtual.store(configMaps).get(settings) ?? {}
    return { ...virtual, data: { ...virtual.data, ...data } }
  }

  syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

void t.test('a copy that is made from another object too is written whenever that changes', async (t) => {
  const test = await started(t, (plugin, ctx) => plugin.register(new WithSettings(ctx)))
  await test.virtual.create(configMaps, { metadata: settings, data: { text: 'first' } })
  await test.virtual.create(configMaps, { ...original, data: {} })
  for (let change = 0; change < 12; change++) {
    await test.virtual.patch(configMaps, settings, merge({ data: { text: `${change}` } }))
    await turns(100)
    t.equal((await test.host.get(configMaps, hostKey)).data?.text, `${change}`)
  }
  t.same(await contests(test), [])
})

void t.test('so it is where a policy adds the same to the changed field each time', async (t) => {
  const test = await started(t, (plugin, ctx) => plugin.register(new WithSettings(ctx)))
  await test.virtual.create(configMaps, { metadata: settings, data: { text: 'first' } })
  await test.virtual.create(configMaps, { ...original, data: {} })
  await turns(100)
  await mutates(test.host, {
    resource: 'configmaps',
    expression: 'Object{data: {"text": object.data.text + "!"}}',
  })
  for (let change = 0; change < 12; change++) {
    await test.virtual.patch(configMaps, settings, merge({ data: { text: `${change}` } }))
    await turns(100)
    t.equal((await test.host.get(configMaps, hostKey)).data?.text, `${change}!`)
  }
  t.same(await contests(test), [])
})

void t.test(
  'runs without a change, where a policy has the same result each time, cause no Event',
  async (t) => {
    const test = await started(t, (plugin, ctx) => plugin.register(new WithSettings(ctx)))
    await mutates(test.host, stable)
    await test.virtual.create(configMaps, { metadata: settings, data: { text: 'first' } })
    await test.virtual.create(configMaps, original)
    for (let change = 0; change < 12; change++) {
      await test.virtual.patch(
        configMaps,
        settings,
        merge({ metadata: { annotations: { at: `${change}` } } }),
      )
      await turns(100)
    }
    t.same((await test.host.get(configMaps, hostKey)).data, { n: '7', text: 'first' })
    t.same(await contests(test), [])
  },
)

void t.test('nor do changes of other fields of the copy by other programs', async (t) => {
  const test = await started(t, (plugin, ctx) => plugin.register(new WithSettings(ctx)))
  await mutates(test.host, stable)
  await test.virtual.create(configMaps, original)
  for (let change = 0; change < 12; change++) {
    await turns(100)
    await test.host.patch(configMaps, hostKey, merge({ metadata: { annotations: { at: `${change}` } } }))
  }
  await turns(100)
  t.same(await contests(test), [])
})

const labels = { app: 'a' }
const references = { ...podReferences('spec.template.spec'), 'spec.selector': 'plain' } as const
const deployment = {
  metadata: key,
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
}

/** A plugin that copies the status of a Deployment up, where a policy changes it. */
async function withStatusPolicy(t: Test, replicas: string) {
  const options = { statusUp: true, references }
  const test = await started(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, deployments, options)))
  await test.virtual.create(deployments, deployment)
  await turns(100)
  await mutates(test.virtual, {
    group: 'apps',
    resource: 'deployments/status',
    expression: `Object{status: Object.status{replicas: ${replicas}}}`,
  })
  const give = (observedGeneration: number) =>
    test.host.patch(deployments, hostKey, {
      ...merge({ status: { replicas: 1, observedGeneration } }),
      subresource: 'status',
    })
  const shown = async () => (await test.virtual.get(deployments, key)).status
  return { test, give, shown }
}

void t.test('a status that a policy changes each time is copied up rarely', async (t) => {
  const old = 'oldObject.?status.?replicas.orValue(1)'
  const { test, give, shown } = await withStatusPolicy(t, `${old} + 1`)
  await give(1)
  await areDamped(t, test.clock, async () => (await shown())?.replicas ?? 0)
  t.match(await contests(test), [/sets status\.replicas of default\/a in the virtual cluster/])
  await give(2)
  await turns(100)
  t.equal((await shown())?.observedGeneration, 2, 'a new status is copied up at once')
})

void t.test('a status that a policy changes to the same value is not contested', async (t) => {
  const { test, give, shown } = await withStatusPolicy(t, '7')
  for (let change = 1; change < 10; change++) {
    await give(change)
    await turns(100)
    t.match(await shown(), { replicas: 7, observedGeneration: change })
  }
  t.same(await contests(test), [])
})

void t.test(
  'fields of both sides that a policy of the host changes with each update are damped',
  async (t) => {
    const test = await started(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, configMaps)))
    await test.virtual.create(configMaps, { ...original, data: { n: '0' } })
    await turns(100)
    await mutates(test.host, { resource: 'configmaps', expression: counting })
    await test.virtual.patch(configMaps, key, merge({ data: { text: 'ho' } }))
    const count = async () => Number((await test.host.get(configMaps, hostKey)).data?.n)
    await pass(test.clock, 60)
    const first = await count()
    t.ok(first >= 5 && first <= 36, `${first} writes in the first minute`)
    await pass(test.clock, 240)
    const later = (await count()) - first
    t.ok(later <= 18, `${later} in the next four`)
    t.match(await contests(test), [/sets data of the copy vcluster-vc\/a-x-default-x-vc/])
    await test.virtual.patch(configMaps, key, merge({ data: { text: 'new' } }))
    await turns(100)
    t.equal((await test.host.get(configMaps, hostKey)).data?.text, 'new', 'a change is copied at once')
  },
)

void t.test('so are fields of both sides with another name each time', async (t) => {
  const test = await started(t, (plugin, ctx) =>
    plugin.register(mirrorBoth(ctx, configMaps, { remembers: ['metadata.annotations'] })),
  )
  await test.virtual.create(configMaps, original)
  await turns(100)
  const name = '"n" + string(size(oldObject.metadata.annotations))'
  const expression = `Object{metadata: Object.metadata{annotations: {${name}: "x"}}}`
  await mutates(test.host, { resource: 'configmaps', expression })
  await test.virtual.patch(configMaps, key, merge({ metadata: { annotations: { text: 'ho' } } }))
  const count = async () =>
    Object.keys((await test.host.get(configMaps, hostKey)).metadata.annotations ?? {}).length
  await pass(test.clock, 60)
  const first = await count()
  await pass(test.clock, 240)
  t.ok(first < 130, `${first} writes in the first minute`)
  const later = (await count()) - first
  t.ok(later < 130, `${later} in the next four`)
})

void t.test('a field of both sides that a policy computes from another is not contested', async (t) => {
  const test = await started(t, (plugin, ctx) =>
    plugin.register(mirrorBoth(ctx, configMaps, { remembers: ['data'] })),
  )
  await test.virtual.create(configMaps, { ...original, data: { text: 'first' } })
  await turns(100)
  const expression = 'Object{data: {"size": string(size(object.data.text))}}'
  await mutates(test.host, { resource: 'configmaps', expression })
  for (let change = 1; change < 13; change++) {
    await test.virtual.patch(configMaps, key, merge({ data: { text: 'x'.repeat(change) } }))
    await turns(100)
    t.match((await test.virtual.get(configMaps, key)).data, { size: `${change}` })
  }
  t.same(await contests(test), [])
})
