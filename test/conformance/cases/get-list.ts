import type { CaseGroup } from '../case.js'

const concepts = 'Kubernetes documentation, API concepts'
const conventions = 'Kubernetes API conventions'
const errors = 'k8s.io/apimachinery pkg/api/errors/errors.go @ v0.36.3'

/** Reads of one object and of lists. */
export const getList: CaseGroup = {
  name: 'get-list',
  cases: [
    {
      name: 'an object is returned as it was created, with the fields that the server adds',
      source: `${conventions}, "Metadata"`,
      async run({ make, get, expect, namespace }) {
        const made = await make('configmaps', {
          metadata: { name: 'a', labels: { x: 'y' } },
          data: { k: 'v' },
        })
        const got = await get('configmaps/a')
        expect.answer(got, 200)
        expect.same(got.body, made)
        expect.has(got.body, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          data: { k: 'v' },
          metadata: {
            name: 'a',
            namespace,
            labels: { x: 'y' },
            uid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
            resourceVersion: /^[1-9]\d*$/,
            creationTimestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
            generation: undefined,
            deletionTimestamp: undefined,
          },
        })
      },
    },
    {
      name: 'a missing object is a 404 with its name',
      source: errors,
      async run({ get, expect }) {
        expect.notFound(await get('configmaps/missing'), 'configmaps', 'missing')
      },
    },
    {
      name: 'the 404 of a grouped resource contains its group',
      source: errors,
      async run({ get, expect }) {
        expect.notFound(await get('deployments/missing'), 'deployments.apps', 'missing')
      },
    },
    {
      name: 'a get in a missing namespace is a 404 of the object',
      source: errors,
      async run({ get, expect, namespace }) {
        const answer = await get(`/api/v1/namespaces/${namespace}-none/configmaps/a`)
        expect.refused(answer, {
          code: 404,
          reason: 'NotFound',
          message: 'configmaps "a" not found',
          details: { name: 'a', kind: 'configmaps' },
        })
      },
    },
    {
      name: 'a list in a missing namespace is empty',
      source: `${concepts}, "Resource URIs"`,
      async run({ get, expect, namespace }) {
        const answer = await get(`/api/v1/namespaces/${namespace}-none/configmaps`)
        expect.answer(answer, 200, { kind: 'ConfigMapList', apiVersion: 'v1', items: [] })
      },
    },
    {
      name: 'a list has its own kind and a resourceVersion, and its items have neither kind nor version',
      source: `${conventions}, "Types (Kinds)"`,
      async run({ make, get, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        const list = await get('secrets')
        expect.answer(list, 200, {
          kind: 'SecretList',
          apiVersion: 'v1',
          metadata: { resourceVersion: /^\d+$/, continue: undefined, remainingItemCount: undefined },
          items: [{ kind: undefined, apiVersion: undefined, metadata: { name: 'a', uid: metadata.uid } }],
        })
        expect.ok(
          BigInt(list.body.metadata.resourceVersion ?? 0) >= BigInt(metadata.resourceVersion ?? 0),
          'the list is at least as new as its newest object',
        )
      },
    },
    {
      name: 'an empty list has an empty array of items',
      source: `${conventions}, "Lists of named subobjects preferred over maps"`,
      async run({ get, expect }) {
        expect.answer(await get('deployments'), 200, {
          kind: 'DeploymentList',
          apiVersion: 'apps/v1',
          items: [],
        })
      },
    },
    {
      name: 'a list is sorted by name',
      source: 'etcd keys are ordered; k8s.io/apiserver pkg/storage/etcd3/store.go @ v0.36.3',
      async run({ make, read, expect }) {
        for (const name of ['b', 'a.b', 'a', 'a-b', 'c0', 'c']) await make('secrets', { metadata: { name } })
        const { items = [] } = await read('secrets')
        expect.same(
          items.map(({ metadata }) => metadata.name),
          ['a', 'a-b', 'a.b', 'b', 'c', 'c0'],
        )
      },
    },
    {
      name: 'a list of all namespaces contains the objects of each',
      source: `${concepts}, "Resource URIs"`,
      async run({ make, get, expect, namespace }) {
        await make('secrets', { metadata: { name: 'everywhere', labels: { case: namespace } } })
        const list = await get(`/api/v1/secrets?labelSelector=case%3D${namespace}`)
        expect.answer(list, 200, {
          kind: 'SecretList',
          items: [{ metadata: { name: 'everywhere', namespace } }],
        })
      },
    },
    {
      name: 'an unknown resource of a known version is a 404 Status, and one of an unknown group a plain 404',
      source: 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      async run({ get, expect, namespace }) {
        const text = '404 page not found\n'
        const answer = await get(`/api/v1/namespaces/${namespace}/nonsense`)
        expect.refused(answer, {
          code: 404,
          reason: 'NotFound',
          message: 'the server could not find the requested resource',
          details: {},
        })
        expect.same((await get('/apis/nonsense.example/v1/things')).text, text)
        expect.same((await get('/nonsense')).status, 404)
      },
    },
    {
      name: 'an unknown version of a known group is a 404',
      source: 'k8s.io/apiserver pkg/server/handler.go @ v0.36.3',
      async run({ get, expect, namespace }) {
        const answer = await get(`/apis/apps/v9/namespaces/${namespace}/deployments`)
        expect.refused(answer, {
          code: 404,
          reason: 'NotFound',
          message: 'the server could not find the requested resource',
          details: {},
        })
      },
    },
    {
      name: 'a verb that a collection does not support is a 405',
      source: errors,
      async run({ cluster, expect, path }) {
        const answer = await cluster.request({ method: 'PUT', path: path('configmaps'), body: '{}' })
        expect.refused(answer, {
          code: 405,
          reason: 'MethodNotAllowed',
          message: 'the server does not allow this method on the requested resource',
          details: {},
        })
      },
    },
    {
      name: 'a POST to an object is a 405',
      source: errors,
      async run({ post, expect }) {
        const answer = await post('configmaps/a', { metadata: { name: 'a' } })
        expect.refused(answer, {
          code: 405,
          reason: 'MethodNotAllowed',
          message: 'the server does not allow this method on the requested resource',
          details: {},
        })
      },
    },
    {
      name: 'namespaces cannot be deleted as a collection',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/storage/storage.go @ v1.36.3',
      async run({ delete: remove, expect }) {
        expect.answer(await remove('namespaces?labelSelector=no%3Dsuch'), 405, { reason: 'MethodNotAllowed' })
      },
    },
    {
      name: 'an unknown subresource is a 404',
      source: 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      async run({ make, get, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.refused(await get('configmaps/a/status'), {
          code: 404,
          reason: 'NotFound',
          message: 'the server could not find the requested resource',
          details: {},
        })
      },
    },
    {
      name: 'a get at resourceVersion 0 is answered from the cache',
      source: `${concepts}, "Semantics for get"`,
      async run({ make, get, until }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        await until('the cache has the object', async () => {
          const { status } = await get('configmaps/a?resourceVersion=0')
          return status === 200
        })
      },
    },
    {
      name: 'a get at a resourceVersion returns an object that is not older',
      source: `${concepts}, "Semantics for get"`,
      async run({ make, get, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        const answer = await get(`configmaps/a?resourceVersion=${metadata.resourceVersion}`)
        expect.answer(answer, 200, { metadata: { uid: metadata.uid } })
      },
    },
    {
      name: 'a get at an invalid resourceVersion is rejected',
      source: 'k8s.io/apiserver pkg/storage/api_object_versioner.go @ v0.36.3',
      async run({ make, get, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const answer = await get('configmaps/a?resourceVersion=abc')
        expect.refused(answer, {
          code: 500,
          message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
        })
      },
    },
    {
      name: 'a HEAD is not supported',
      source: errors,
      async run({ cluster, make, path, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const { status } = await cluster.request({ method: 'HEAD', path: path('configmaps/a') })
        expect.same(status, 405)
      },
    },
    {
      name: 'a response is JSON and must not be cached',
      source: 'k8s.io/apiserver pkg/server/filters/cache_control.go @ v0.36.3',
      async run({ make, get, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        const { headers } = await get('configmaps/a')
        expect.has(headers, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
      },
    },
    {
      name: 'an integer beyond 2^53 keeps all its digits',
      source: `${conventions}, "Primitive types"`,
      async run({ post, expect, namespace }) {
        const body = `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a","namespace":"${namespace}"},"spec":{"leaseTransitions":2147483647}}`
        const lease = await post('leases', body)
        expect.answer(lease, 201, { spec: { leaseTransitions: 2_147_483_647 } })
      },
    },
    {
      name: 'a data key like __proto__ is an ordinary key',
      source: 'k8s.io/api core/v1/types.go @ v0.36.3, ConfigMap',
      async run({ post, get, expect }) {
        const body =
          '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"__proto__":"x","constructor":"y"}}'
        expect.answer(await post('configmaps', body), 201)
        expect.ok(
          (await get('configmaps/a')).text.includes('"data":{"__proto__":"x","constructor":"y"}'),
          'kept',
        )
      },
    },
  ],
}
