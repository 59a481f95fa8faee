import type { OwnerReference } from '../../../sdk/engine/kube/object.js'
import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const source = 'k8s.io/kubernetes pkg/controller/garbagecollector/garbagecollector.go @ v1.36.3'
const needs = 'controller-manager'
const hold = 'x.example/hold'
const foreground = { propagationPolicy: 'Foreground' }
const unknownUid = '00000000-0000-4000-8000-000000000000'

interface Made {
  readonly owners?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

/** Creates a ConfigMap, and returns a reference to it. */
async function make(
  client: CaseClient,
  name: string,
  { owners, finalizers }: Made = {},
): Promise<OwnerReference> {
  const { metadata } = await client.make('configmaps', {
    metadata: { name, ownerReferences: owners, finalizers },
  })
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid ?? '' }
}

const blocking = (owner: OwnerReference): OwnerReference => ({ ...owner, blockOwnerDeletion: true })

const gone = ({ get, until }: CaseClient, reference: string) =>
  until(`${reference} is deleted`, async () => (await get(reference)).status === 404)

/** Removes a finalizer that held an object. */
const release = ({ patch }: CaseClient, reference: string) =>
  patch(reference, 'json', [{ op: 'remove', path: '/metadata/finalizers/0' }])

/** Waits until the collector has deleted an object that was created after everything else. */
async function afterCollection(client: CaseClient): Promise<void> {
  await make(client, 'last', {
    owners: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: unknownUid }],
  })
  await gone(client, 'configmaps/last')
}

/** Waits for the event about an object with an owner in the wrong place. */
async function reported({ get, until }: CaseClient, namespace: string, name: string): Promise<void> {
  const selector = encodeURIComponent(`reason=OwnerRefInvalidNamespace,involvedObject.name=${name}`)
  await until('an event reports the owner', async () => {
    const { body } = await get(`/api/v1/namespaces/${namespace}/events?fieldSelector=${selector}`)
    return (Object(body).items ?? []).length > 0
  })
}

/** A dependent that stays changes its references while its owner waits for it, and the owner ends. */
function letsGo(
  name: string,
  referencesTo: (owner: OwnerReference) => readonly OwnerReference[] | null,
): Case {
  return {
    name: `in the foreground, a dependent ${name}`,
    source: 'k8s.io/kubernetes pkg/controller/garbagecollector/graph_builder.go @ v1.36.3',
    needs,
    async run(client) {
      const owner = await make(client, 'owner')
      await make(client, 'a', { owners: [blocking(owner)], finalizers: [hold] })
      await afterCollection(client)
      await client.delete('configmaps/owner', foreground)
      await client.until('the dependent is being deleted', async () => {
        const { metadata } = await client.read('configmaps/a')
        return metadata.deletionTimestamp !== undefined
      })
      client.expect.answer(await client.get('configmaps/owner'), 200)
      await client.patch('configmaps/a', 'merge', { metadata: { ownerReferences: referencesTo(owner) } })
      await gone(client, 'configmaps/owner')
      client.expect.answer(await client.get('configmaps/a'), 200)
      await release(client, 'configmaps/a')
    },
  }
}

