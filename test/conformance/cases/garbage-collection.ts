import type { OwnerReference } from '../../../sdk/kube/object.js'
import type { CaseGroup } from '../case.js'
import type { Scene } from '../scene.js'

const source = 'k8s.io/kubernetes pkg/controller/garbagecollector/garbagecollector.go @ v1.36.3'
const needs = 'controller-manager'
const HOLD = 'x.example/hold'
const FOREGROUND = { propagationPolicy: 'Foreground' }
const NOBODY = '00000000-0000-4000-8000-000000000000'

interface Made {
  readonly owners?: readonly OwnerReference[]
  readonly finalizers?: readonly string[]
}

/** Creates a ConfigMap, and returns a reference to it. */
async function make(scene: Scene, name: string, { owners, finalizers }: Made = {}): Promise<OwnerReference> {
  const { metadata } = await scene.make('configmaps', {
    metadata: { name, ownerReferences: owners, finalizers },
  })
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid ?? '' }
}

const blocking = (owner: OwnerReference): OwnerReference => ({ ...owner, blockOwnerDeletion: true })

const gone = ({ get, until }: Scene, reference: string) =>
  until(`${reference} is deleted`, async () => (await get(reference)).status === 404)

/** Removes a finalizer that held an object. */
const release = ({ patch }: Scene, reference: string) =>
  patch(reference, 'json', [{ op: 'remove', path: '/metadata/finalizers/0' }])

/** Waits until the collector has deleted an object that was created after everything else. */
async function afterCollection(scene: Scene): Promise<void> {
  await make(scene, 'last', { owners: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: NOBODY }] })
  await gone(scene, 'configmaps/last')
}

/** Waits for the event about an object with an owner in the wrong place. */
async function reported({ get, until }: Scene, namespace: string, name: string): Promise<void> {
  const selector = encodeURIComponent(`reason=OwnerRefInvalidNamespace,involvedObject.name=${name}`)
  await until('an event reports the owner', async () => {
    const { body } = await get(`/api/v1/namespaces/${namespace}/events?fieldSelector=${selector}`)
    return (Object(body).items ?? []).length > 0
  })
}

