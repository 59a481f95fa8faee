import type { CaseGroup } from '../case.js'

const lifecycle = 'k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle/admission.go @ v0.36.3'
const strategy = 'k8s.io/kubernetes pkg/registry/core/namespace/strategy.go @ v1.36.3'
const storage = 'k8s.io/kubernetes pkg/registry/core/namespace/storage/storage.go @ v1.36.3'

/** The life cycle of a namespace. */
export const namespaceCases: CaseGroup = {
  name: 'namespaces',
  cases: [
    {
      name: 'a new namespace is Active, has its finalizer and its name as a label',
      source: `${strategy}; KEP-2161`,
      async run({ make, namespace, expect }) {
        const name = `${namespace}-x`
        expect.has(await make('namespaces', { metadata: { name } }), {
          metadata: { labels: { 'kubernetes.io/metadata.name': name }, namespace: undefined },
          spec: { finalizers: ['kubernetes'] },
          status: { phase: 'Active' },
        })
      },
    },
    {
      name: 'the name label is restored when it is removed',
      source: 'KEP-2161',
      async run({ patch, namespace, expect }) {
        const answer = await patch(`namespaces/${namespace}`, 'merge', { metadata: { labels: null } })
        expect.answer(answer, 200, { metadata: { labels: { 'kubernetes.io/metadata.name': namespace } } })
      },
    },
    {
      name: 'the name label cannot have another value',
      source: 'KEP-2161',
      async run({ patch, namespace, expect }) {
        const answer = await patch(`namespaces/${namespace}`, 'merge', {
          metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } },
        })
        expect.answer(answer, 200, { metadata: { labels: { 'kubernetes.io/metadata.name': namespace } } })
      },
    },
    {
      name: 'a deleted namespace is Terminating until it is empty',
      source: storage,
      async run({ make, delete: remove, namespace, expect }) {
        const name = `${namespace}-x`
        await make('namespaces', { metadata: { name, finalizers: ['x.example/hold'] } })
        expect.answer(await remove(`namespaces/${name}`), 200, {
          kind: 'Namespace',
          metadata: { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: undefined },
          status: { phase: 'Terminating' },
        })
      },
    },
    {
      name: 'pods are deleted first, and hold the other objects of their namespace',
      source: 'KEP-5080; k8s.io/kubernetes pkg/controller/namespace/deletion @ v1.36.3',
      needs: 'controller-manager',
      async run({ make, post, read, patch, delete: remove, until, namespace, expect }) {
        const name = `${namespace}-x`
        const root = `/api/v1/namespaces/${name}`
        await make('namespaces', { metadata: { name } })
        await until('the namespace has its service account', async () => {
          const metadata = { name: 'a', finalizers: ['x.example/hold'] }
          const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
          const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec }
          return (await post(`${root}/pods`, pod)).status === 201
        })
        await make(`${root}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
        await remove(`namespaces/${name}`)
        const conditionsOf = async () => {
          const { conditions = [] } = Object((await read(`namespaces/${name}`)).status)
          return conditions as { type: string; status: string; message: string }[]
        }
        await until('the conditions are set', async () => (await conditionsOf()).length > 0)
        const remaining = (await conditionsOf()).find(({ type }) => type === 'NamespaceContentRemaining')
        expect.has(remaining, { status: 'False', message: 'All content successfully removed' })
        expect.has(await read(`${root}/pods/a`), { metadata: { deletionTimestamp: /Z$/ } })
        expect.has(await read(`${root}/configmaps/a`), { metadata: { deletionTimestamp: undefined } })
        await patch(`${root}/pods/a`, 'merge', { metadata: { finalizers: null } })
        await until('the namespace is gone', async () => {
          const { status } = await remove(`namespaces/${name}`)
          return status === 404
        })
      },
    },
    {
      name: 'no objects can be created in a namespace that is being deleted',
      source: lifecycle,
      async run({ make, post, delete: remove, namespace, expect }) {
        const name = `${namespace}-x`
        await make('namespaces', { metadata: { name, finalizers: ['x.example/hold'] } })
        await remove(`namespaces/${name}`)
        const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
        expect.refused(await post(`/api/v1/namespaces/${name}/configmaps`, body), {
          code: 403,
          reason: 'Forbidden',
          message: `configmaps "a" is forbidden: unable to create new content in namespace ${name} because it is being terminated`,
          details: {
            name: 'a',
            kind: 'configmaps',
            causes: [
              {
                reason: 'NamespaceTerminating',
                message: `namespace ${name} is being terminated`,
                field: 'metadata.namespace',
              },
            ],
          },
        })
      },
    },
    {
      name: 'objects in a namespace that is being deleted can still be changed',
      source: lifecycle,
      async run({ make, patch, delete: remove, namespace, expect }) {
        await make('configmaps', { metadata: { name: 'a', finalizers: ['x.example/hold'] } })
        await remove(`namespaces/${namespace}`)
        expect.answer(await patch('configmaps/a', 'merge', { data: { k: 'v' } }), 200, { data: { k: 'v' } })
        await patch('configmaps/a', 'merge', { metadata: { finalizers: null } })
      },
    },
    {
      name: 'the default namespace cannot be deleted',
      source: lifecycle,
      async run({ delete: remove, expect }) {
        expect.refused(await remove('namespaces/default'), {
          code: 403,
          reason: 'Forbidden',
          message: 'namespaces "default" is forbidden: this namespace may not be deleted',
          details: { name: 'default', kind: 'namespaces' },
        })
      },
    },
    {
      name: 'kube-system cannot be deleted',
      source: lifecycle,
      async run({ delete: remove, expect }) {
        expect.answer(await remove('namespaces/kube-system?dryRun=All'), 403, { reason: 'Forbidden' })
      },
    },
    {
      name: 'every cluster has the same first namespaces',
      source: 'Kubernetes documentation, Namespaces, "Initial namespaces"',
      async run({ read, expect }) {
        for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
          expect.has(await read(`namespaces/${name}`), { status: { phase: 'Active' } })
        }
      },
    },
    {
      name: 'a namespace has no resources of an unknown kind',
      source: 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      async run({ get, namespace, expect }) {
        expect.answer(await get(`/api/v1/namespaces/${namespace}/nodes`), 404, { reason: 'NotFound' })
      },
    },
    {
      name: 'a missing namespace is a 404',
      source: storage,
      async run({ get, namespace, expect }) {
        expect.notFound(await get(`namespaces/${namespace}-none`), 'namespaces', `${namespace}-none`)
      },
    },
    {
      name: 'a namespace is deleted with all its objects',
      source: 'Kubernetes documentation, Namespaces',
      needs: 'controller-manager',
      async run({ make, get, delete: remove, until, namespace, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'a' } })
        await remove(`namespaces/${namespace}`)
        await until(
          'the namespace is deleted',
          async () => (await get(`namespaces/${namespace}`)).status === 404,
        )
        expect.notFound(await get('configmaps/a'), 'configmaps', 'a')
        expect.notFound(await get('secrets/a'), 'secrets', 'a')
      },
    },
    {
      name: 'a new namespace gets a service account and the root certificate',
      source: 'Kubernetes documentation, Managing Service Accounts',
      needs: 'controller-manager',
      async run({ read, get, until, expect }) {
        expect.has(await read('serviceaccounts/default'), { metadata: { name: 'default' } })
        await until(
          'it has the certificate',
          async () => (await get('configmaps/kube-root-ca.crt')).status === 200,
        )
        const { data } = await read('configmaps/kube-root-ca.crt')
        expect.has(data, { 'ca.crt': /^-----BEGIN CERTIFICATE-----\n/ })
        expect.has(await read('configmaps/kube-root-ca.crt'), {
          metadata: { annotations: { 'kubernetes.io/description': /^Contains a CA bundle/ } },
        })
      },
    },
    {
      name: 'the service account and the root certificate are restored when they are deleted',
      source: 'Kubernetes documentation, Managing Service Accounts',
      needs: 'controller-manager',
      async run({ read, get, delete: remove, until, expect }) {
        const { metadata } = await read('serviceaccounts/default')
        expect.answer(await remove('serviceaccounts/default'), 200)
        await until('it is restored', async () => {
          const { body, status } = await get('serviceaccounts/default')
          return status === 200 && body.metadata.uid !== metadata.uid
        })
        await until(
          'the certificate exists',
          async () => (await get('configmaps/kube-root-ca.crt')).status === 200,
        )
        expect.answer(await remove('configmaps/kube-root-ca.crt'), 200)
        await until(
          'the certificate is restored',
          async () => (await get('configmaps/kube-root-ca.crt')).status === 200,
        )
      },
    },
  ],
}
