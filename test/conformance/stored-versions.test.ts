// Not a case: the garbage collector of a real control plane learns of a new kind up to 30 s later.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { openCaseClient } from './case-client.js'
import { withConversion } from './conversion-server.js'
import { embeddedCluster } from './embedded-cluster.js'

void t.test('an object in a former storage version keeps its fields when its owner goes', async (t) => {
  const cluster = await embeddedCluster()
  t.teardown(() => cluster.close())
  const { client, end } = openCaseClient(cluster, 'stored-versions')
  t.teardown(end)
  await client.make('/api/v1/namespaces', { metadata: { name: 'stored-versions' } })
  await withConversion(client, 'v1beta1', async (cars) => {
    const { metadata } = await client.make('configmaps', { metadata: { name: 'owner' } })
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }]
    const car = cars.beta('a', '2x3')
    const owned = { ...car, metadata: { ...car.metadata, ownerReferences } }
    await client.make(cars.path('', 'v1beta1'), owned)
    await cars.storeAs('v1')
    await client.delete('configmaps/owner', { propagationPolicy: 'Orphan' })
    await client.until('the reference is gone', async () => {
      const { metadata } = await client.read(cars.path('a'))
      return metadata.ownerReferences === undefined
    })
    t.strictSame((await client.read(cars.path('a'))).spec, { width: 2, height: 3 })
    t.strictSame((await client.read(cars.path('a', 'v1beta1'))).spec, { size: '2x3' })
    // The collector has written it in its former version, so the first update stores it again, and the second does not.
    const versions = []
    for (const _ of [1, 2, 3]) {
      const current = await client.read(cars.path('a'))
      versions.push(current.metadata.resourceVersion)
      client.expect.answer(await client.put(cars.path('a'), current), 200)
    }
    t.not(versions[1], versions[0])
    t.equal(versions[2], versions[1])
  })
})

void t.test('an object from before the webhook keeps its fields when its namespace is deleted', async (t) => {
  const cluster = await embeddedCluster()
  t.teardown(() => cluster.close())
  const { client, end } = openCaseClient(cluster, 'earlier-versions')
  t.teardown(end)
  await client.make('/api/v1/namespaces', { metadata: { name: 'earlier-versions' } })
  await withConversion(client, 'v1beta1', async (cars) => {
    const reference = `customresourcedefinitions/${cars.definition}`
    const { conversion } = Object((await client.read(reference)).spec)
    const none = { spec: { conversion: { strategy: 'None', webhook: null } } }
    client.expect.answer(await client.patch(reference, 'merge', none), 200)
    // The server serves the definition as it is from the next turn on.
    await setImmediate()
    const car = cars.beta('a', '2x3')
    const held = { ...car, metadata: { ...car.metadata, finalizers: ['x.example/hold'] } }
    await client.make(cars.path('', 'v1beta1'), held)
    client.expect.answer(await client.patch(reference, 'merge', { spec: { conversion } }), 200)
    await setImmediate()
    await cars.storeAs('v1')
    client.expect.answer(await client.delete('/api/v1/namespaces/earlier-versions'), 200)
    await client.until('the object is being deleted', async () => {
      const { metadata } = await client.read(cars.path('a'))
      return metadata.deletionTimestamp !== undefined
    })
    t.strictSame((await client.read(cars.path('a'))).spec, { width: 2, height: 3 })
    t.strictSame((await client.read(cars.path('a', 'v1beta1'))).spec, { size: '2x3' })
  })
})

void t.test('an object from before and after a webhook keeps the fields of its last update', async (t) => {
  const cluster = await embeddedCluster()
  t.teardown(() => cluster.close())
  const { client, end } = openCaseClient(cluster, 'later-versions')
  t.teardown(end)
  await client.make('/api/v1/namespaces', { metadata: { name: 'later-versions' } })
  await withConversion(client, 'v1beta1', async (cars) => {
    const reference = `customresourcedefinitions/${cars.definition}`
    const { conversion } = Object((await client.read(reference)).spec)
    const convertBy = async (spec: object) => {
      client.expect.answer(await client.patch(reference, 'merge', { spec: { conversion: spec } }), 200)
      await setImmediate()
    }
    const none = { strategy: 'None', webhook: null }
    await convertBy(none)
    await client.make(cars.path('', 'v1beta1'), cars.beta('a', '2x3'))
    await convertBy(conversion)
    await client.make(cars.path('', 'v1beta1'), cars.beta('b', '2x3'))
    await convertBy(none)
    await cars.storeAs('v1')
    await setImmediate()
    const spec = { width: 4, height: 5, color: 'red' }
    for (const name of ['a', 'b']) {
      client.expect.answer(await client.patch(cars.path(name), 'merge', { spec }), 200)
      t.strictSame((await client.read(cars.path(name))).spec, spec)
    }
    await convertBy(conversion)
    for (const name of ['a', 'b']) t.strictSame((await client.read(cars.path(name))).spec, spec)
  })
})
