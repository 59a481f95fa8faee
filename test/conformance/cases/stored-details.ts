import type { CaseGroup } from '../case.js'

const labels = { app: 'a' }
const deployment = {
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}
const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [] }
const addressed = (member: object) => ({ endpoints: [{ addresses: ['10.0.0.1'], ...member }] })

/** Generations and owners of objects, in addition to the stored fields. */
export const storedDetails: CaseGroup = {
  name: 'stored-details',
  cases: [
    {
      name: 'a write to the status of a Deployment does not change its generation, even with annotations',
      source: 'k8s.io/kubernetes pkg/registry/apps/deployment/strategy.go @ v1.36.3',
      async run({ make, put, patch, expect }) {
        await make('deployments', deployment)
        const metadata = { name: 'a', annotations: { note: 'x' } }
        const written = await put('deployments/a/status', {
          ...deployment,
          metadata,
          status: { replicas: 1 },
        })
        expect.answer(written, 200, { metadata: { generation: 1, annotations: { note: 'x' } } })
        const changed = await patch('deployments/a/status', 'merge', { metadata: { annotations: null } })
        expect.answer(changed, 200, { metadata: { generation: 1, annotations: undefined } })
      },
    },
    {
      name: 'the members of a volume’s claim reference are owned separately',
      source: 'k8s.io/api core/v1/types.go @ v0.36.3, "+structType=granular"',
      async run({ make, patch, delete: remove, namespace: name, expect }) {
        const capacity = {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
        }
        await make('persistentvolumes', { metadata: { name }, spec: capacity })
        const bind = (manager: string, claimRef: object) =>
          patch(`persistentvolumes/${name}?fieldManager=${manager}`, 'merge', { spec: { claimRef } })
        await bind('binder', { namespace: 'a', name: 'b' })
        const { body } = await bind('other', { uid: 'x' })
        const owned = new Map(
          (body.metadata.managedFields ?? []).map((each) => [Object(each).manager, Object(each).fieldsV1]),
        )
        expect.same(owned.get('binder'), {
          'f:spec': { 'f:claimRef': { '.': {}, 'f:name': {}, 'f:namespace': {} } },
        })
        expect.same(owned.get('other'), { 'f:spec': { 'f:claimRef': { 'f:uid': {} } } })
        await remove(`persistentvolumes/${name}`)
      },
    },
    {
      name: 'a topology that an EndpointSlice drops changes the generation each time',
      source: 'k8s.io/kubernetes pkg/registry/discovery/endpointslice/strategy.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('endpointslices', { metadata: { name: 'a' }, ...slice })
        const generations: unknown[] = []
        for (const deprecatedTopology of [{ a: 'b' }, { a: 'b' }, {}]) {
          const { body } = await patch('endpointslices/a', 'merge', addressed({ deprecatedTopology }))
          expect.has(body, addressed({ deprecatedTopology: undefined }))
          generations.push(body.metadata.generation)
        }
        expect.same(generations, [2, 3, 3])
      },
    },
    {
      name: 'an empty list of ports has an owner',
      source: 'k8s.io/api discovery/v1/types.go @ v0.36.3',
      async run({ post, expect }) {
        const { body } = await post('endpointslices', { metadata: { name: 'a' }, ...slice })
        const [entry] = body.metadata.managedFields ?? []
        expect.same(Object(entry).fieldsV1, { 'f:addressType': {}, 'f:endpoints': {}, 'f:ports': {} })
      },
    },
    {
      name: 'hints of an endpoint are zones and nodes',
      source: 'k8s.io/kubernetes pkg/apis/discovery/validation/validation.go @ v1.36.3',
      async run({ post, expect }) {
        const hints = { forZones: [{ name: 'z' }, { name: 'z' }], forNodes: [{ name: 'A_' }] }
        const answer = await post('endpointslices', {
          metadata: { name: 'a' },
          ...slice,
          ...addressed({ hints }),
        })
        expect.invalid(answer, {
          kind: 'EndpointSlice',
          group: 'discovery.k8s.io',
          name: 'a',
          because: [
            'endpoints[0].hints.forZones[1].name: Duplicate value: "z"',
            "endpoints[0].hints.forNodes[0].name: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
          ],
        })
        const many = { forZones: Array.from({ length: 9 }, (_, at) => ({ name: `z${at}` })) }
        const tooMany = await post('endpointslices', {
          metadata: { name: 'a' },
          ...slice,
          ...addressed({ hints: many }),
        })
        expect.has(tooMany.body, {
          details: {
            causes: [
              { field: 'endpoints[0].hints.forZones', message: 'Too many: 9: must have at most 8 items' },
            ],
          },
        })
      },
    },
  ],
}
