import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { mirrorDown } from '../translator/mirror.js'
import { changedFields } from './changed-fields.js'
import { contests, hostKey, key, original, pass, rival, turns } from './rival.fixture.js'

void t.test('an exchange with another program becomes rare, and one Event names the field', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  const body = { data: { text: 'mine' }, metadata: { labels: { theirs: 'yes' } } }
  const isSet = ({ data }: ConfigMap) => data?.text === 'mine'
  const { writes, end } = rival({ client: test.host, at: hostKey, body, isSet })
  t.teardown(end)
  await pass(clock, 60)
  t.ok(writes() >= 5 && writes() <= 12, `${writes()} exchanges in the first minute`)
  const first = writes()
  await pass(clock, 240)
  t.ok(writes() - first <= 6, `${writes() - first} in the next four`)
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