/** The rules of the garbage collector for owners that cannot be found, and for the propagation of deletes. */
export const garbageCollection: CaseGroup = {
  name: 'garbage-collection',
  cases: [
    {
      name: 'an object whose owner has a kind that is not served stays',
      source,
      needs,
      async run(client) {
        const unknown = { apiVersion: 'nowhere.example.com/v1', kind: 'Thing', name: 'a', uid: unknownUid }
        const unserved = { apiVersion: 'apps/v1beta1', kind: 'Deployment', name: 'a', uid: unknownUid }
        const missing = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: unknownUid }
        await make(client, 'a', { owners: [unknown] })
        await make(client, 'b', { owners: [unserved] })
        await make(client, 'c', { owners: [missing, unknown] })
        await afterCollection(client)
        for (const [name, count] of [
          ['a', 1],
          ['b', 1],
          ['c', 2],
        ] as const) {
          const { metadata } = await client.read(`configmaps/${name}`)
          client.expect.same(metadata.ownerReferences?.length, count)
        }
      },
    },
    {
      name: 'a cluster-scoped object with a namespaced owner stays',
      source,
      needs,
      async run(client) {
        const owner = await make(client, 'owner')
        const name = `${client.namespace}-role`
        await client.make('clusterroles', { metadata: { name, ownerReferences: [owner] }, rules: [] })
        await client.delete('configmaps/owner')
        await gone(client, 'configmaps/owner')
        await afterCollection(client)
        client.expect.answer(await client.get(`clusterroles/${name}`), 200)
        await client.delete(`clusterroles/${name}`)
      },
    },
    {
      name: 'an owner in another namespace is a missing owner, and an event reports it',
      source,
      needs,
      async run(client) {
        const path = '/api/v1/namespaces/default/configmaps'
        const name = client.namespace
        const { body } = await client.post(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
        const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata.uid ?? '' }
        // The collector compares with the owner that it has seen.
        await afterCollection(client)
        await make(client, 'a', { owners: [owner] })
        await gone(client, 'configmaps/a')
        await reported(client, client.namespace, 'a')
        client.expect.answer(await client.get(`${path}/${name}`), 200)
        await client.delete(`${path}/${name}`)
      },
    },
    {
      name: 'in the foreground, a dependent with another owner stays and loses the reference',
      source,
      needs,
      async run(client) {
        const [one, two] = [await make(client, 'one'), await make(client, 'two')]
        await make(client, 'a', { owners: [blocking(one), two] })
        await client.delete('configmaps/one', foreground)
        await gone(client, 'configmaps/one')
        const { metadata } = await client.read('configmaps/a')
        client.expect.has(metadata, { ownerReferences: [{ uid: two.uid }], deletionTimestamp: undefined })
      },
    },
    {
      name: 'in the foreground, an owner waits only for dependents that block it',
      source,
      needs,
      async run(client) {
        const owner = await make(client, 'owner')
        await make(client, 'a', { owners: [owner], finalizers: [hold] })
        await make(client, 'b', { owners: [blocking(owner)] })
        await client.delete('configmaps/owner', foreground)
        await gone(client, 'configmaps/owner')
        await client.until('the other dependent is being deleted', async () => {
          const { metadata } = await client.read('configmaps/a')
          return metadata.deletionTimestamp !== undefined
        })
        await release(client, 'configmaps/a')
        await gone(client, 'configmaps/a')
      },
    },
    {
      name: 'in the foreground, a dependent with dependents is deleted in the foreground as well',
      source,
      needs,
      async run(client) {
        const owner = await make(client, 'owner')
        const middle = await make(client, 'middle', { owners: [blocking(owner)] })
        await make(client, 'leaf', { owners: [blocking(middle)], finalizers: [hold] })
        await afterCollection(client)
        await client.delete('configmaps/owner', foreground)
        await client.until('the leaf is being deleted', async () => {
          const { metadata } = await client.read('configmaps/leaf')
          return metadata.deletionTimestamp !== undefined
        })
        for (const name of ['owner', 'middle']) {
          const { metadata } = await client.read(`configmaps/${name}`)
          client.expect.has(metadata, { finalizers: ['foregroundDeletion'], deletionTimestamp: /^\d{4}-/ })
        }
        await release(client, 'configmaps/leaf')
        for (const name of ['leaf', 'middle', 'owner']) await gone(client, `configmaps/${name}`)
      },
    },
    {
      name: 'a dependent that has the orphan finalizer orphans its own dependents',
      source,
      needs,
      async run(client) {
        const owner = await make(client, 'owner')
        const middle = await make(client, 'middle', { owners: [owner], finalizers: ['orphan'] })
        await make(client, 'leaf', { owners: [middle] })
        await afterCollection(client)
        await client.delete('configmaps/owner')
        await gone(client, 'configmaps/middle')
        const { metadata } = await client.read('configmaps/leaf')
        client.expect.has(metadata, { ownerReferences: undefined, deletionTimestamp: undefined })
      },
    },
    {
      name: 'a dependent that is created while its owner waits in the foreground goes before the owner',
      source,
      needs,
      async run(client) {
        const owner = await make(client, 'owner')
        await make(client, 'a', { owners: [blocking(owner)], finalizers: [hold] })
        await afterCollection(client)
        await client.delete('configmaps/owner', foreground)
        await client.until('the first dependent is being deleted', async () => {
          const { metadata } = await client.read('configmaps/a')
          return metadata.deletionTimestamp !== undefined
        })
        await make(client, 'b', { owners: [blocking(owner)] })
        await release(client, 'configmaps/a')
        await gone(client, 'configmaps/owner')
        client.expect.answer(await client.get('configmaps/b'), 404)
      },
    },
    letsGo('that drops its reference no longer holds its owner', () => null),
    letsGo('that no longer blocks its owner no longer holds it', (owner) => [
      { ...owner, blockOwnerDeletion: false },
    ]),
    {
      name: 'a collection that is deleted in the foreground takes its dependents first',
      source,
      needs,
      async run(client) {
        const { metadata } = await client.make('secrets', {
          metadata: { name: 'owner', labels: { of: 'me' } },
        })
        const owner = { apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: metadata.uid ?? '' }
        await make(client, 'a', { owners: [blocking(owner)], finalizers: [hold] })
        await afterCollection(client)
        await client.delete('secrets?labelSelector=of%3Dme&propagationPolicy=Foreground')
        await client.until('the dependent is being deleted', async () => {
          const dependent = await client.read('configmaps/a')
          return dependent.metadata.deletionTimestamp !== undefined
        })
        client.expect.answer(await client.get('secrets/owner'), 200)
        await release(client, 'configmaps/a')
        await gone(client, 'secrets/owner')
      },
    },
    {
      name: 'two objects that own and block each other are deleted in the foreground',
      source,
      needs,
      async run(client) {
        const one = await make(client, 'one')
        const two = await make(client, 'two', { owners: [blocking(one)] })
        await client.patch('configmaps/one', 'merge', { metadata: { ownerReferences: [blocking(two)] } })
        await afterCollection(client)
        await client.delete('configmaps/one', foreground)
        await gone(client, 'configmaps/one')
        await gone(client, 'configmaps/two')
      },
    },
  ],
}
