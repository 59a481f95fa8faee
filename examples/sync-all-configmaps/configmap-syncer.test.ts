import t, { type Test } from 'tap'
import {
  type ConfigMap,
  configMaps,
  events,
  isNotFound,
  type KubeObject,
  namespaces,
} from 'vcluster-plugin-sdk'
import {
  exhaust,
  perturb,
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'
import type { ConfigMapSyncerOptions } from './configmap-syncer.js'
import { register } from './register.js'
import { scenario } from './scenario.fixture.js'

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const greeting: ConfigMap = {
  metadata: { ...key, labels: { app: 'web', release: 'r1' }, annotations: { note: 'hi' } },
  data: { text: 'hello' },
  binaryData: { logo: 'AAEC' },
}

/** Runs the example on both embedded clusters, with `greeting` copied. */
async function mirrored(
  t: Test,
  options: ConfigMapSyncerOptions & TestPluginOptions = {},
): Promise<TestPlugin> {
  const test = await testPlugin((plugin, ctx) => register(plugin, ctx, options), options)
  t.teardown(() => test.stop())
  await test.virtual.create(configMaps, greeting)
  await test.settled()
  return test
}

const copyIn = (test: TestPlugin) => test.host.get(configMaps, hostKey)

async function isGone(test: TestPlugin, at = hostKey): Promise<boolean> {
  try {
    await test.host.get(configMaps, at)
    return false
  } catch (error) {
    return isNotFound(error)
  }
}

const warningsAbout = async (test: TestPlugin, object: KubeObject) => {
  const { items } = await test.virtual.list(events, { namespace: 'default' })
  return items
    .filter(({ involvedObject }) => involvedObject.uid === object.metadata.uid)
    .map(({ reason }) => reason)
}

void t.test('a ConfigMap is copied with its content, labels and annotations', async (t) => {
  const test = await mirrored(t)
  const original = await test.virtual.get(configMaps, key)
  const { metadata, data, binaryData } = await copyIn(test)
  t.same([data, binaryData], [greeting.data, greeting.binaryData])
  t.same(metadata.labels, {
    app: 'web',
    'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1',
    'vcluster.loft.sh/managed-by': 'vc',
    'vcluster.loft.sh/namespace': 'default',
  })
  t.match(metadata.annotations, { note: 'hi', 'vcluster.loft.sh/object-uid': original.metadata.uid })
  t.match(metadata.ownerReferences, [{ kind: 'Service', name: 'vc', controller: false }])
})

void t.test('up to vcluster 0.20 every label key is hashed', async (t) => {
  const test = await mirrored(t, { labelMode: 'hashed' })
  t.equal((await copyIn(test)).metadata.labels?.['vcluster.loft.sh/label-vc-x-a172cedcae'], 'web')
})

void t.test('a copy has no owner without the Service of the vcluster', async (t) => {
  const test = await mirrored(t, { hasService: false })
  t.equal((await copyIn(test)).metadata.ownerReferences, undefined)
})

void t.test('a change of data, binaryData, labels or annotations reaches the copy', async (t) => {
  const test = await mirrored(t)
  await test.virtual.patch(configMaps, key, {
    type: 'merge',
    body: {
      metadata: { labels: { app: null, tier: 'front' }, annotations: { note: null, more: 'yes' } },
      data: { text: null, other: 'text' },
      binaryData: { logo: 'AwQF' },
    },
  })
  await test.settled()
  const { metadata, data, binaryData } = await copyIn(test)
  t.same([data, binaryData], [{ other: 'text' }, { logo: 'AwQF' }])
  t.match(metadata.labels, { tier: 'front', app: undefined })
  t.match(metadata.annotations, { more: 'yes', note: undefined })
})

void t.test('an original that becomes immutable makes its copy immutable', async (t) => {
  const test = await mirrored(t)
  await test.virtual.patch(configMaps, key, { type: 'merge', body: { immutable: true } })
  await test.settled()
  t.equal((await copyIn(test)).immutable, true)
})

void t.test('an immutable original that is recreated gets a new copy', async (t) => {
  const test = await mirrored(t)
  await test.virtual.patch(configMaps, key, { type: 'merge', body: { immutable: true } })
  await test.settled()
  const before = await copyIn(test)
  await test.virtual.delete(configMaps, key)
  await test.virtual.create(configMaps, { ...greeting, data: { text: 'again' } })
  await test.settled()
  const after = await copyIn(test)
  t.not(after.metadata.uid, before.metadata.uid)
  t.same([after.data, after.immutable], [{ text: 'again' }, undefined])
})

void t.test('the copy is deleted with the original', async (t) => {
  const test = await mirrored(t)
  await test.virtual.delete(configMaps, key)
  await test.settled()
  t.ok(await isGone(test))
})

void t.test('the copies are deleted with their namespace', async (t) => {
  const test = await mirrored(t)
  await test.virtual.create(namespaces, { metadata: { name: 'team-a' } })
  await test.virtual.create(configMaps, { metadata: { namespace: 'team-a', name: 'one' } })
  await test.settled()
  const at = { namespace: 'vcluster-vc', name: 'one-x-team-a-x-vc' }
  t.notOk(await isGone(test, at))
  await test.virtual.delete(namespaces, { namespace: '', name: 'team-a' })
  await test.settled()
  t.ok(await isGone(test, at))
})

void t.test('a copy that a user edits is repaired', async (t) => {
  const test = await mirrored(t)
  await test.host.patch(configMaps, hostKey, {
    type: 'merge',
    body: { metadata: { labels: { app: 'edited' } }, data: { text: 'edited', added: 'x' } },
  })
  await test.settled()
  const { metadata, data } = await copyIn(test)
  t.same([data, metadata.labels?.app], [greeting.data, 'web'])
})

void t.test('a copy that a user deletes is restored', async (t) => {
  const test = await mirrored(t)
  await test.host.delete(configMaps, hostKey)
  await test.settled()
  t.same((await copyIn(test)).data, greeting.data)
})

void t.test('an annotation that exists only on the host is kept', async (t) => {
  const test = await mirrored(t)
  await test.host.patch(configMaps, hostKey, {
    type: 'merge',
    body: { metadata: { annotations: { seen: 'true' } } },
  })
  await test.virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: 'changed' } } })
  await test.settled()
  t.match((await copyIn(test)).metadata.annotations, { seen: 'true', note: 'hi' })
})

