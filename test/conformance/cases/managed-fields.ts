import type { CaseGroup } from '../case.js'
import { define } from '../custom-resource.js'

const doc = 'Kubernetes documentation, Server-Side Apply, "Field management"'
const fields = (set: object) => ({ fieldsType: 'FieldsV1', fieldsV1: set })

const labels = { app: 'a' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const deployment = {
  metadata: { name: 'a' },
  spec: { replicas: 1, selector: { matchLabels: labels }, template },
}
const scaled = {
  apiVersion: 'apps/v1',
  ...fields({ 'f:spec': { 'f:replicas': {} } }),
  subresource: 'scale',
}
const established = { 'k:{"type":"Established"}': { '.': {}, 'f:status': {} } }

/** Field ownership after plain writes. */
export const managedFields: CaseGroup = {
  name: 'managed-fields',
  cases: [
    {
      name: 'the creator of an object owns its fields, including the maps',
      source: doc,
      async run({ post, expect }) {
        const object = { metadata: { name: 'a', labels: { l: '1' } }, data: { x: '1' } }
        const { body } = await post('configmaps?fieldManager=first', object)
        const owned = {
          'f:data': { '.': {}, 'f:x': {} },
          'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
        }
        expect.has(body.metadata.managedFields, [
          { manager: 'first', operation: 'Update', apiVersion: 'v1', ...fields(owned) },
        ])
      },
    },
    {
      name: 'the default manager is the first word of the user agent',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3',
      async run({ post, expect }) {
        const headers = { 'user-agent': 'my-program/1.2 (linux)' }
        const { body } = await post('configmaps', { metadata: { name: 'a' }, data: { x: '1' } }, { headers })
        expect.has(body.metadata.managedFields, [{ manager: 'my-program' }])
      },
    },
    {
      name: 'the number of replicas is owned through the Scale, as the first entry and without a time',
      source: 'k8s.io/apimachinery pkg/util/managedfields/scalehandler.go @ v0.36.3',
      async run({ make, patch, get, expect }) {
        await make('deployments', deployment)
        await patch('deployments/a/scale?fieldManager=scaler', 'merge', { spec: { replicas: 3 } })
        const { body } = await get('deployments/a')
        const [first, second] = body.metadata.managedFields ?? []
        expect.same(first, { ...scaled, manager: 'scaler', operation: 'Update' })
        expect.has(second, { operation: 'Update', time: /^\d{4}-/ })
      },
    },
    {
      name: 'an apply of a Scale owns the number of replicas, unless another manager does',
      source: 'k8s.io/apimachinery pkg/util/managedfields/scalehandler.go @ v0.36.3',
      async run({ make, patch, get, expect }) {
        const { metadata } = await make('deployments', deployment)
        const { name, namespace } = metadata
        const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace } }
        const wanted = { ...scale, spec: { replicas: 5 } }
        const path = 'deployments/a/scale?fieldManager=applier'
        expect.answer(await patch(path, 'apply', wanted), 409, { reason: 'Conflict' })
        expect.answer(await patch(`${path}&force=true`, 'apply', wanted), 200)
        const { body } = await get('deployments/a')
        expect.same(body.metadata.managedFields?.[0], { ...scaled, manager: 'applier', operation: 'Apply' })
      },
    },
    {
      name: 'the server owns the status of a CustomResourceDefinition',
      source: 'k8s.io/apiextensions-apiserver pkg/controller/status @ v0.36.3',
      async run(client) {
        const cars = await define(client)
        const { metadata } = (await client.get(`customresourcedefinitions/${cars.definition}`)).body
        const entries = (metadata.managedFields ?? []) as Readonly<Record<string, unknown>>[]
        const entry = entries.find(({ subresource }) => subresource === 'status')
        client.expect.has(entry, { manager: 'kube-apiserver', operation: 'Update', time: /^\d{4}-/ })
        const owned = { 'f:status': { 'f:acceptedNames': { 'f:kind': {} }, 'f:conditions': established } }
        client.expect.has(entry?.fieldsV1, owned)
      },
    },
    {
      name: 'an object with only a name has no owner',
      source: 'k8s.io/apimachinery pkg/util/managedfields/internal/stripmeta.go @ v0.36.3',
      async run({ make, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' } })
        expect.same(metadata.managedFields, undefined)
      },
    },
    {
      name: 'a change takes the field from its previous owner',
      source: doc,
      async run({ post, patch, expect }) {
        await post('configmaps?fieldManager=first', { metadata: { name: 'a' }, data: { x: '1', y: '1' } })
        const { body } = await patch('configmaps/a?fieldManager=second', 'merge', { data: { x: '2' } })
        expect.has(body.metadata.managedFields, [
          { manager: 'first', ...fields({ 'f:data': { '.': {}, 'f:y': {} } }) },
          { manager: 'second', ...fields({ 'f:data': { 'f:x': {} } }) },
        ])
      },
    },
    {
      name: 'a removed field has no owner',
      source: doc,
      async run({ post, patch, expect }) {
        await post('configmaps?fieldManager=first', { metadata: { name: 'a' }, data: { x: '1', y: '1' } })
        const { body } = await patch('configmaps/a?fieldManager=second', 'merge', { data: { x: null } })
        expect.has(body.metadata.managedFields, [
          { manager: 'first', ...fields({ 'f:data': { '.': {}, 'f:y': {} } }) },
        ])
      },
    },
    {
      name: 'a write without changes adds no owner',
      source: doc,
      async run({ post, patch, expect }) {
        const made = await post('configmaps?fieldManager=first', {
          metadata: { name: 'a' },
          data: { x: '1' },
        })
        const { body } = await patch('configmaps/a?fieldManager=second', 'merge', { data: { x: '1' } })
        expect.same(body, made.body)
      },
    },
    {
      name: 'elements of lists are owned by their keys, and defaults by the manager that omitted them',
      source: 'Kubernetes documentation, Server-Side Apply, "Merge strategy"',
      async run({ post, expect }) {
        const spec = { ports: [{ port: 80 }], selector: { app: 'a' } }
        const { body } = await post('services?fieldManager=first', { metadata: { name: 'a' }, spec })
        const port = { '.': {}, 'f:port': {}, 'f:protocol': {}, 'f:targetPort': {} }
        const ports = { '.': {}, 'k:{"port":80,"protocol":"TCP"}': port }
        const rest = {
          'f:internalTrafficPolicy': {},
          'f:selector': {},
          'f:sessionAffinity': {},
          'f:type': {},
        }
        expect.has(body.metadata.managedFields, [fields({ 'f:spec': { 'f:ports': ports, ...rest } })])
      },
    },
    {
      name: 'finalizers are owned by their value, and owner references by their uid',
      source: 'Kubernetes documentation, Server-Side Apply, "Merge strategy"',
      async run({ post, expect }) {
        const owner = { apiVersion: 'v1', kind: 'Secret', name: 'o', uid: 'u1' }
        const metadata = { name: 'a', finalizers: ['example.com/x'], ownerReferences: [owner] }
        const { body } = await post('configmaps', { metadata })
        expect.has(body.metadata.managedFields, [
          fields({
            'f:metadata': {
              'f:finalizers': { '.': {}, 'v:"example.com/x"': {} },
              'f:ownerReferences': { '.': {}, 'k:{"uid":"u1"}': {} },
            },
          }),
        ])
      },
    },
    {
      name: 'fields that are written through /status are owned separately',
      source: doc,
      async run({ post, patch, expect }) {
        const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } }
        await post('ingresses?fieldManager=first', { metadata: { name: 'a' }, spec })
        // No controller writes the status of an Ingress.
        const { body } = await patch('ingresses/a/status?fieldManager=second', 'merge', {
          status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
        })
        const owned = { 'f:status': { 'f:loadBalancer': { 'f:ingress': {} } } }
        expect.has(body.metadata.managedFields, [
          { manager: 'first' },
          { manager: 'second', subresource: 'status', ...fields(owned) },
        ])
      },
    },
    {
      name: 'an object without managedFields keeps them',
      source: 'k8s.io/apimachinery pkg/util/managedfields/fieldmanager.go @ v0.36.3',
      async run({ post, put, expect }) {
        const object = { metadata: { name: 'a' }, data: { x: '1' } }
        const made = await post('configmaps?fieldManager=first', object)
        const { body } = await put('configmaps/a?fieldManager=first', object)
        expect.same(body.metadata.managedFields, made.body.metadata.managedFields)
      },
    },
    {
      name: 'an empty list of managedFields clears them, and plain writes do not restore them',
      source: 'Kubernetes documentation, Server-Side Apply, "Clearing managedFields"',
      async run({ post, patch, expect }) {
        await post('configmaps', { metadata: { name: 'a' }, data: { x: '1' } })
        const cleared = await patch('configmaps/a', 'merge', { metadata: { managedFields: [{}] } })
        expect.same(cleared.body.metadata.managedFields, undefined)
        const changed = await patch('configmaps/a', 'merge', { data: { x: '2' } })
        expect.same(changed.body.metadata.managedFields, undefined)
      },
    },
    {
      name: 'more than ten updaters are merged, the oldest first',
      source: 'k8s.io/apimachinery pkg/util/managedfields/internal/capmanagers.go @ v0.36.3',
      async run({ post, patch, expect }) {
        await post('configmaps?fieldManager=m00', { metadata: { name: 'a' }, data: { k00: '1' } })
        for (let at = 1; at <= 11; at++) {
          const name = String(at).padStart(2, '0')
          await patch(`configmaps/a?fieldManager=m${name}`, 'merge', { data: { [`k${name}`]: '1' } })
        }
        const { body } = await patch('configmaps/a?fieldManager=m12', 'merge', { data: { k12: '1' } })
        const managers = (body.metadata.managedFields as { manager: string }[]).map(({ manager }) => manager)
        expect.same(managers.length, 10)
        expect.ok(managers.includes('ancient-changes'), 'one entry for the oldest updates')
        expect.ok(managers.includes('m12'), 'the latest with its name')
      },
    },
    {
      name: 'the name of a manager has at most 128 bytes',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ post, expect }) {
        const answer = await post(`configmaps?fieldManager=${'x'.repeat(129)}`, { metadata: { name: 'a' } })
        expect.invalid(answer, {
          kind: 'CreateOptions',
          group: 'meta.k8s.io',
          name: '',
          because: ['fieldManager: Too long: may not be more than 128 bytes'],
        })
      },
    },
    {
      name: 'force is only for applies',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/validation/validation.go @ v0.36.3',
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' } })
        expect.invalid(await patch('configmaps/a?force=true', 'merge', {}), {
          kind: 'PatchOptions',
          group: 'meta.k8s.io',
          name: '',
          because: ['force: Forbidden: may not be specified for non-apply patch'],
        })
      },
    },
    {
      name: 'a duplicate value of a list is owned by the manager that adds it again',
      source: 'sigs.k8s.io/structured-merge-diff v6.3.3 typed/compare.go',
      async run({ make, patch, expect }) {
        await make('configmaps?fieldManager=one', { metadata: { name: 'a', finalizers: ['x.example/a'] } })
        const body = [{ op: 'add', path: '/metadata/finalizers/-', value: 'x.example/a' }]
        const answer = await patch('configmaps/a?fieldManager=two', 'json', body)
        const owned = { 'f:metadata': { 'f:finalizers': { 'v:"x.example/a"': {} } } }
        expect.answer(answer, 200, {
          metadata: {
            finalizers: ['x.example/a', 'x.example/a'],
            managedFields: [
              {
                manager: 'one',
                fieldsV1: { 'f:metadata': { 'f:finalizers': { 'v:"x.example/a"': undefined } } },
              },
              { manager: 'two', fieldsV1: owned },
            ],
          },
        })
      },
    },
    {
      name: 'a status write without changes takes no field from its owner',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3',
      async run({ patch, expect }) {
        const metadata = {
          name: 'a',
          deletionTimestamp: '2020-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
        }
        const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] }
        const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec }
        const applied = await patch('pods/a?fieldManager=one', 'apply', pod)
        expect.answer(applied, 201)
        const { body } = await patch('pods/a/status?fieldManager=two', 'merge', {})
        expect.same(body.metadata.managedFields, applied.body.metadata.managedFields)
      },
    },
  ],
}
