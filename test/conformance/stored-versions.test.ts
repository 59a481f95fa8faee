// Not a case: the garbage collector of a real control plane learns of a new kind up to 30 s later.
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
  })
})
