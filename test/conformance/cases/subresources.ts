import type { CaseGroup } from '../case.js'

const conventions = 'Kubernetes API conventions, "Spec and Status"'
const scale = 'k8s.io/kubernetes pkg/registry/apps/deployment/storage/storage.go @ v1.36.3, ScaleREST'
const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const selector = { matchLabels: { app: 'a' } }
const statefulSet = { metadata: { name: 'a' }, spec: { replicas: 0, serviceName: 's', selector, template } }
const service = { metadata: { name: 'a' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }
const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }

/** Subresources with their own URLs. */
export const subresources: CaseGroup = {
  name: 'subresources',
  cases: [
    {
      name: 'the status is written at its own URL',
      source: conventions,
      async run({ make, patch, read, expect }) {
        await make('services', service)
        expect.answer(await patch('services/a/status', 'merge', { status }), 200, {
          kind: 'Service',
          status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
        })
        expect.has(await read('services/a'), { status })
      },
    },
    {
      name: 'a write of the status does not change the spec',
      source: conventions,
      async run({ make, put, expect }) {
        const made = await make('services', service)
        const spec = { ports: [{ port: 81 }], type: 'LoadBalancer' }
        const answer = await put('services/a/status', { ...made, spec, status })
        expect.answer(answer, 200, { spec: { ports: [{ port: 80 }] }, status })
      },
    },
    {
      name: 'a write of the object does not change the status',
      source: conventions,
      async run({ make, patch, expect }) {
        await make('services', service)
        await patch('services/a/status', 'merge', { status })
        const answer = await patch('services/a', 'merge', {
          metadata: { labels: { x: 'y' } },
          status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
        })
        expect.answer(answer, 200, { metadata: { labels: { x: 'y' } }, status })
      },
    },
    {
      name: 'a write of the status does not change the generation',
      source: conventions,
      async run({ make, patch, expect }) {
        await make('poddisruptionbudgets', { metadata: { name: 'a' }, spec: { maxUnavailable: 1, selector } })
        const answer = await patch('poddisruptionbudgets/a/status', 'merge', {
          status: {
            conditions: [
              {
                type: 'X',
                status: 'True',
                lastTransitionTime: '2026-01-01T00:00:00Z',
                reason: 'R',
                message: '',
              },
            ],
          },
        })
        expect.answer(answer, 200, { metadata: { generation: 1 } })
      },
    },
    {
      name: 'the status is read at its own URL',
      source: conventions,
      async run({ make, read, expect }) {
        const made = await make('services', service)
        expect.has(await read('services/a/status'), { kind: 'Service', metadata: { uid: made.metadata.uid } })
      },
    },
    {
      name: 'the status of a missing object is a 404',
      source: conventions,
      async run({ patch, expect }) {
        expect.notFound(await patch('services/a/status', 'merge', { status }), 'services', 'a')
      },
    },
    {
      name: 'the scale of a StatefulSet has the actual and the desired replicas',
      source: scale,
      async run({ make, get, namespace, expect }) {
        const { metadata } = await make('statefulsets', statefulSet)
        const answer = await get('statefulsets/a/scale')
        expect.answer(answer, 200, {
          kind: 'Scale',
          apiVersion: 'autoscaling/v1',
          metadata: {
            name: 'a',
            namespace,
            uid: metadata.uid,
            creationTimestamp: metadata.creationTimestamp,
          },
          status: { replicas: 0, selector: 'app=a' },
        })
      },
    },
    {
      name: 'a write of the scale changes the replicas',
      source: scale,
      async run({ make, patch, read, expect }) {
        await make('statefulsets', statefulSet)
        const answer = await patch('statefulsets/a/scale', 'merge', { spec: { replicas: 2 } })
        expect.answer(answer, 200, { kind: 'Scale', spec: { replicas: 2 } })
        expect.has(await read('statefulsets/a'), { spec: { replicas: 2 }, metadata: { generation: 2 } })
      },
    },
    {
      name: 'a scale can be replaced',
      source: scale,
      async run({ make, read, put, expect }) {
        await make('statefulsets', statefulSet)
        const { metadata } = await read('statefulsets/a/scale')
        const body = {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'a', uid: metadata.uid },
          spec: { replicas: 3 },
        }
        expect.answer(await put('statefulsets/a/scale', body), 200, { spec: { replicas: 3 } })
      },
    },
    {
      name: 'negative replicas are rejected',
      source: 'k8s.io/kubernetes pkg/apis/autoscaling/validation/validation.go @ v1.36.3, ValidateScale',
      async run({ make, patch, expect }) {
        await make('statefulsets', statefulSet)
        expect.invalid(await patch('statefulsets/a/scale', 'merge', { spec: { replicas: -1 } }), {
          kind: 'Scale',
          group: 'autoscaling',
          name: 'a',
          because: ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
        })
      },
    },
    {
      name: 'a Scale must be valid and for the object in the URL',
      source: 'k8s.io/kubernetes pkg/registry/apps/statefulset/storage/storage.go @ v1.36.3, ScaleREST',
      async run({ make, put, expect }) {
        await make('statefulsets', statefulSet)
        const scale = (body: object) =>
          put('statefulsets/a/scale', { apiVersion: 'autoscaling/v1', kind: 'Scale', ...body })
        expect.refused(await scale({ metadata: { name: 'a' }, spec: { replicas: 'x' } }), {
          code: 400,
          reason: 'BadRequest',
          message:
            'Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32',
        })
        expect.refused(await scale({ metadata: { name: 'b' }, spec: { replicas: 1 } }), {
          code: 400,
          reason: 'BadRequest',
          message: 'the name of the object (b) does not match the name on the URL (a)',
        })
      },
    },
    {
      name: 'a Scale supports all patch types',
      source: 'https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply',
      async run({ make, patch, read, expect }) {
        await make('statefulsets', statefulSet)
        const body = [{ op: 'replace', path: '/spec/replicas', value: 5 }]
        expect.answer(await patch('statefulsets/a/scale', 'json', body), 200, { spec: { replicas: 5 } })
        await patch('statefulsets/a/scale', 'strategic', { spec: { replicas: 6 } })
        expect.has(await read('statefulsets/a'), { spec: { replicas: 6 } })
      },
    },
    {
      name: 'an apply of a Scale can be forced by any true value',
      source: 'k8s.io/apimachinery pkg/runtime/converter.go @ v0.36.3, Convert_Slice_string_To_bool',
      async run({ make, patch, expect }) {
        await make('statefulsets', statefulSet)
        const apply = (query: string, replicas: number) =>
          patch(`statefulsets/a/scale?${query}`, 'apply', {
            apiVersion: 'autoscaling/v1',
            kind: 'Scale',
            metadata: { name: 'a' },
            spec: { replicas },
          })
        expect.answer(await apply('fieldManager=one&force=1', 2), 200)
        expect.answer(await apply('fieldManager=two&force=0', 3), 409)
        expect.answer(await apply('fieldManager=two&force=1', 3), 200, { spec: { replicas: 3 } })
      },
    },
    {
      name: 'a binding assigns a pod to a node',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/storage/storage.go @ v1.36.3, BindingREST',
      async run({ make, post, read, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: template.spec })
        const binding = {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'a' },
          target: { apiVersion: 'v1', kind: 'Node', name: 'nowhere' },
        }
        expect.answer(await post('pods/a/binding', binding), 201, {
          kind: 'Status',
          status: 'Success',
          code: 201,
        })
        expect.has(await read('pods/a'), {
          spec: { nodeName: 'nowhere' },
          status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
        })
      },
    },
    {
      name: 'an eviction deletes a pod',
      source: 'Kubernetes documentation, API-initiated Eviction',
      async run({ make, post, get, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: template.spec })
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }
        expect.answer(await post('pods/a/eviction', eviction), 201, {
          kind: 'Status',
          status: 'Success',
          code: 201,
        })
        expect.notFound(await get('pods/a'), 'pods', 'a')
      },
    },
    {
      name: 'an eviction sets a condition before it deletes the pod',
      source: 'KEP-3329; k8s.io/kubernetes pkg/registry/core/pod/storage/eviction.go @ v1.36.3',
      async run({ make, post, read, watch, expect }) {
        const { metadata } = await make('pods', {
          metadata: { name: 'a' },
          spec: { ...template.spec, nodeName: 'n' },
        })
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }
        const dry = { ...eviction, deleteOptions: { dryRun: ['All'] } }
        expect.answer(await post('pods/a/eviction', dry), 201)
        const preconditions = { resourceVersion: metadata.resourceVersion }
        const bound = { ...eviction, deleteOptions: { preconditions } }
        expect.answer(await post('pods/a/eviction', bound), 201)
        const events = await watch(`pods?resourceVersion=${metadata.resourceVersion}`)
        const condition = {
          type: 'DisruptionTarget',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: /Z$/,
          reason: 'EvictionByEvictionAPI',
          message: 'Eviction API: evicting',
        }
        const [marked, deleted] = await events.take(2)
        const last = (body: unknown) => Object(body).status?.conditions?.at(-1)
        expect.has(marked, { type: 'MODIFIED', object: { metadata: { deletionTimestamp: undefined } } })
        expect.has(last(marked?.object), condition)
        expect.has(deleted, { type: 'MODIFIED', object: { metadata: { deletionTimestamp: /Z$/ } } })
        expect.has(last(await read('pods/a')), condition)
      },
    },
    {
      name: 'a pod can be bound once',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/storage/storage.go @ v1.36.3, assignPod',
      async run({ make, post, expect, namespace }) {
        await make('pods', { metadata: { name: 'a' }, spec: template.spec })
        const bindings = `/api/v1/namespaces/${namespace}/bindings`
        const typed = { apiVersion: 'v1', kind: 'Binding' }
        const binding = { ...typed, metadata: { name: 'a' }, target: { kind: 'Node', name: 'one' } }
        expect.answer(await post(bindings, binding), 201, { kind: 'Status', status: 'Success' })
        expect.refused(await post('pods/a/binding', binding), {
          code: 409,
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "one"',
          details: { name: 'a', kind: 'pods/binding' },
        })
        const target = { kind: 'Service', name: 'x' }
        expect.refused(await post('pods/a/binding', { ...binding, target }), {
          code: 500,
          message: 'target.kind: Unsupported value: "Service": supported values: "Node", "<empty>"',
        })
        expect.notFound(await post('pods/b/binding', { ...binding, metadata: { name: 'b' } }), 'pods', 'b')
      },
    },
    {
      name: 'a disruption budget forbids an eviction',
      source: 'Kubernetes documentation, API-initiated Eviction',
      async run({ make, post, patch, expect, until }) {
        const metadata = { name: 'a', labels: { app: 'a' } }
        await make('pods', { metadata, spec: template.spec })
        const conditions = [{ type: 'Ready', status: 'True' }]
        await patch('pods/a/status', 'merge', { status: { phase: 'Running', conditions } })
        const spec = { minAvailable: 1, selector: { matchLabels: { app: 'a' } } }
        await make('poddisruptionbudgets', { metadata: { name: 'a' }, spec })
        const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 }
        const status = { observedGeneration: 1, ...counts }
        await patch('poddisruptionbudgets/a/status', 'merge', { status })
        const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }
        expect.answer(await post('pods/a/eviction', eviction), 429, {
          reason: 'TooManyRequests',
          message: "Cannot evict pod as it would violate the pod's disruption budget.",
          details: {
            causes: [
              {
                reason: 'DisruptionBudget',
                message: /^The disruption budget a needs 1 healthy pods and has \d currently$/,
              },
            ],
          },
        })
        await until('a pod without a budget can be evicted', async () => {
          await patch('pods/a', 'merge', { metadata: { labels: { app: 'b' } } })
          return (await post('pods/a/eviction', eviction)).status === 201
        })
      },
    },
    {
      name: 'a token is issued for a service account',
      source: 'KEP-1205; k8s.io/kubernetes pkg/registry/core/serviceaccount/storage/token.go @ v1.36.3',
      async run({ make, post, expect }) {
        await make('serviceaccounts', { metadata: { name: 'a' } })
        const ask = {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { expirationSeconds: 600 },
        }
        expect.answer(await post('serviceaccounts/a/token', ask), 201, {
          kind: 'TokenRequest',
          spec: { expirationSeconds: 600 },
          status: { token: /^[\w-]+\.[\w-]+\.[\w-]+$/, expirationTimestamp: /Z$/ },
        })
      },
    },
    {
      name: 'a namespace is finalized at its own URL',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/storage/storage.go @ v1.36.3, FinalizeREST',
      async run({ make, put, namespace, expect }) {
        const name = `${namespace}-x`
        const made = await make('namespaces', { metadata: { name } })
        const spec = { finalizers: ['kubernetes', 'x.example/hold'] }
        expect.answer(await put(`namespaces/${name}/finalize`, { ...made, spec }), 200, { spec })
      },
    },
    {
      name: 'an update of a namespace cannot remove its finalizers',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/strategy.go @ v1.36.3, PrepareForUpdate',
      async run({ patch, namespace, expect }) {
        const answer = await patch(`namespaces/${namespace}`, 'merge', { spec: { finalizers: null } })
        expect.answer(answer, 200, { spec: { finalizers: ['kubernetes'] } })
      },
    },
    {
      name: 'a write to the status of a pod does not change its labels',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3, podStatusStrategy',
      async run({ make, patch, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: template.spec })
        const answer = await patch('pods/a/status', 'merge', {
          metadata: { labels: { x: 'y' } },
          status: { phase: 'Running', message: 'm' },
        })
        expect.answer(answer, 200, {
          metadata: { labels: { x: 'y' } },
          status: { phase: 'Running', message: 'm' },
        })
      },
    },
  ],
}
