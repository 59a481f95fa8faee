import type { CaseGroup } from '../case.js'

const finalizers = 'Kubernetes documentation, Finalizers'
const remove = 'k8s.io/apiserver pkg/registry/generic/registry/store.go @ v0.36.3'
const hold = 'x.example/hold'

/** Deletion and finalizers. */
export const deleteFinalizers: CaseGroup = {
  name: 'delete-finalizers',
  cases: [
    {
      name: 'a delete returns a Status that names the object',
      source: remove,
      async run({ make, get, delete: remove, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await remove('configmaps/a')
        expect.answer(answer, 200)
        expect.same(answer.body, {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Success',
          details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
        })
        expect.notFound(await get('configmaps/a'), 'configmaps', 'a')
      },
    },
    {
      name: 'a delete of a missing object is a 404',
      source: remove,
      async run({ delete: remove, expect }) {
        expect.notFound(await remove('configmaps/a'), 'configmaps', 'a')
      },
    },
    {
      name: 'a finalizer keeps the object and sets its deletionTimestamp',
      source: finalizers,
      async run({ make, read, delete: remove, expect }) {
        const made = await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        const answer = await remove('configmaps/a')
        expect.answer(answer, 200, {
          kind: 'ConfigMap',
          metadata: { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: 0, finalizers: [hold] },
        })
        const kept = await read('configmaps/a')
        expect.same(kept, answer.body)
        expect.ok(
          kept.metadata.resourceVersion !== made.metadata.resourceVersion,
          'the timestamp is a change',
        )
      },
    },
    {
      name: 'a second deletion changes nothing',
      source: finalizers,
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        const first = await remove('configmaps/a')
        const second = await remove('configmaps/a')
        expect.answer(second, 200)
        expect.same(second.body, first.body)
      },
    },
    {
      name: 'the object is removed with its last finalizer',
      source: finalizers,
      async run({ make, get, patch, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold, 'x.example/other'] } })
        await remove('configmaps/a')
        await patch('configmaps/a', 'merge', { metadata: { finalizers: [hold] } })
        expect.answer(await get('configmaps/a'), 200)
        expect.answer(await patch('configmaps/a', 'merge', { metadata: { finalizers: [] } }), 200)
        expect.notFound(await get('configmaps/a'), 'configmaps', 'a')
      },
    },
    {
      name: 'an object that is being deleted accepts no new finalizers',
      source: 'k8s.io/apimachinery pkg/api/validation/objectmeta.go @ v0.36.3',
      async run({ make, patch, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        await remove('configmaps/a')
        const answer = await patch('configmaps/a', 'merge', {
          metadata: { finalizers: [hold, 'x.example/more'] },
        })
        expect.invalid(answer, {
          kind: 'ConfigMap',
          name: 'a',
          because: [
            'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.example/more"}',
            'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x.example/more"}',
          ],
        })
      },
    },
    {
      name: 'an object that is being deleted can still be changed',
      source: finalizers,
      async run({ make, patch, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        await remove('configmaps/a')
        expect.answer(await patch('configmaps/a', 'merge', { data: { k: 'v' } }), 200, { data: { k: 'v' } })
      },
    },
    {
      name: 'the deletion timestamp cannot be removed',
      source: 'k8s.io/apimachinery pkg/api/validation/objectmeta.go @ v0.36.3',
      async run({ make, put, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        const { body } = await remove('configmaps/a')
        const { deletionTimestamp, deletionGracePeriodSeconds, ...metadata } = body.metadata
        const answer = await put('configmaps/a', { ...body, metadata })
        expect.answer(answer, 200, { metadata: { deletionTimestamp, deletionGracePeriodSeconds } })
      },
    },
    {
      name: 'the name of an object that is being deleted is in use',
      source: finalizers,
      async run({ make, post, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        await remove('configmaps/a')
        expect.refused(await post('configmaps', { metadata: { name: 'a' } }), {
          code: 409,
          reason: 'AlreadyExists',
          message: 'object is being deleted: configmaps "a" already exists',
          details: { name: 'a', kind: 'configmaps' },
        })
      },
    },
    {
      name: 'a recreated object has another uid',
      source: 'Kubernetes documentation, Object names and IDs',
      async run({ make, delete: remove, expect }) {
        const first = await make('configmaps', { metadata: { name: 'a' } })
        await remove('configmaps/a')
        const second = await make('configmaps', { metadata: { name: 'a' } })
        expect.ok(first.metadata.uid !== second.metadata.uid, 'two uids')
      },
    },
    {
      name: 'a built-in kind accepts only finalizers with a domain',
      source: 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3, ValidateObjectMetaUpdate',
      async run({ post, expect }) {
        expect.invalid(await post('configmaps', { metadata: { name: 'a', finalizers: ['plain'] } }), {
          kind: 'ConfigMap',
          name: 'a',
          because: [
            'metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
          ],
        })
      },
    },
    {
      name: 'orphaning adds its finalizer to the object',
      source: 'Kubernetes documentation, Garbage collection',
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        const answer = await remove('configmaps/a', { propagationPolicy: 'Orphan' })
        expect.answer(answer, 200, { metadata: { finalizers: [hold, 'orphan'] } })
      },
    },
    {
      name: 'foreground deletion adds its finalizer to the object',
      source: 'Kubernetes documentation, Garbage collection',
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
        const answer = await remove('configmaps/a?propagationPolicy=Foreground')
        expect.answer(answer, 200, { metadata: { finalizers: [hold, 'foregroundDeletion'] } })
      },
    },
    {
      name: 'an unknown propagation policy is rejected',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.invalid(await remove('configmaps/a', { propagationPolicy: 'Sideways' }), {
          kind: 'DeleteOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
          ],
        })
      },
    },
    {
      name: 'orphanDependents and propagationPolicy are mutually exclusive',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const options = { propagationPolicy: 'Orphan', orphanDependents: true }
        expect.invalid(await remove('configmaps/a', options), {
          kind: 'DeleteOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
          ],
        })
      },
    },
    {
      name: 'options of another kind are rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/delete.go @ v0.36.3',
      async run({ make, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await remove('configmaps/a', { apiVersion: 'v1', kind: 'ConfigMap' })
        expect.answer(answer, 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'a pod without a node is deleted at once',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3, CheckGracefulDelete',
      async run({ make, get, delete: remove, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } })
        expect.answer(await remove('pods/a'), 200)
        expect.notFound(await get('pods/a'), 'pods', 'a')
      },
    },
    {
      name: 'a pod that is ending gets no finalizers from a second delete',
      source: remove,
      async run({ make, read, delete: remove, expect }) {
        const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] }
        await make('pods', { metadata: { name: 'a' }, spec })
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 20 }), 200)
        const before = await read('pods/a')
        for (const propagationPolicy of ['Orphan', 'Foreground'])
          expect.answer(await remove('pods/a', { propagationPolicy }), 200)
        expect.same(await read('pods/a'), before)
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 0 }), 200)
      },
    },
    {
      name: 'a shorter grace period counts from the first delete of a pod',
      source: 'k8s.io/apiserver pkg/registry/rest/delete.go @ v0.36.3, BeforeDelete',
      async run({ make, delete: remove, expect }) {
        const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] }
        await make('pods', { metadata: { name: 'a' }, spec })
        const first = await remove('pods/a', { gracePeriodSeconds: 900 })
        const second = await remove('pods/a', { gracePeriodSeconds: 600 })
        const [before = 0, after = 0] = [first, second].map(({ body }) =>
          Date.parse(body.metadata.deletionTimestamp ?? ''),
        )
        expect.same(before - after, 300_000)
        expect.answer(second, 200, { metadata: { deletionGracePeriodSeconds: 600 } })
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 0 }), 200)
      },
    },
    {
      name: 'a pod that was deleted before its containers ended keeps its grace period',
      source: 'k8s.io/apiserver pkg/registry/rest/delete.go @ v0.36.3, BeforeDelete',
      async run({ make, patch, delete: remove, expect }) {
        const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] }
        await make('pods', { metadata: { name: 'a', finalizers: [hold] }, spec })
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 900 }), 200)
        await patch('pods/a/status', 'merge', { status: { phase: 'Failed' } })
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 600 }), 200, {
          metadata: { deletionGracePeriodSeconds: 600 },
        })
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 0 }), 200, {
          metadata: { deletionGracePeriodSeconds: 0 },
        })
        await patch('pods/a', 'merge', { metadata: { finalizers: null } })
      },
    },
    {
      name: 'a pod without a grace period gets finalizers from a second delete',
      source: remove,
      async run({ make, delete: remove, expect }) {
        const spec = { containers: [{ name: 'c', image: 'i' }] }
        await make('pods', { metadata: { name: 'a', finalizers: [hold] }, spec })
        expect.answer(await remove('pods/a'), 200, { metadata: { deletionGracePeriodSeconds: 0 } })
        const answer = await remove('pods/a', { propagationPolicy: 'Orphan' })
        expect.answer(answer, 200, { metadata: { finalizers: [hold, 'orphan'] } })
      },
    },
    {
      name: 'a second delete of a namespace changes nothing while it has finalizers',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/storage/storage.go @ v1.36.3, Delete',
      async run({ make, put, delete: remove, namespace, expect }) {
        const name = `${namespace}-x`
        const made = await make('namespaces', { metadata: { name } })
        await put(`namespaces/${name}/finalize`, { ...made, spec: { finalizers: ['kubernetes', hold] } })
        expect.answer(await remove(`namespaces/${name}`), 200)
        const second = await remove(`namespaces/${name}`, { propagationPolicy: 'Orphan' })
        expect.answer(second, 200, { metadata: { finalizers: undefined } })
        const { resourceVersion: _version, ...metadata } = second.body.metadata
        await put(`namespaces/${name}/finalize`, { ...second.body, metadata, spec: {} })
      },
    },
    {
      name: 'a pod on a node gets its grace period',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3, CheckGracefulDelete',
      async run({ make, get, delete: remove, expect }) {
        const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] }
        await make('pods', { metadata: { name: 'a' }, spec })
        const answer = await remove('pods/a', { gracePeriodSeconds: 20 })
        expect.answer(answer, 200, {
          kind: 'Pod',
          metadata: { deletionGracePeriodSeconds: 20, deletionTimestamp: /Z$/ },
        })
        expect.answer(await remove('pods/a', { gracePeriodSeconds: 0 }), 200)
        expect.notFound(await get('pods/a'), 'pods', 'a')
      },
    },
  ],
}
