import t, { type Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type ConfigMap, configMaps, events } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { mirrorDown } from '../translator/mirror.js'
import { changedFields } from './changed-fields.js'
import {
  becomesRare,
  contests,
  deleter,
  FromHost,
  hostKey,
  key,
  original,
  pass,
  type Rival,
  rival,
  turns,
} from './rival.fixture.js'

void t.test('an exchange with another program becomes rare, and one Event names the field', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  const body = { data: { text: 'mine' }, metadata: { labels: { theirs: 'yes' } } }
  const isSet = ({ data }: ConfigMap) => data?.text === 'mine'
  const other = rival({ client: test.host, at: hostKey, body, isSet })
  const { writes, end } = other
  t.teardown(end)
  await becomesRare(t, clock, other)
  const [message = '', ...others] = await contests(test)
  t.same(others, [])
  t.match(message, 'data.text, metadata.labels["theirs"] of the copy vcluster-vc/a-x-default-x-vc')
  t.notMatch(message, 'mine', 'no value is in it')
  await end()
  const before = writes()
  await pass(clock, 600)
  t.equal((await test.host.get(configMaps, hostKey)).data?.text, 'hi', 'it is right when the other has left')
  t.equal(writes(), before)
})

/** Checks that another program can delete a copy only rarely, and ends it. */
async function isCreatedMoreRarely(t: Test, clock: VirtualClock, other: Rival): Promise<void> {
  t.teardown(other.end)
  await becomesRare(t, clock, other)
  await other.end()
  await pass(clock, 600)
}

void t.test('a copy that another program deletes each time is created more and more rarely', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  await isCreatedMoreRarely(t, clock, deleter(test.host, hostKey))
  const [message = '', ...others] = await contests(test)
  t.same(others, [])
  t.match(
    message,
    'another program deletes the copy vcluster-vc/a-x-default-x-vc each time. If it is vcluster',
  )
  t.equal((await test.host.get(configMaps, hostKey)).data?.text, 'hi', 'it exists when the other has left')
})

void t.test('so is a copy in the virtual cluster that a tenant deletes, or changes', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(new FromHost(ctx, 'up', configMaps)), {
    clock,
  })
  const metadata = { namespace: 'vcluster-vc', name: 'shared', labels: { shared: 'true' } }
  await test.host.create(configMaps, { metadata, data: { text: 'hi' } })
  await turns(100)
  await isCreatedMoreRarely(t, clock, deleter(test.virtual, key))
  t.equal((await test.virtual.get(configMaps, key)).data?.text, 'hi')
  const isSet = ({ data }: ConfigMap) => data?.text === 'mine'
  const body = { data: { text: 'mine' } }
  await isCreatedMoreRarely(t, clock, rival({ client: test.virtual, at: key, body, isSet }))
  t.equal((await test.virtual.get(configMaps, key)).data?.text, 'hi')
  t.match(await contests(test), [/deletes the copy default\/a/, /sets data\.text of the copy default\/a/])
  const { items } = await test.virtual.list(events, { namespace: 'default' })
  const named = items.map(({ involvedObject }) => involvedObject)
  t.match(named, [
    { name: 'a', uid: /^\S+$/ },
    { name: 'a', uid: /^\S+$/ },
  ])
})

void t.test('a second field of a copy that is set back gets an Event of its own', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  for (const field of ['first', 'second']) {
    const isSet = ({ data }: ConfigMap) => data?.[field] === 'theirs'
    const body = { data: { [field]: 'theirs' } }
    const other = rival({ client: test.host, at: hostKey, body, isSet })
    await pass(clock, 5)
    await other.end()
    await pass(clock, 12)
    t.match((await contests(test)).at(-1), `another program sets data.${field} of the copy`)
  }
  t.equal((await contests(test)).length, 2)
})

void t.test('changes of the original are written at once, however often', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  for (let i = 0; i < 20; i++) {
    await test.virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: `${i}` } } })
    await turns(40)
    t.equal((await test.host.get(configMaps, hostKey)).data?.text, `${i}`)
  }
})

void t.test('excluded labels belong to the host', async (t) => {
  const test = await running(t, (plugin, ctx) =>
    plugin.register(
      mirrorDown(ctx, configMaps, { excludedLabels: ['theirs', 'vcluster.loft.sh/managed-by'] }),
    ),
  )
  await test.virtual.create(configMaps, {
    ...original,
    metadata: { ...key, labels: { theirs: 'tenant', app: 'web' } },
  })
  await test.settled()
  const labels = async () => (await test.host.get(configMaps, hostKey)).metadata.labels
  t.same(await labels(), {
    app: 'web',
    'vcluster.loft.sh/managed-by': 'vc',
    'vcluster.loft.sh/namespace': 'default',
  })
  await test.host.patch(configMaps, hostKey, {
    type: 'merge',
    body: { metadata: { labels: { theirs: 'host', other: 'x' } } },
  })
  await test.virtual.patch(configMaps, key, { type: 'merge', body: { metadata: { labels: { app: 'db' } } } })
  await test.settled()
  t.match(await labels(), { app: 'db', theirs: 'host', 'vcluster.loft.sh/managed-by': 'vc' })
  t.notOk(Object.hasOwn((await labels()) ?? {}, 'other'))
})

void t.test('changed fields are named without values', async (t) => {
  const before = {
    metadata: { labels: { a: '1', 'vcluster.loft.sh/managed-by': 'x' }, annotations: { b: '1' } },
    spec: { replicas: 1, list: [1], deep: { x: { y: 1 }, same: 2 } },
    status: { a: 1 },
  } as KubeObject
  const after = {
    metadata: { labels: {}, annotations: { b: '1' } },
    spec: { replicas: 2, list: [2], deep: { x: { y: 2 }, same: 2 } },
    data: { 'tls.key': 'a' },
  } as KubeObject
  t.same(changedFields(before, after), [
    'spec.replicas',
    'spec.list',
    'spec.deep.x.y',
    'data',
    'metadata.labels["a"]',
  ])
})
