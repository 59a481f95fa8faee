import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define } from '../custom-resource.js'

const eviction = 'k8s.io/kubernetes pkg/registry/core/pod/storage/eviction.go @ v1.36.3'
const containers = [{ name: 'c', image: 'i' }]

/** A running pod and a budget for it, whose status the controller of a real server writes too. */
async function withBudget(client: CaseClient, { spec = {}, isReady = false }: Budget): Promise<void> {
  const labels = { app: client.namespace }
  await client.make('pods', {
    metadata: { name: 'a', labels },
    spec: { automountServiceAccountToken: false, containers },
  })
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
  const running = { status: { phase: 'Running', conditions } }
  client.expect.answer(await client.patch('pods/a/status', 'merge', running), 200)
  await client.make('poddisruptionbudgets', {
    metadata: { name: 'b' },
    spec: { selector: { matchLabels: labels }, ...spec },
  })
  const counts = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 1 }
  const status = { observedGeneration: 1, ...counts }
  client.expect.answer(await client.patch('poddisruptionbudgets/b/status', 'merge', { status }), 200)
}

interface Budget {
  readonly spec?: object
  readonly isReady?: boolean
}

const evict = ({ post }: CaseClient) =>
  post('pods/a/eviction', { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } })

/** Details of evictions, scales, namespaces and health checks. */
export const serverDetails: CaseGroup = {
  name: 'server-details',
  cases: [
    {
      name: 'a budget lets a pod go that is not ready, if it says so',
      source: eviction,
      async run(client) {
        await withBudget(client, { spec: { minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' } })
        client.expect.answer(await evict(client), 201)
        client.expect.answer(await client.get('pods/a'), 404)
      },
    },
    {
      name: 'a budget without enough healthy pods keeps one that is not ready',
      source: eviction,
      async run(client) {
        await withBudget(client, { spec: { minAvailable: 1 } })
        let answer = await evict(client)
        await client.until('the budget is counted', async () => {
          answer = await evict(client)
          return answer.text.includes('needs 1')
        })
        client.expect.answer(answer, 429)
        client.expect.has(answer.body, {
          message: "Cannot evict pod as it would violate the pod's disruption budget.",
          details: {
            causes: [
              {
                reason: 'DisruptionBudget',
                message: 'The disruption budget b needs 1 healthy pods and has 0 currently',
              },
            ],
          },
        })
      },
    },
    {
      name: 'a custom resource without replicas has no scale until it is written',
      source: 'k8s.io/apiextensions-apiserver pkg/registry/customresource/etcd.go @ v0.36.3',
      async run(client) {
        const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
        const replicas = { type: 'object', properties: { replicas: { type: 'integer' } } }
        const version = { subresources: { status: {}, scale } }
        const cars = await define(client, { spec: replicas, properties: { status: replicas }, version })
        await cars.make('x', { spec: {} })
        const why = 'the spec replicas field ".spec.replicas" does not exist'
        client.expect.refused(await client.get(`${cars.path('x')}/scale`), {
          code: 500,
          reason: 'InternalError',
          message: `Internal error occurred: ${why}`,
          details: { causes: [{ message: why }] },
        })
        const wanted = {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'x' },
          spec: { replicas: 2 },
        }
        client.expect.answer(await client.put(`${cars.path('x')}/scale`, wanted), 200, {
          spec: { replicas: 2 },
        })
        client.expect.answer(await client.get(`${cars.path('x')}/scale`), 200, { spec: { replicas: 2 } })
      },
    },
    {
      name: 'an object is created with the version 0, or with one that is not a number',
      source: 'k8s.io/apiserver pkg/storage/etcd3/store.go @ v0.36.3, Create',
      async run({ post, expect }) {
        for (const [at, resourceVersion] of ['0', 'x', ''].entries()) {
          const metadata = { name: `a${at}`, resourceVersion }
          expect.answer(await post('configmaps', { metadata }), 201)
        }
        const answer = await post('configmaps', { metadata: { name: 'b', resourceVersion: '7' } })
        expect.has(answer, {
          status: 500,
          body: { message: 'resourceVersion should not be set on objects to be created' },
        })
      },
    },
    {
      name: 'a namespace says what keeps it from ending',
      source: 'k8s.io/kubernetes pkg/controller/namespace/deletion @ v1.36.3',
      needs: 'controller-manager',
      async run(client) {
        const name = `${client.namespace}-held`
        const path = `/api/v1/namespaces/${name}`
        await client.make('namespaces', { metadata: { name } })
        const held = {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name: 'held', finalizers: ['example.com/hold'] },
        }
        client.expect.answer(await client.post(`${path}/secrets`, held), 201)
        client.expect.answer(await client.delete(path), 200)
        interface Status {
          readonly status?: { readonly conditions?: readonly { readonly message: string }[] }
        }
        let body: Status = {}
        await client.until('the namespace has conditions', async () => {
          body = (await client.read(path)) as Status
          return JSON.stringify(body.status?.conditions ?? []).includes('remaining: secrets. has 1')
        })
        client.expect.has(body.status?.conditions, [
          { type: 'NamespaceDeletionDiscoveryFailure', status: 'False', reason: 'ResourcesDiscovered' },
          {
            type: 'NamespaceDeletionGroupVersionParsingFailure',
            status: 'False',
            reason: 'ParsedGroupVersions',
          },
          { type: 'NamespaceDeletionContentFailure', status: 'False', reason: 'ContentDeleted' },
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            reason: 'SomeResourcesRemain',
            message: 'Some resources are remaining: secrets. has 1 resource instances',
          },
          {
            type: 'NamespaceFinalizersRemaining',
            status: 'True',
            reason: 'SomeFinalizersRemain',
            message:
              'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
          },
        ])
        await client.patch(`${path}/secrets/held`, 'merge', { metadata: { finalizers: null } })
      },
    },
    {
      name: 'an object that etcd does not take is not stored',
      source: 'etcd documentation, System limits',
      async run(client) {
        const cars = await define(client)
        const tooLarge = { code: 500, message: 'etcdserver: request is too large' }
        client.expect.refused(await cars.create('x', { spec: { a: 'x'.repeat(1_575_000) } }), tooLarge)
        client.expect.answer(await client.get(cars.path('x')), 404)
        const half = 'x'.repeat(900_000)
        client.expect.answer(await cars.create('x', { spec: { a: half } }), 201)
        client.expect.refused(await cars.patch('x', { spec: { b: half } }), tooLarge)
        const template = {
          spec: { containers: [{ name: 'c', image: 'i', command: ['x'.repeat(1_600_000)] }] },
        }
        const answer = await client.post('podtemplates', { metadata: { name: 'a' }, template })
        client.expect.refused(answer, tooLarge)
      },
    },
    {
      name: 'a health check lists its parts',
      source: 'k8s.io/apiserver pkg/server/healthz/healthz.go @ v0.36.3',
      async run({ get, expect }) {
        for (const check of ['readyz', 'livez', 'healthz']) {
          const { status, text } = await get(`/${check}?verbose`)
          expect.same(status, 200)
          expect.ok(text.startsWith('[+]ping ok\n[+]log ok\n'), text)
          expect.ok(text.endsWith(`${check} check passed\n`), text)
        }
      },
    },
  ],
}