/** The rules of the garbage collector for owners that cannot be found, and for the propagation of deletes. */
export const garbageCollection: CaseGroup = {
  name: 'garbage-collection',
  cases: [
    {
      name: 'an object whose owner has a kind that is not served stays',
      source,
      needs,
      async run(scene) {
        const unknown = { apiVersion: 'nowhere.example.com/v1', kind: 'Thing', name: 'a', uid: NOBODY }
        const unserved = { apiVersion: 'apps/v1beta1', kind: 'Deployment', name: 'a', uid: NOBODY }
        const missing = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: NOBODY }
        await make(scene, 'a', { owners: [unknown] })
        await make(scene, 'b', { owners: [unserved] })
        await make(scene, 'c', { owners: [missing, unknown] })
        await afterCollection(scene)
        for (const [name, count] of [
          ['a', 1],
          ['b', 1],
          ['c', 2],
        ] as const) {
          const { metadata } = await scene.read(`configmaps/${name}`)
          scene.expect.same(metadata.ownerReferences?.length, count)
        }
      },
    },
    {
      name: 'a cluster-scoped object with a namespaced owner stays',
      source,
      needs,
      async run(scene) {
        const owner = await make(scene, 'owner')
        const name = `${scene.namespace}-role`
        await scene.make('clusterroles', { metadata: { name, ownerReferences: [owner] }, rules: [] })
        await scene.delete('configmaps/owner')
        await gone(scene, 'configmaps/owner')
        await afterCollection(scene)
        scene.expect.answer(await scene.get(`clusterroles/${name}`), 200)
        await scene.delete(`clusterroles/${name}`)
      },
    },
    {
      name: 'an owner in another namespace is a missing owner, and an event reports it',
      source,
      needs,
      async run(scene) {
        const path = '/api/v1/namespaces/default/configmaps'
        const name = scene.namespace
        const { body } = await scene.post(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
        const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid: body.metadata.uid ?? '' }
        // The collector compares with the owner that it has seen.
        await afterCollection(scene)
        await make(scene, 'a', { owners: [owner] })
        await gone(scene, 'configmaps/a')
        await reported(scene, scene.namespace, 'a')
        scene.expect.answer(await scene.get(`${path}/${name}`), 200)
        await scene.delete(`${path}/${name}`)
      },
    },
    {
      name: 'in the foreground, a dependent with another owner stays and loses the reference',
      source,
      needs,
      async run(scene) {
        const [one, two] = [await make(scene, 'one'), await make(scene, 'two')]
        await make(scene, 'a', { owners: [blocking(one), two] })
        await scene.delete('configmaps/one', FOREGROUND)
        await gone(scene, 'configmaps/one')
        const { metadata } = await scene.read('configmaps/a')
        scene.expect.has(metadata, { ownerReferences: [{ uid: two.uid }], deletionTimestamp: undefined })
      },
    },
    {
      name: 'in the foreground, an owner waits only for dependents that block it',
      source,
      needs,
      async run(scene) {
        const owner = await make(scene, 'owner')
        await make(scene, 'a', { owners: [owner], finalizers: [HOLD] })
        await make(scene, 'b', { owners: [blocking(owner)] })
        await scene.delete('configmaps/owner', FOREGROUND)
        await gone(scene, 'configmaps/owner')
        await scene.until('the other dependent is being deleted', async () => {
          const { metadata } = await scene.read('configmaps/a')
          return metadata.deletionTimestamp !== undefined
        })
        await release(scene, 'configmaps/a')
        await gone(scene, 'configmaps/a')
      },
    },
    {
      name: 'in the foreground, a dependent with dependents is deleted in the foreground as well',
      source,
      needs,
      async run(scene) {
        const owner = await make(scene, 'owner')
        const middle = await make(scene, 'middle', { owners: [blocking(owner)] })
        await make(scene, 'leaf', { owners: [blocking(middle)], finalizers: [HOLD] })
        await afterCollection(scene)
        await scene.delete('configmaps/owner', FOREGROUND)
        await scene.until('the leaf is being deleted', async () => {
          const { metadata } = await scene.read('configmaps/leaf')
          return metadata.deletionTimestamp !== undefined
        })
        for (const name of ['owner', 'middle']) {
          const { metadata } = await scene.read(`configmaps/${name}`)
          scene.expect.has(metadata, { finalizers: ['foregroundDeletion'], deletionTimestamp: /^\d{4}-/ })
        }
        await release(scene, 'configmaps/leaf')
        for (const name of ['leaf', 'middle', 'owner']) await gone(scene, `configmaps/${name}`)
      },
    },
    {
      name: 'a dependent that has the orphan finalizer orphans its own dependents',
      source,
      needs,
      async run(scene) {
        const owner = await make(scene, 'owner')
        const middle = await make(scene, 'middle', { owners: [owner], finalizers: ['orphan'] })
        await make(scene, 'leaf', { owners: [middle] })
        await afterCollection(scene)
        await scene.delete('configmaps/owner')
        await gone(scene, 'configmaps/middle')
        const { metadata } = await scene.read('configmaps/leaf')
        scene.expect.has(metadata, { ownerReferences: undefined, deletionTimestamp: undefined })
      },
    },
    {
      name: 'a dependent that is created while its owner waits in the foreground goes before the owner',
      source,
      needs,
      async run(scene) {
        const owner = await make(scene, 'owner')
        await make(scene, 'a', { owners: [blocking(owner)], finalizers: [HOLD] })
        await afterCollection(scene)
        await scene.delete('configmaps/owner', FOREGROUND)
        await scene.until('the first dependent is being deleted', async () => {
          const { metadata } = await scene.read('configmaps/a')
          return metadata.deletionTimestamp !== undefined
        })
        await make(scene, 'b', { owners: [blocking(owner)] })
        await release(scene, 'configmaps/a')
        await gone(scene, 'configmaps/owner')
        scene.expect.answer(await scene.get('configmaps/b'), 404)
      },
    },
    {
      name: 'a collection that is deleted in the foreground takes its dependents first',
      source,
      needs,
      async run(scene) {
        const { metadata } = await scene.make('secrets', {
          metadata: { name: 'owner', labels: { of: 'me' } },
        })
        const owner = { apiVersion: 'v1', kind: 'Secret', name: 'owner', uid: metadata.uid ?? '' }
        await make(scene, 'a', { owners: [blocking(owner)], finalizers: [HOLD] })
        await afterCollection(scene)
        await scene.delete('secrets?labelSelector=of%3Dme&propagationPolicy=Foreground')
        await scene.until('the dependent is being deleted', async () => {
          const dependent = await scene.read('configmaps/a')
          return dependent.metadata.deletionTimestamp !== undefined
        })
        scene.expect.answer(await scene.get('secrets/owner'), 200)
        await release(scene, 'configmaps/a')
        await gone(scene, 'secrets/owner')
      },
    },
    {
      name: 'two objects that own and block each other are deleted in the foreground',
      source,
      needs,
      async run(scene) {
        const one = await make(scene, 'one')
        const two = await make(scene, 'two', { owners: [blocking(one)] })
        await scene.patch('configmaps/one', 'merge', { metadata: { ownerReferences: [blocking(two)] } })
        await afterCollection(scene)
        await scene.delete('configmaps/one', FOREGROUND)
        await gone(scene, 'configmaps/one')
        await gone(scene, 'configmaps/two')
      },
    },
  ],
}
