import type { CaseGroup } from '../case.js'

const concurrency = 'Kubernetes API conventions, "Concurrency Control and Consistency"'
const update = 'k8s.io/apiserver pkg/registry/rest/update.go @ v0.36.3'
const validation = 'k8s.io/apimachinery pkg/api/validation/objectmeta.go @ v0.36.3'

/** Updates with and without concurrent writes. */
export const updateConcurrency: CaseGroup = {
  name: 'update-concurrency',
  cases: [
    {
      name: 'an update replaces the object and increases its resourceVersion',
      source: concurrency,
      async run({ make, put, read, expect }) {
        const made = await make('configmaps', {
          metadata: { name: 'a', labels: { x: 'y' } },
          data: { k: 'v' },
        })
        const { resourceVersion } = made.metadata
        const answer = await put('configmaps/a', {
          metadata: { name: 'a', resourceVersion },
          data: { l: 'w' },
        })
        expect.answer(answer, 200, {
          data: { l: 'w' },
          metadata: { labels: undefined, uid: made.metadata.uid },
        })
        expect.same(await read('configmaps/a'), answer.body)
        expect.ok(BigInt(answer.body.metadata.resourceVersion ?? 0) > BigInt(resourceVersion ?? 0), 'later')
      },
    },
    {
      name: 'an update of an older version is a conflict',
      source: concurrency,
      async run({ make, patch, put, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        await patch('configmaps/a', 'merge', { data: { k: 'v' } })
        expect.refused(await put('configmaps/a', made), {
          code: 409,
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
          details: { name: 'a', kind: 'configmaps' },
        })
      },
    },
    {
      name: 'the conflict of a grouped resource contains its group',
      source: concurrency,
      async run({ make, patch, put, expect }) {
        const made = await make('leases', { metadata: { name: 'a' }, spec: { holderIdentity: 'x' } })
        await patch('leases/a', 'merge', { spec: { holderIdentity: 'y' } })
        expect.refused(await put('leases/a', made), {
          code: 409,
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on leases.coordination.k8s.io "a": the object has been modified; please apply your changes to the latest version and try again',
          details: { name: 'a', group: 'coordination.k8s.io', kind: 'leases' },
        })
      },
    },
    {
      name: 'an update without a resourceVersion succeeds if the kind allows it',
      source: concurrency,
      async run({ make, patch, put, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        await patch('configmaps/a', 'merge', { data: { k: 'v' } })
        expect.answer(await put('configmaps/a', { metadata: { name: 'a' }, data: { l: 'w' } }), 200, {
          data: { l: 'w' },
        })
      },
    },
    {
      name: 'a Lease cannot be updated without a resourceVersion',
      source: 'k8s.io/kubernetes pkg/registry/coordination/lease/strategy.go @ v1.36.3',
      async run({ make, put, expect }) {
        await make('leases', { metadata: { name: 'a' }, spec: { holderIdentity: 'x' } })
        expect.invalid(await put('leases/a', { metadata: { name: 'a' }, spec: { holderIdentity: 'y' } }), {
          // The resource, while every other error has the kind.
          kind: 'leases',
          group: 'coordination.k8s.io',
          name: 'a',
          because: ['metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
        })
      },
    },
    {
      name: 'an update of a missing object is a 404',
      source: update,
      async run({ put, expect }) {
        expect.notFound(await put('configmaps/a', { metadata: { name: 'a' } }), 'configmaps', 'a')
      },
    },
    {
      name: 'an update creates a missing Lease',
      source: 'k8s.io/kubernetes pkg/registry/coordination/lease/strategy.go @ v1.36.3, AllowCreateOnUpdate',
      async run({ put, expect }) {
        expect.answer(
          await put('leases/a', { metadata: { name: 'a' }, spec: { holderIdentity: 'x' } }),
          201,
          {
            kind: 'Lease',
            spec: { holderIdentity: 'x' },
          },
        )
      },
    },
    {
      name: 'another name than that of the URL is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/update.go @ v0.36.3',
      async run({ make, put, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.refused(await put('configmaps/a', { metadata: { name: 'b' } }), {
          code: 400,
          reason: 'BadRequest',
          message: 'the name of the object (b) does not match the name on the URL (a)',
        })
      },
    },
    {
      name: 'an update needs a name',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/update.go @ v0.36.3',
      async run({ make, put, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.refused(await put('configmaps/a', { metadata: {} }), {
          code: 400,
          reason: 'BadRequest',
          message: 'the name of the object (a based on URL) was undeterminable: name must be provided',
        })
      },
    },
    {
      name: 'an invalid resourceVersion is rejected',
      source: 'k8s.io/apiserver pkg/storage/api_object_versioner.go @ v0.36.3',
      async run({ make, put, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await put('configmaps/a', { metadata: { name: 'a', resourceVersion: 'abc' } })
        expect.refused(answer, { code: 500, message: 'strconv.ParseUint: parsing "abc": invalid syntax' })
      },
    },
    {
      name: 'a write that changes nothing keeps the resourceVersion',
      source: 'k8s.io/apiserver pkg/storage/etcd3/store.go @ v0.36.3, GuaranteedUpdate',
      async run({ make, put, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await put('configmaps/a', made)
        expect.answer(answer, 200, { metadata: { resourceVersion: made.metadata.resourceVersion } })
      },
    },
    {
      name: 'another uid is a conflict',
      source: update,
      async run({ make, put, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        const uid = '00000000-0000-4000-8000-000000000000'
        expect.refused(await put('configmaps/a', { metadata: { name: 'a', uid } }), {
          code: 409,
          reason: 'Conflict',
          message: `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/${made.metadata.namespace}/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${made.metadata.uid}`,
          details: { name: 'a', kind: 'configmaps' },
        })
      },
    },
    {
      name: 'an update cannot change the creation time',
      source: validation,
      async run({ make, put, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await put('configmaps/a', {
          metadata: { ...metadata, creationTimestamp: '2001-01-01T00:00:00Z' },
        })
        expect.answer(answer, 200, { metadata: { creationTimestamp: metadata.creationTimestamp } })
      },
    },
    {
      name: 'an update without uid and creationTimestamp keeps them',
      source: validation,
      async run({ make, put, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        expect.answer(await put('configmaps/a', { metadata: { name: 'a' }, data: { k: 'v' } }), 200, {
          metadata: { uid: metadata.uid, creationTimestamp: metadata.creationTimestamp },
        })
      },
    },
    {
      name: 'the generation counts changes of the spec, not of the metadata',
      source: 'Kubernetes API conventions, "Metadata"',
      async run({ make, patch, expect }) {
        await make('networkpolicies', { metadata: { name: 'a' }, spec: { podSelector: {} } })
        const labelled = await patch('networkpolicies/a', 'merge', { metadata: { labels: { x: 'y' } } })
        expect.answer(labelled, 200, { metadata: { generation: 1 } })
        const changed = await patch('networkpolicies/a', 'merge', {
          spec: { podSelector: { matchLabels: { x: 'y' } } },
        })
        expect.answer(changed, 200, { metadata: { generation: 2 } })
      },
    },
    {
      name: 'an update of a kind with a status keeps the status',
      source: 'Kubernetes API conventions, "Spec and Status"',
      async run({ make, put, expect }) {
        const made = await make('services', { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })
        const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
        const answer = await put('services/a', { ...made, status })
        expect.answer(answer, 200)
        expect.same(answer.body.status, { loadBalancer: {} })
      },
    },
    {
      name: 'one of two writers of the same version succeeds',
      source: concurrency,
      async run({ make, put, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a' } })
        const writes = ['1', '2', '3', '4'].map((k) => put('configmaps/a', { ...made, data: { k } }))
        const codes = (await Promise.all(writes)).map(({ status }) => status)
        expect.same(codes.sort(), [200, 409, 409, 409])
      },
    },
    {
      name: 'concurrent patches without a resourceVersion all succeed',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/patch.go @ v0.36.3',
      async run({ make, patch, read, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const keys = ['1', '2', '3', '4', '5', '6', '7', '8']
        await Promise.all(keys.map((key) => patch('configmaps/a', 'merge', { data: { [key]: 'x' } })))
        expect.same(Object.keys((await read('configmaps/a')).data ?? {}).sort(), keys)
      },
    },
  ],
}
