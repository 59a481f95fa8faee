import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { type ApiServer, createApiServer } from '../api-server.js'
import { Collection } from '../store/collection.js'
import { Entry } from '../store/entry.js'
import { unblockedOwners } from './owners.js'

interface Body {
  readonly metadata: { readonly uid: string }
  readonly items?: readonly { readonly reason: string }[]
}

async function call(server: ApiServer, path: string, body?: object): Promise<Body> {
  const text = body && { body: JSON.stringify(body) }
  const answer = await server.handle({ method: body ? 'POST' : 'GET', path, ...text })
  t.ok(answer.status < 300, path)
  return JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8'))
}

/** Counts the objects that are read by scans of a collection from now on. */
function countScanned(t: { teardown(done: () => void): void }): () => number {
  let scanned = 0
  const { scan } = Collection.prototype
  Collection.prototype.scan = function* (this: Collection, ...args) {
    for (const entry of scan.apply(this, args)) {
      scanned++
      yield entry
    }
  }
  t.teardown(() => {
    Collection.prototype.scan = scan
  })
  return () => scanned
}

void t.test('an owner in another namespace is found and reported without reading the others', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  await call(server, '/api/v1/namespaces', { metadata: { name: 'other' } })
  const create = (namespace: string, metadata: object) =>
    call(server, `/api/v1/namespaces/${namespace}/configmaps`, { metadata })
  for (let n = 0; n < 50; n++) await create('other', { name: `owner-${n}` })
  const { uid } = (await create('other', { name: 'owner' })).metadata
  const scanned = countScanned(t)
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }
  const dependent = await create('default', { name: 'dependent', ownerReferences: [owner] })
  const unknown = { ...owner, uid: dependent.metadata.uid.replaceAll(/\w/g, '0') }
  await create('default', { name: 'lonely', ownerReferences: [unknown] })
  await setImmediate()
  t.equal(scanned(), 0)
  const { items = [] } = await call(server, '/api/v1/namespaces/default/events')
  t.strictSame(
    items.map(({ reason }) => reason),
    ['OwnerRefInvalidNamespace'],
  )
})

void t.test('the owners that a change unblocks are found by reading each reference a few times', (t) => {
  let reads = 0
  const owner = (n: number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: `owner-${n}`,
    blockOwnerDeletion: true,
    get uid() {
      reads++
      return `uid-${n}`
    },
  })
  const entryOf = (ownerReferences: ReturnType<typeof owner>[]) =>
    new Entry('default/a', { metadata: { name: 'a', ownerReferences } }, 1)
  const owners = Array.from({ length: 100 }, (_, n) => owner(n))
  const unblocked = unblockedOwners(entryOf(owners.slice(1)), entryOf(owners))
  t.strictSame(
    unblocked.map(({ name }) => name),
    ['owner-0'],
  )
  t.ok(reads < 500, `${reads} reads`)
  t.end()
})
