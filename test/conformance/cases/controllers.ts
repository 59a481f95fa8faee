import type { CaseGroup } from '../case.js'
import type { Scene } from '../scene.js'

const collection = 'Kubernetes documentation, Garbage collection'

/** An owner, and how to refer to it. */
async function makeOwner({ make }: Scene, name: string, fields: object = {}) {
  const { metadata } = await make('configmaps', { metadata: { name, ...fields } })
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid }
}

const gone = ({ get, until }: Scene, reference: string) =>
  until(`${reference} is deleted`, async () => (await get(reference)).status === 404)

/** Garbage collection. */
export const controllers: CaseGroup = {
  name: 'controllers',
  cases: [
    {
      name: 'a dependent is deleted with its owner',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const owner = await makeOwner(scene, 'owner')
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        await scene.delete('configmaps/owner')
        await gone(scene, 'secrets/a')
      },
    },
    {
      name: 'dependents of a deleted dependent are deleted as well',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const owner = await makeOwner(scene, 'owner')
        const middle = await makeOwner(scene, 'middle', { ownerReferences: [owner] })
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences: [middle] } })
        await scene.delete('configmaps/owner')
        await gone(scene, 'secrets/a')
        await gone(scene, 'configmaps/middle')
      },
    },
    {
      name: 'a dependent with an owner that never existed is deleted at once',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const owner = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'never',
          uid: '00000000-0000-4000-8000-000000000000',
        }
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        await gone(scene, 'secrets/a')
      },
    },
    {
      name: 'a dependent whose owner has the same name and another uid is deleted',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const owner = await makeOwner(scene, 'owner')
        const uid = '00000000-0000-4000-8000-000000000000'
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences: [{ ...owner, uid }] } })
        await gone(scene, 'secrets/a')
      },
    },
    {
      name: 'a dependent is kept while one of its owners exists',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const ownerReferences = [await makeOwner(scene, 'one'), await makeOwner(scene, 'two')]
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences } })
        await scene.delete('configmaps/one')
        // The reference to the deleted owner is removed.
        await scene.until('one reference is left', async () => {
          const { metadata } = await scene.read('secrets/a')
          return metadata.ownerReferences?.length === 1
        })
        await scene.delete('configmaps/two')
        await gone(scene, 'secrets/a')
      },
    },
    {
      name: 'an orphan is kept without its owner reference',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const owner = await makeOwner(scene, 'owner')
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        // The collector must know the dependent before the owner is orphaned.
        await scene.make('secrets', {
          metadata: { name: 'b', ownerReferences: [{ ...owner, name: 'none', uid: 'none' }] },
        })
        await gone(scene, 'secrets/b')
        await scene.delete('configmaps/owner', { propagationPolicy: 'Orphan' })
        await gone(scene, 'configmaps/owner')
        scene.expect.has(await scene.read('secrets/a'), { metadata: { ownerReferences: undefined } })
      },
    },
    {
      name: 'with foreground deletion the owner waits for its dependents',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const owner = { ...(await makeOwner(scene, 'owner')), blockOwnerDeletion: true }
        await scene.make('secrets', {
          metadata: { name: 'a', ownerReferences: [owner], finalizers: ['x.example/hold'] },
        })
        await scene.make('secrets', {
          metadata: { name: 'b', ownerReferences: [{ ...owner, name: 'none', uid: 'none' }] },
        })
        await gone(scene, 'secrets/b')
        await scene.delete('configmaps/owner', { propagationPolicy: 'Foreground' })
        await scene.until('the dependent is being deleted', async () => {
          const { metadata } = await scene.read('secrets/a')
          return metadata.deletionTimestamp !== undefined
        })
        scene.expect.has(await scene.read('configmaps/owner'), {
          metadata: { finalizers: ['foregroundDeletion'] },
        })
        await scene.patch('secrets/a', 'merge', { metadata: { finalizers: null } })
        await gone(scene, 'configmaps/owner')
      },
    },
    {
      name: 'a deleted claim is removed if no pod on a node uses it',
      source: 'Kubernetes documentation, Storage Object in Use Protection',
      needs: 'controller-manager',
      async run(scene) {
        const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
        await scene.make('persistentvolumeclaims', { metadata: { name: 'a' }, spec })
        scene.expect.answer(await scene.delete('persistentvolumeclaims/a'), 200, {
          metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
        })
        await gone(scene, 'persistentvolumeclaims/a')
      },
    },
    {
      name: 'a deleted claim is kept while a pod on a node uses it',
      source: 'Kubernetes documentation, Storage Object in Use Protection',
      needs: 'controller-manager',
      async run(scene) {
        const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
        await scene.make('persistentvolumeclaims', { metadata: { name: 'a' }, spec })
        const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'a' } }]
        const pod = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }], volumes }
        await scene.make('pods', { metadata: { name: 'a', finalizers: ['example.com/hold'] }, spec: pod })
        await scene.delete('persistentvolumeclaims/a')
        await scene.delete('pods/a?gracePeriodSeconds=0')
        scene.expect.answer(await scene.get('persistentvolumeclaims/a'), 200)
        await scene.patch('pods/a', 'merge', { metadata: { finalizers: null } })
        await gone(scene, 'persistentvolumeclaims/a')
      },
    },
    {
      name: 'a dependent of a cluster-scoped owner is deleted as well',
      source: collection,
      needs: 'controller-manager',
      async run(scene) {
        const name = `owner-${scene.namespace}`
        const { metadata } = await scene.make('clusterroles', { metadata: { name }, rules: [] })
        const owner = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          name,
          uid: metadata.uid,
        }
        await scene.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        await scene.delete(`clusterroles/${name}`)
        await gone(scene, 'secrets/a')
      },
    },
  ],
}
