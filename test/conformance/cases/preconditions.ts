import type { CaseGroup } from '../case.js'

const preconditions = 'k8s.io/apimachinery pkg/apis/meta/v1/types.go @ v0.36.3, Preconditions'
const other = '00000000-0000-4000-8000-000000000000'

/** Preconditions of deletes. */
export const preconditionCases: CaseGroup = {
  name: 'preconditions',
  cases: [
    {
      name: 'a delete with the correct uid succeeds',
      source: preconditions,
      async run({ make, delete: remove, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await remove('configmaps/a', { preconditions: { uid: metadata.uid } }), 200)
      },
    },
    {
      name: 'another uid is a conflict, and the object is kept',
      source: preconditions,
      async run({ make, read, delete: remove, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        expect.refused(await remove('configmaps/a', { preconditions: { uid: other } }), {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (${other}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
          details: { name: 'a', kind: 'ConfigMap' },
        })
        await read('configmaps/a')
      },
    },
    {
      name: 'a delete with the correct resourceVersion succeeds',
      source: preconditions,
      async run({ make, delete: remove, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const { resourceVersion } = metadata
        expect.answer(await remove('configmaps/a', { preconditions: { resourceVersion } }), 200)
      },
    },
    {
      name: 'an older resourceVersion is a conflict, and the object is kept',
      source: preconditions,
      async run({ make, patch, read, delete: remove, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const changed = await patch('configmaps/a', 'merge', { data: { k: 'v' } })
        const { resourceVersion } = metadata
        expect.refused(await remove('configmaps/a', { preconditions: { resourceVersion } }), {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${changed.body.metadata.resourceVersion}). The object might have been modified`,
          details: { name: 'a', kind: 'ConfigMap' },
        })
        await read('configmaps/a')
      },
    },
    {
      name: 'the conflict of a grouped kind contains its group',
      source: preconditions,
      async run({ make, delete: remove, expect }) {
        const { metadata } = await make('leases', { metadata: { name: 'a' } })
        expect.refused(await remove('leases/a', { preconditions: { uid: other } }), {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on Lease.coordination.k8s.io "a": the UID in the precondition (${other}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
          details: { name: 'a', group: 'coordination.k8s.io', kind: 'Lease' },
        })
      },
    },
    {
      name: 'preconditions are checked for objects with finalizers',
      source: preconditions,
      async run({ make, read, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: ['x.example/hold'] } })
        expect.answer(await remove('configmaps/a', { preconditions: { uid: other } }), 409)
        expect.has(await read('configmaps/a'), { metadata: { deletionTimestamp: undefined } })
      },
    },
    {
      name: 'preconditions are checked for a Namespace',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/storage/storage.go @ v1.36.3',
      async run({ read, namespace, delete: remove, expect }) {
        const { metadata } = await read(`namespaces/${namespace}`)
        const answer = await remove(`namespaces/${namespace}`, { preconditions: { uid: other } })
        expect.refused(answer, {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on namespaces "${namespace}": Precondition failed: UID in precondition: ${other}, UID in object meta: ${metadata.uid}`,
          details: { name: namespace, kind: 'namespaces' },
        })
      },
    },
    {
      name: 'the resourceVersion of a Namespace is a precondition with its own message',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/storage/storage.go @ v1.36.3',
      async run({ read, namespace, delete: remove, expect }) {
        const { metadata } = await read(`namespaces/${namespace}`)
        const stored = metadata.resourceVersion
        const answer = await remove(`namespaces/${namespace}`, { preconditions: { resourceVersion: '1' } })
        expect.refused(answer, {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on namespaces "${namespace}": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${stored}`,
          details: { name: namespace, kind: 'namespaces' },
        })
      },
    },
    {
      name: 'preconditions are checked in a dry run',
      source: preconditions,
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await remove('configmaps/a?dryRun=All', { preconditions: { uid: other } }), 409)
      },
    },
  ],
}
