import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createApiServer } from '../api-server.js'
import { Collection } from '../store/collection.js'

const core = '/api/v1/namespaces/default'

void t.test('the claim of an ephemeral volume is held by its pod until the pod is shut down', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const send = async (method: string, path: string, body?: object) => {
    const answer = await server.handle({ method, path, ...(body && { body: JSON.stringify(body) }) })
    await setImmediate()
    const text = Buffer.from(answer.body as Uint8Array).toString('utf8')
    return { status: answer.status, body: JSON.parse(text) as { metadata: { uid: string } } }
  }
  const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const { body: pod } = await send('POST', `${core}/pods`, {
    metadata: { name: 'p', finalizers: ['x.example/hold'] },
    spec: {
      nodeName: 'n',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }],
    },
  })
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: pod.metadata.uid }
  const claims = `${core}/persistentvolumeclaims`
  const metadata = { name: 'p-v', ownerReferences: [{ ...owner, controller: true }] }
  await send('POST', claims, { metadata, spec: claimSpec })
  await send('POST', claims, { metadata: { ...metadata, name: 'p-w' }, spec: claimSpec })
  for (const name of ['p-v', 'p-w']) await send('DELETE', `${claims}/${name}`)
  t.equal((await send('GET', `${claims}/p-w`)).status, 404)
  t.equal((await send('GET', `${claims}/p-v`)).status, 200)
  await send('DELETE', `${core}/pods/p?gracePeriodSeconds=0`)
  t.equal((await send('GET', `${core}/pods/p`)).status, 200)
  t.equal((await send('GET', `${claims}/p-v`)).status, 404)
})

void t.test('pods that end in one turn of the event loop cause one search for free claims', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const send = (method: string, path: string, body?: object) =>
    server.handle({ method, path, ...(body && { body: JSON.stringify(body) }) })
  for (const name of ['p', 'q']) {
    const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
    await send('POST', `${core}/pods`, { metadata: { name }, spec })
  }
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await send('POST', `${core}/persistentvolumeclaims`, { metadata: { name: 'held' }, spec: claim })
  await setImmediate()
  let scans = 0
  const { scan } = Collection.prototype
  Collection.prototype.scan = function (this: Collection, ...args) {
    if (this.get('default/held') !== undefined) scans++
    return scan.apply(this, args)
  }
  t.teardown(() => {
    Collection.prototype.scan = scan
  })
  await Promise.all(['p', 'q'].map((name) => send('DELETE', `${core}/pods/${name}?gracePeriodSeconds=0`)))
  await setImmediate()
  t.equal(scans, 1)
})
