// Tests releases in the virtual cluster for objects on the host.
import t from 'tap'
import { configMaps, pods } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { functionChart } from '../chart/function-chart.js'
import { greetings, key } from './greetings.fixture.js'
import { hostNamespace, recordsOf, start } from './targets.fixture.js'

/** A Pod, which vcluster itself brings to the host. */
const workload = functionChart({ name: 'workload', version: '1.0.0' }, (_, { name }) => [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'a', image: 'a' }] },
  } as KubeObject,
])

void t.test('vcluster syncs the Pods of a release in the virtual cluster, and they go with it', async (t) => {
  const options = { cluster: 'host', target: 'virtual', targetNamespace: 'default', chart: workload } as const
  const test = await start(t, options, { syncToHost: ['Pod'] })
  const at = { ...key, namespace: hostNamespace }
  const names = async () => (await test.hostObjects(pods)).map(({ metadata }) => metadata.name)
  await test.host.create(greetings, { metadata: at })
  await test.settled()
  t.ok(await test.virtual.get(pods, key))
  t.strictSame(await names(), ['hello-x-default-x-vc'])
  await test.host.delete(greetings, at)
  await test.settled()
  await t.rejects(test.virtual.get(pods, key), { code: 404 })
  t.strictSame(await names(), [])
})

void t.test('an object on the host gets a release in the virtual cluster', async (t) => {
  const test = await start(t, { cluster: 'host', target: 'virtual', targetNamespace: 'default' })
  const { virtual, host } = test
  await host.create(greetings, { metadata: { ...key, namespace: hostNamespace }, spec: { text: 'one' } })
  await test.settled()
  const made = await virtual.get(configMaps, key)
  t.match(made, { data: { text: 'one' } })
  t.equal(made.metadata.ownerReferences, undefined, 'the garbage collector would take it for an orphan')
  t.equal((await recordsOf(virtual, 'default')).length, 1)
  await host.delete(greetings, { ...key, namespace: hostNamespace })
  await test.settled()
  await t.rejects(virtual.get(configMaps, key), { code: 404 })
})
