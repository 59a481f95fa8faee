import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const source = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const conversion = 'k8s.io/kubernetes pkg/apis/core/v1/conversion.go @ v1.36.3'
const fixed = 'node updates may not change'
const labelKey = [
  'name part must be non-empty',
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
]

interface Refusal {
  readonly name: string
  readonly spec?: object
  readonly status?: object
  readonly because: readonly string[]
}

function refusesNode({ name, spec = {}, status, because }: Refusal): Case {
  return {
    name,
    source,
    async run({ post, namespace, expect }) {
      const answer = await post('nodes', { metadata: { name: namespace }, spec, status })
      expect.invalid(answer, { kind: 'Node', name: namespace, because })
    },
  }
}

/** The node is deleted at the end, because it is not in the namespace. */
async function withNode(
  client: CaseClient,
  spec: object,
  look: (node: string) => Promise<void>,
): Promise<void> {
  const name = client.namespace
  await client.make('nodes', { metadata: { name }, spec })
  try {
    await look(`nodes/${name}`)
  } finally {
    await client.delete(`nodes/${name}`)
  }
}

/** Nodes: their pod ranges, their taints, and their immutable fields. */
export const nodes: CaseGroup = {
  name: 'nodes',
  cases: [
    {
      name: 'the first range and the list of ranges are kept equal, and the first one decides',
      source: conversion,
      async run({ post, namespace, expect }) {
        for (const [given, podCIDRs] of [
          [{ podCIDR: '10.1.0.0/24' }, ['10.1.0.0/24']],
          [{ podCIDRs: ['10.1.0.0/24', '::/64'] }, ['10.1.0.0/24', '::/64']],
          [{ podCIDR: '10.2.0.0/24', podCIDRs: ['10.1.0.0/24'] }, ['10.2.0.0/24']],
        ] as const) {
          const node = await post('nodes?dryRun=All', { metadata: { name: namespace }, spec: given })
          expect.answer(node, 201, { spec: { podCIDR: podCIDRs[0], podCIDRs } })
        }
      },
    },
    {
      name: 'a create drops the configuration in the status',
      source: 'k8s.io/kubernetes pkg/registry/core/node/strategy.go @ v1.36.3',
      async run({ post, namespace, expect }) {
        const status = { phase: 'Running', config: { error: 'x' } }
        const { status: code, body } = await post('nodes?dryRun=All', {
          metadata: { name: namespace },
          status,
        })
        expect.same(code, 201)
        expect.has(body, { status: { phase: 'Running', config: undefined } })
      },
    },
    {
      name: 'a write with another list of ranges changes and owns nothing',
      source: conversion,
      async run(client) {
        await withNode(client, { podCIDR: '10.1.0.0/24' }, async (node) => {
          const change = { spec: { podCIDRs: ['10.2.0.0/24'] } }
          const { status, body } = await client.patch(`${node}?fieldManager=other`, 'merge', change)
          client.expect.same(status, 200)
          client.expect.has(body, { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } })
          const managers = (body.metadata.managedFields ?? []).map((each) => Object(each).manager)
          client.expect.same(managers.includes('other'), false)
        })
      },
    },
    {
      name: 'ranges, the provider and the external name are immutable',
      source,
      async run(client) {
        await withNode(client, { podCIDR: '10.1.0.0/24', providerID: 'a' }, async (node) => {
          const spec = { podCIDR: '10.3.0.0/24', podCIDRs: null, providerID: 'b', externalID: 'c' }
          client.expect.invalid(await client.patch(node, 'merge', { spec }), {
            kind: 'Node',
            name: client.namespace,
            because: [
              `spec.podCIDRs: Forbidden: ${fixed} podCIDR except from "" to valid`,
              `spec.providerID: Forbidden: ${fixed} providerID except from "" to valid`,
              'spec.externalID: Forbidden: may not be updated',
            ],
          })
        })
      },
    },
    refusesNode({
      name: 'the ranges of a node must be valid, with one per family',
      spec: { podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] },
      because: [
        'spec.podCIDRs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one CIDR for each IP family',
      ],
    }),
    refusesNode({
      name: 'a range of a node must not be a name',
      spec: { podCIDR: 'x' },
      because: [
        'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    }),
    refusesNode({
      name: 'taints need a key, a value and an effect, and must be unique',
      spec: {
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoSchedule', value: 'x' },
          { key: 'b', effect: 'Sometimes' },
          { effect: 'NoExecute' },
          { key: 'c' },
        ],
      },
      because: [
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"x","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
        'metadata.taints[2].effect: Unsupported value: "Sometimes": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ...labelKey.map((why) => `metadata.taints[3].key: Invalid value: "": ${why}`),
        'metadata.taints[4].effect: Required value',
      ],
    }),
    refusesNode({
      name: 'the capacity of a node must not be negative',
      status: { capacity: { cpu: '-1' } },
      because: ['capacity', 'allocatable'].map(
        (part) => `status.${part}.cpu: Invalid value: "-1": must be greater than or equal to 0`,
      ),
    }),
    {
      name: 'the addresses of a node must be unique',
      source,
      async run(client) {
        await withNode(client, {}, async (node) => {
          const address = { type: 'InternalIP', address: '1.2.3.4' }
          const status = { addresses: [address, address] }
          client.expect.invalid(await client.patch(`${node}/status`, 'merge', { status }), {
            kind: 'Node',
            name: client.namespace,
            because: ['status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"1.2.3.4"}'],
          })
        })
      },
    },
    {
      name: 'the configuration of a kubelet is dropped, but has an owner',
      source: 'k8s.io/kubernetes pkg/registry/core/node/strategy.go @ v1.36.3',
      async run({ post, namespace, expect }) {
        const configSource = { configMap: { uid: 'x', namespace: 'a', name: 'b', kubeletConfigKey: 'c' } }
        const node = await post('nodes?dryRun=All', { metadata: { name: namespace }, spec: { configSource } })
        expect.answer(node, 201, { spec: { configSource: undefined } })
        const [entry] = node.body.metadata.managedFields ?? []
        expect.has(entry, { fieldsV1: { 'f:spec': { 'f:configSource': { '.': {} } } } })
      },
    },
  ],
}