void t.test(
  'a foreign object with the name of a copy is kept, and replaced once it is deleted',
  async (t) => {
    const test = await testPlugin(register)
    t.teardown(() => test.stop())
    await test.host.create(configMaps, { metadata: hostKey, data: { mine: 'yes' } })
    const original = await test.virtual.create(configMaps, greeting)
    await test.settled()
    t.same((await copyIn(test)).data, { mine: 'yes' })
    t.same(await warningsAbout(test, original), ['NameConflict'])

    await test.virtual.delete(configMaps, key)
    await test.settled()
    t.same((await copyIn(test)).data, { mine: 'yes' }, 'it is not deleted with the original')

    await test.virtual.create(configMaps, greeting)
    await test.host.delete(configMaps, hostKey)
    await test.settled()
    t.same((await copyIn(test)).data, greeting.data)
  },
)

void t.test(
  'a host object that has only the labels and annotations of a copy is a foreign object, too',
  async (t) => {
    const test = await mirrored(t)
    const copy = await copyIn(test)
    const forged = {
      metadata: { ...copy.metadata, name: 'forged', uid: undefined, resourceVersion: undefined },
      data: {},
    }
    await test.host.create(configMaps, JSON.parse(JSON.stringify(forged)))
    await test.settled()
    t.notOk(await isGone(test, { ...hostKey, name: 'forged' }))
  },
)

void t.test('changes during a downtime of the plugin are found at its start', async (t) => {
  const first = await mirrored(t)
  const kept = { namespace: 'default', name: 'kept' }
  await first.virtual.create(configMaps, { metadata: kept, data: { text: 'old' } })
  await first.settled()
  await first.stop()
  await first.virtual.delete(configMaps, key)
  await first.virtual.patch(configMaps, kept, { type: 'merge', body: { data: { text: 'new' } } })

  const { virtualServer, hostServer } = first
  const second = await testPlugin(register, { virtualServer, hostServer })
  t.teardown(() => second.stop())
  t.ok(await isGone(second))
  t.same((await second.host.get(configMaps, { ...hostKey, name: 'kept-x-default-x-vc' })).data, {
    text: 'new',
  })
})

void t.test('kube-root-ca.crt is copied, or left out by an option', async (t) => {
  const at = { ...hostKey, name: 'kube-root-ca.crt-x-default-x-vc' }
  t.notOk(await isGone(await mirrored(t), at))
  t.ok(await isGone(await mirrored(t, { excludeRootCa: true }), at))
})

void t.test('the copies are correct after crashes, lag and refused requests', async (t) => {
  const crashes = await exhaust(scenario, { faults: ['crashes'] })
  t.same(crashes.missed, [])
  t.ok(crashes.runs > 40, `${crashes.runs} runs`)
  await t.resolves(exhaust(scenario, { faults: ['late-events'] }))
  await t.resolves(exhaust(scenario, { faults: ['lost-events'] }))
  await t.resolves(exhaust(scenario, { faults: ['refusals'] }))
  await t.resolves(perturb(scenario, { runs: 100 }))
})
