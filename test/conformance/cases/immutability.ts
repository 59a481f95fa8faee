import type { CaseGroup } from '../case.js'

const core = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const containers = [{ name: 'c', image: 'i' }]
const selector = { matchLabels: { app: 'a' } }
const template = { metadata: { labels: { app: 'a' } }, spec: { containers } }

/** Immutable fields. */
export const immutability: CaseGroup = {
  name: 'immutability',
  cases: [
    {
      name: 'the data of an immutable ConfigMap cannot change',
      source: `KEP-1412; ${core}`,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' }, immutable: true })
        expect.invalid(await patch('configmaps/a', 'merge', { data: { k: 'w' } }), {
          kind: 'ConfigMap',
          name: 'a',
          because: ['data: Forbidden: field is immutable when `immutable` is set'],
        })
      },
    },
    {
      name: 'an immutable ConfigMap stays immutable',
      source: `KEP-1412; ${core}`,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, immutable: true })
        expect.invalid(await patch('configmaps/a', 'merge', { immutable: false }), {
          kind: 'ConfigMap',
          name: 'a',
          because: ['immutable: Forbidden: field is immutable when `immutable` is set'],
        })
      },
    },
    {
      name: 'the labels of an immutable ConfigMap can change, and it can be deleted',
      source: 'KEP-1412',
      async run({ make, patch, delete: remove, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, immutable: true })
        expect.answer(await patch('configmaps/a', 'merge', { metadata: { labels: { x: 'y' } } }), 200)
        expect.answer(await remove('configmaps/a'), 200)
      },
    },
    {
      name: 'a ConfigMap can be made immutable',
      source: 'KEP-1412',
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        expect.answer(await patch('configmaps/a', 'merge', { immutable: true }), 200, { immutable: true })
      },
    },
    {
      name: 'the data of an immutable Secret cannot change',
      source: `KEP-1412; ${core}`,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a' }, data: { k: 'dg==' }, immutable: true })
        expect.invalid(await patch('secrets/a', 'merge', { stringData: { k: 'w' } }), {
          kind: 'Secret',
          name: 'a',
          because: ['data: Forbidden: field is immutable when `immutable` is set'],
        })
      },
    },
    {
      name: 'the type of a Secret is immutable',
      source: core,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a' } })
        expect.invalid(await patch('secrets/a', 'merge', { type: 'x.example/other' }), {
          kind: 'Secret',
          name: 'a',
          because: ['type: Invalid value: "x.example/other": field is immutable'],
        })
      },
    },
    {
      name: 'the address of a Service is immutable',
      source: core,
      async run({ make, patch, expect }) {
        await make('services', { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })
        const answer = await patch('services/a', 'merge', {
          spec: { clusterIP: '10.96.1.2', clusterIPs: ['10.96.1.2'] },
        })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          details: {
            causes: [
              {
                field: 'spec.clusterIPs[0]',
                message: 'Invalid value: ["10.96.1.2"]: may not change once set',
              },
            ],
          },
        })
      },
    },
    {
      name: 'an update of a Service without its address keeps the address',
      source: 'k8s.io/kubernetes pkg/registry/core/service/strategy.go @ v1.36.3, patchAllocatedValues',
      async run({ make, put, expect }) {
        const made = await make('services', { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } })
        const answer = await put('services/a', { metadata: { name: 'a' }, spec: { ports: [{ port: 81 }] } })
        expect.answer(answer, 200, { spec: { clusterIP: (made.spec as { clusterIP: string }).clusterIP } })
      },
    },
    {
      name: 'the image of a Pod can change, and its command cannot',
      source: core,
      async run({ make, patch, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: { containers } })
        const image = await patch('pods/a', 'strategic', {
          spec: { containers: [{ name: 'c', image: 'j' }] },
        })
        expect.answer(image, 200, { spec: { containers: [{ image: 'j' }] } })
        const command = await patch('pods/a', 'strategic', {
          spec: { containers: [{ name: 'c', command: ['x'] }] },
        })
        expect.answer(command, 422, {
          reason: 'Invalid',
          message:
            /^Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than .*\n@@ -\d+,\d+ \+\d+,\d+ @@\n/,
          details: { causes: [{ reason: 'FieldValueForbidden', field: 'spec' }] },
        })
      },
    },
    {
      name: 'the selector of a Deployment is immutable',
      source: 'k8s.io/kubernetes pkg/apis/apps/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('deployments', { metadata: { name: 'a' }, spec: { replicas: 0, selector, template } })
        const answer = await patch('deployments/a', 'strategic', {
          spec: {
            selector: { matchLabels: { more: 'x' } },
            template: { metadata: { labels: { more: 'x' } } },
          },
        })
        expect.invalid(answer, {
          kind: 'Deployment',
          group: 'apps',
          name: 'a',
          because: [
            'spec.selector: Invalid value: {"matchLabels":{"app":"a","more":"x"}}: field is immutable',
          ],
        })
      },
    },
    {
      name: 'the role of a RoleBinding is immutable',
      source: 'k8s.io/kubernetes pkg/apis/rbac/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' }
        await make('rolebindings', { metadata: { name: 'a' }, roleRef })
        expect.invalid(await patch('rolebindings/a', 'merge', { roleRef: { name: 's' } }), {
          kind: 'RoleBinding',
          group: 'rbac.authorization.k8s.io',
          name: 'a',
          because: [
            'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"s"}: cannot change roleRef',
          ],
        })
      },
    },
    {
      name: 'the storage class of a claim is immutable',
      source: core,
      async run({ make, patch, expect }) {
        await make('persistentvolumeclaims', {
          metadata: { name: 'a' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'x',
            resources: { requests: { storage: '1Gi' } },
          },
        })
        const answer = await patch('persistentvolumeclaims/a', 'merge', { spec: { storageClassName: 'y' } })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          message: /spec: Forbidden: spec is immutable after creation/,
        })
      },
    },
    {
      name: 'the template of a Job is immutable',
      source: 'k8s.io/kubernetes pkg/apis/batch/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('jobs', {
          metadata: { name: 'a' },
          spec: { parallelism: 0, template: { spec: { containers, restartPolicy: 'Never' } } },
        })
        const answer = await patch('jobs/a', 'strategic', {
          spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } },
        })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          details: { causes: [{ field: 'spec.template', message: /field is immutable$/ }] },
        })
      },
    },
    {
      name: 'the provisioner and the parameters of a StorageClass are immutable',
      source: 'k8s.io/kubernetes pkg/apis/storage/validation/validation.go @ v1.36.3',
      async run({ make, patch, namespace, expect }) {
        const name = `a-${namespace}`
        await make('storageclasses', { metadata: { name }, provisioner: 'x.y/z', parameters: { a: 'b' } })
        const change = { parameters: { a: 'c' }, provisioner: 'q', reclaimPolicy: 'Retain' }
        expect.invalid(await patch(`storageclasses/${name}`, 'merge', change), {
          kind: 'StorageClass',
          group: 'storage.k8s.io',
          name,
          because: [
            'parameters: Invalid value: {"a":"c"}: field is immutable',
            'provisioner: Invalid value: "q": field is immutable',
            'reclaimPolicy: Invalid value: "Retain": field is immutable',
          ],
        })
      },
    },
    {
      name: 'the value of a PriorityClass is immutable',
      source: 'k8s.io/kubernetes pkg/apis/scheduling/validation/validation.go @ v1.36.3',
      async run({ make, patch, namespace, expect }) {
        const name = `a-${namespace}`
        await make('priorityclasses', { metadata: { name }, value: 5 })
        expect.invalid(await patch(`priorityclasses/${name}`, 'merge', { value: 6 }), {
          kind: 'PriorityClass',
          group: 'scheduling.k8s.io',
          name,
          because: ['value: Forbidden: may not be changed in an update.'],
        })
      },
    },
    {
      name: 'the handler of a RuntimeClass is immutable',
      source: 'k8s.io/kubernetes pkg/apis/node/validation/validation.go @ v1.36.3',
      async run({ make, patch, namespace, expect }) {
        const name = `a-${namespace}`
        await make('runtimeclasses', { metadata: { name }, handler: 'h' })
        expect.invalid(await patch(`runtimeclasses/${name}`, 'merge', { handler: 'i' }), {
          kind: 'RuntimeClass',
          group: 'node.k8s.io',
          name,
          because: ['handler: Invalid value: "i": field is immutable'],
        })
      },
    },
    {
      name: 'the address type of an endpoint slice is immutable',
      source: 'k8s.io/kubernetes pkg/apis/discovery/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        const { metadata } = await make('endpointslices', { metadata: { name: 'a' }, addressType: 'IPv4' })
        const { resourceVersion } = metadata
        const change = { metadata: { resourceVersion }, addressType: 'IPv6' }
        expect.invalid(await patch('endpointslices/a', 'merge', change), {
          kind: 'EndpointSlice',
          group: 'discovery.k8s.io',
          name: 'a',
          because: ['addressType: Invalid value: "IPv6": field is immutable'],
        })
      },
    },
    {
      name: 'tolerations can be added to a Pod, but not removed',
      source: core,
      async run({ make, patch, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: { containers } })
        const add = [{ op: 'add', path: '/spec/tolerations/-', value: { key: 'k', operator: 'Exists' } }]
        expect.answer(await patch('pods/a', 'json', add), 200)
        const remove = [{ op: 'replace', path: '/spec/tolerations/2/key', value: 'l' }]
        expect.invalid(await patch('pods/a', 'json', remove), {
          kind: 'Pod',
          name: 'a',
          because: [
            'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
          ],
        })
      },
    },
    {
      name: 'the deadline of a Pod can only be reduced',
      source: core,
      async run({ make, patch, expect }) {
        await make('pods', { metadata: { name: 'a' }, spec: { containers, activeDeadlineSeconds: 30 } })
        expect.answer(await patch('pods/a', 'merge', { spec: { activeDeadlineSeconds: 20 } }), 200)
        expect.invalid(await patch('pods/a', 'merge', { spec: { activeDeadlineSeconds: 40 } }), {
          kind: 'Pod',
          name: 'a',
          because: [
            'spec.activeDeadlineSeconds: Invalid value: 40: must be less than or equal to previous value',
          ],
        })
      },
    },
    {
      name: 'scheduling gates can be removed, but not added',
      source: `KEP-3521; ${core}`,
      async run({ make, patch, expect }) {
        const spec = { containers, schedulingGates: [{ name: 'example.com/g' }] }
        await make('pods', { metadata: { name: 'a' }, spec })
        expect.answer(await patch('pods/a', 'merge', { spec: { schedulingGates: null } }), 200)
        expect.answer(
          await patch('pods/a', 'merge', { spec: { schedulingGates: [{ name: 'x.y/h' }] } }),
          422,
          {
            details: { causes: [{ field: 'spec.schedulingGates[0].name' }] },
          },
        )
      },
    },
    {
      name: 'the replicas and the template of a StatefulSet can change, and its service cannot',
      source: 'k8s.io/kubernetes pkg/apis/apps/validation/validation.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('statefulsets', {
          metadata: { name: 'a' },
          spec: { replicas: 0, serviceName: 's', selector, template },
        })
        const answer = await patch('statefulsets/a', 'merge', { spec: { serviceName: 't' } })
        expect.answer(answer, 422, {
          reason: 'Invalid',
          message:
            /^StatefulSet.apps "a" is invalid: spec: Forbidden: updates to statefulset spec for fields other than /,
        })
      },
    },
  ],
}
