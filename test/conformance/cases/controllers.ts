import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const collection = 'Kubernetes documentation, Garbage collection'

/** An owner, and how to refer to it. */
async function makeOwner({ make }: CaseClient, name: string, fields: object = {}) {
  const { metadata } = await make('configmaps', { metadata: { name, ...fields } })
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid }
}

const gone = ({ get, until }: CaseClient, reference: string) =>
  until(`${reference} is deleted`, async () => (await get(reference)).status === 404)

/** Garbage collection. */
export const controllers: CaseGroup = {
  name: 'controllers',
  cases: [
    {
      name: 'a dependent is deleted with its owner',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const owner = await makeOwner(client, 'owner')
        await client.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        await client.delete('configmaps/owner')
        await gone(client, 'secrets/a')
      },
    },
    {
      name: 'dependents of a deleted dependent are deleted as well',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const owner = await makeOwner(client, 'owner')
        const middle = await makeOwner(client, 'middle', { ownerReferences: [owner] })
        await client.make('secrets', { metadata: { name: 'a', ownerReferences: [middle] } })
        await client.delete('configmaps/owner')
        await gone(client, 'secrets/a')
        await gone(client, 'configmaps/middle')
      },
    },
    {
      name: 'a dependent with an owner that never existed is deleted at once',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const owner = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'never',
          uid: '00000000-0000-4000-8000-000000000000',
        }
        await client.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        await gone(client, 'secrets/a')
      },
    },
    {
      name: 'a dependent whose owner has the same name and another uid is deleted',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const owner = await makeOwner(client, 'owner')
        const uid = '00000000-0000-4000-8000-000000000000'
        await client.make('secrets', { metadata: { name: 'a', ownerReferences: [{ ...owner, uid }] } })
        await gone(client, 'secrets/a')
      },
    },
    {
      name: 'a dependent is kept while one of its owners exists',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const ownerReferences = [await makeOwner(client, 'one'), await makeOwner(client, 'two')]
        await client.make('secrets', { metadata: { name: 'a', ownerReferences } })
        await client.delete('configmaps/one')
        // The reference to the deleted owner is removed.
        await client.until('one reference is left', async () => {
          const { metadata } = await client.read('secrets/a')
          return metadata.ownerReferences?.length === 1
        })
        await client.delete('configmaps/two')
        await gone(client, 'secrets/a')
      },
    },
    {
      name: 'an orphan is kept without its owner reference',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const owner = await makeOwner(client, 'owner')
        await client.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        // The collector must know the dependent before the owner is orphaned.
        await client.make('secrets', {
          metadata: { name: 'b', ownerReferences: [{ ...owner, name: 'none', uid: 'none' }] },
        })
        await gone(client, 'secrets/b')
        await client.delete('configmaps/owner', { propagationPolicy: 'Orphan' })
        await gone(client, 'configmaps/owner')
        client.expect.has(await client.read('secrets/a'), { metadata: { ownerReferences: undefined } })
      },
    },
    {
      name: 'with foreground deletion the owner waits for its dependents',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const owner = { ...(await makeOwner(client, 'owner')), blockOwnerDeletion: true }
        await client.make('secrets', {
          metadata: { name: 'a', ownerReferences: [owner], finalizers: ['x.example/hold'] },
        })
        await client.make('secrets', {
          metadata: { name: 'b', ownerReferences: [{ ...owner, name: 'none', uid: 'none' }] },
        })
        await gone(client, 'secrets/b')
        await client.delete('configmaps/owner', { propagationPolicy: 'Foreground' })
        await client.until('the dependent is being deleted', async () => {
          const { metadata } = await client.read('secrets/a')
          return metadata.deletionTimestamp !== undefined
        })
        client.expect.has(await client.read('configmaps/owner'), {
          metadata: { finalizers: ['foregroundDeletion'] },
        })
        await client.patch('secrets/a', 'merge', { metadata: { finalizers: null } })
        await gone(client, 'configmaps/owner')
      },
    },
    {
      name: 'a deleted claim is removed if no pod on a node uses it',
      source: 'Kubernetes documentation, Storage Object in Use Protection',
      needs: 'controller-manager',
      async run(client) {
        const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
        await client.make('persistentvolumeclaims', { metadata: { name: 'a' }, spec })
        client.expect.answer(await client.delete('persistentvolumeclaims/a'), 200, {
          metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
        })
        await gone(client, 'persistentvolumeclaims/a')
      },
    },
    {
      name: 'a deleted claim is kept while a pod on a node uses it',
      source: 'Kubernetes documentation, Storage Object in Use Protection',
      needs: 'controller-manager',
      async run(client) {
        const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
        await client.make('persistentvolumeclaims', { metadata: { name: 'a' }, spec })
        const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'a' } }]
        const pod = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }], volumes }
        await client.make('pods', { metadata: { name: 'a', finalizers: ['example.com/hold'] }, spec: pod })
        await client.delete('persistentvolumeclaims/a')
        await client.delete('pods/a?gracePeriodSeconds=0')
        client.expect.answer(await client.get('persistentvolumeclaims/a'), 200)
        await client.patch('pods/a', 'merge', { metadata: { finalizers: null } })
        await gone(client, 'persistentvolumeclaims/a')
      },
    },
    {
      name: 'a dependent of a cluster-scoped owner is deleted as well',
      source: collection,
      needs: 'controller-manager',
      async run(client) {
        const name = `owner-${client.namespace}`
        const { metadata } = await client.make('clusterroles', { metadata: { name }, rules: [] })
        const owner = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          name,
          uid: metadata.uid,
        }
        await client.make('secrets', { metadata: { name: 'a', ownerReferences: [owner] } })
        await client.delete(`clusterroles/${name}`)
        await gone(client, 'secrets/a')
      },
    },
  ],
}
