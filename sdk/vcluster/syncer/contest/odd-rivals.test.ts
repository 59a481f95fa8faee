// Tests that a rival is damped whatever it changes: ownership keys, or fields with a new name each time.
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { type ConfigMap, configMaps } from '../../../engine/kube/builtin.js'
import { namespaceLabel } from '../../naming/ownership-keys.js'
import { mirrorDown } from '../translator/mirror.js'
import {
  becomesRare,
  contests,
  FromHost,
  hostKey,
  key,
  original,
  pass,
  repeated,
  rival,
  turns,
} from './rival.fixture.js'

void t.test('a program that removes an ownership label each time is damped, and named', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), { clock })
  await test.virtual.create(configMaps, original)
  await turns(100)
  const body = { metadata: { labels: { [namespaceLabel]: null } } }
  const isSet = ({ metadata }: ConfigMap) => metadata.labels?.[namespaceLabel] === undefined
  const other = rival({ client: test.host, at: hostKey, body, isSet })
  t.teardown(other.end)
  await becomesRare(t, clock, other)
  t.match(await contests(test), [/sets metadata\.labels\["vcluster\.loft\.sh\/namespace"\] of the copy/])
  await other.end()
  await pass(clock, 600)
  const { metadata } = await test.host.get(configMaps, hostKey)
  t.equal(metadata.labels?.[namespaceLabel], 'default', 'it is right when the other has left')
})

void t.test('a tenant that adds a field with a new name each time is damped', async (t) => {
  const clock = new VirtualClock()
  const test = await running(t, (plugin, ctx) => plugin.register(new FromHost(ctx, 'up', configMaps)), {
    clock,
  })
  const metadata = { namespace: 'vcluster-vc', name: 'shared', labels: { shared: 'true' } }
  await test.host.create(configMaps, { metadata, data: { text: 'hi' } })
  await turns(100)
  let names = 0
  const other = repeated(async () => {
    const { data } = await test.virtual.get(configMaps, key)
    if (Object.keys(data ?? {}).length > 1) return false
    await test.virtual.patch(configMaps, key, { type: 'merge', body: { data: { [`n${names++}`]: 'mine' } } })
    return true
  })
  t.teardown(other.end)
  await pass(clock, 60)
  t.ok(other.writes() < 130, `${other.writes()} writes in the first minute`)
  const before = other.writes()
  await pass(clock, 240)
  t.ok(other.writes() - before < 250, `${other.writes() - before} writes in the next four`)
  await other.end()
  await pass(clock, 600)
  t.same((await test.virtual.get(configMaps, key)).data, { text: 'hi' })
})
