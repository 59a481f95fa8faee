import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { protobufBody, protobufMessage, protobufType } from '../protobuf-body.js'
import { caseResources } from '../resources.js'
import { cellsIn, tableHeaders } from '../shows.js'

const discovery = 'k8s.io/kubernetes pkg/controlplane @ v1.36.3'

/** One object of each kind of these groups, by its plural. */
const objects: Readonly<Record<string, object>> = {
  deviceclasses: { spec: { selectors: [{ cel: { expression: 'device.driver == "a.example.com"' } }] } },
  resourceclaims: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'a' } }] } } },
  resourceclaimtemplates: {
    spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'a' } }] } } },
  },
  resourceslices: {
    spec: {
      driver: 'a.example.com',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd', capacity: { memory: { value: '1024Mi' } } }],
    },
  },
  flowschemas: { spec: { priorityLevelConfiguration: { name: 'exempt' } } },
  prioritylevelconfigurations: {
    spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
  },
}

/** An APIService for a group that only this case uses. */
function apiService({ namespace }: CaseClient, spec: object = {}) {
  const group = `${namespace}.example.com`
  const service = { name: 's', namespace: 'n' }
  const wanted = { group, version: 'v1', service, insecureSkipTLSVerify: true, groupPriorityMinimum: 100 }
  return { metadata: { name: `v1.${group}` }, spec: { ...wanted, versionPriority: 5, ...spec } }
}

function objectOf(client: CaseClient, resource: string) {
  if (resource === 'apiservices') return apiService(client)
  return { metadata: { name: nameOf(client, resource) }, ...objects[resource] }
}

const nameOf = ({ namespace }: CaseClient, resource: string) =>
  caseResources[resource]?.namespaced === true ? 'a' : `a-${namespace}`

/** A resource can be listed, watched, changed and deleted, as an informer does. */
function isServed(resource: string): Case {
  return {
    name: `${resource} are listed, watched, changed and deleted`,
    source: discovery,
    async run(client) {
      const { get, make, patch, watch, expect } = client
      const { body: list } = await get(resource)
      expect.has(list, {
        kind: `${caseResources[resource]?.kind}List`,
        apiVersion: caseResources[resource]?.apiVersion,
      })
      const object = objectOf(client, resource)
      const { name } = object.metadata
      const events = await watch(
        `${resource}?resourceVersion=${list.metadata.resourceVersion}&fieldSelector=metadata.name%3D${name}`,
      )
      const made = await make(resource, object)
      const labels = { app: 'a' }
      expect.answer(await patch(`${resource}/${name}`, 'strategic', { metadata: { labels } }), 200)
      const answer = await client.delete(`${resource}/${name}`)
      expect.answer(answer, 200)
      const seen: string[] = []
      for (let event = await events.next(); event !== undefined; event = await events.next()) {
        seen.push(event.type)
        expect.same(event.object.metadata.uid, made.metadata.uid)
        if (event.type === 'DELETED') break
      }
      expect.same([seen[0], seen.at(-1)], ['ADDED', 'DELETED'])
      expect.answer(await get(`${resource}/${name}`), 404)
    },
  }
}

interface Filled {
  readonly resource: string
  readonly object: object
  readonly spec: object
  readonly generation?: number
}

function fillsIn({ resource, object, spec, generation }: Filled): Case {
  return {
    name: `missing fields of ${resource} get defaults`,
    source: 'defaults.go of the groups in k8s.io/kubernetes pkg/apis @ v1.36.3',
    async run(client) {
      const metadata = { name: nameOf(client, resource) }
      const answer = await client.post(`${resource}?dryRun=All`, { metadata, ...object })
      client.expect.answer(answer, 201, { spec, metadata: { generation } })
    },
  }
}

interface Refused {
  readonly resource: string
  readonly object?: object
  readonly because: readonly string[]
}

function refuses({ resource, object = {}, because }: Refused): Case {
  return {
    name: `${resource} without required fields are rejected`,
    source: 'validation.go of the groups in k8s.io/kubernetes pkg/apis @ v1.36.3',
    async run({ post, expect }) {
      const { kind = '', apiVersion = '' } = caseResources[resource] ?? {}
      const answer = await post(resource, { metadata: { name: 'a' }, ...object })
      expect.invalid(answer, { kind, group: apiVersion.split('/')[0] ?? '', name: 'a', because })
    },
  }
}

/** A write keeps the fields of a create, and `/status` cannot change the spec. */
function keeps(resource: string, { change, isFixed }: { change: object; isFixed: boolean }): Case {
  return {
    name: `the status of ${resource} is separate${isFixed ? ', and their spec immutable' : ''}`,
    source: discovery,
    async run(client) {
      const { make, patch, expect } = client
      const { metadata, spec } = await make(resource, objectOf(client, resource))
      const changed = { spec: change, metadata: { labels: { app: 'a' } } }
      const status = await patch(`${resource}/${metadata.name}/status`, 'merge', changed)
      expect.answer(status, 200, { spec, metadata: { labels: undefined } })
      const answer = await patch(`${resource}/${metadata.name}`, 'merge', { spec: change })
      if (isFixed)
        expect.answer(answer, 422, {
          message: /^\S+ "\S+" is invalid: spec: Invalid value: .*: field is immutable$/,
        })
      else expect.answer(answer, 200, { spec: change })
      await client.delete(`${resource}/${metadata.name}`)
    },
  }
}

interface Shown {
  readonly resource: string
  readonly cells: Readonly<Record<string, unknown>>
}

function showsCells({ resource, cells }: Shown): Case {
  return {
    name: `the cells of ${resource}`,
    source: 'k8s.io/kubernetes pkg/printers/internalversion/printers.go @ v1.36.3',
    async run(client) {
      const answer = await client.post(`${resource}?dryRun=All`, objectOf(client, resource), {
        headers: tableHeaders,
      })
      client.expect.answer(answer, 201, { kind: 'Table' })
      client.expect.has(cellsIn(answer), { Age: /^\d+s$/, ...cells })
    },
  }
}

const exactly = { deviceClassName: 'a', allocationMode: 'ExactCount', count: 1 }

/** Groups for the control plane and for devices. */
export const controlPlaneGroups: CaseGroup = {
  name: 'control-plane-groups',
  cases: [
    ...[...Object.keys(objects), 'apiservices'].map(isServed),
    {
      name: 'discovery contains the groups',
      source: discovery,
      async run({ get, expect }) {
        const groups = ['apiregistration.k8s.io', 'resource.k8s.io', 'flowcontrol.apiserver.k8s.io']
        const { body } = await get('/apis')
        const names = (body.groups as readonly { readonly name: string }[]).map(({ name }) => name)
        expect.same(
          groups.filter((group) => !names.includes(group)),
          [],
        )
        for (const [resource, { apiVersion, kind, namespaced }] of Object.entries(caseResources)) {
          if (!groups.includes(apiVersion.split('/')[0] ?? '')) continue
          const { resources = [] } = (await get(`/apis/${apiVersion}`)).body as {
            resources?: readonly { name: string }[]
          }
          expect.has(
            resources.find(({ name }) => name === resource),
            { kind, namespaced },
          )
        }
      },
    },
    fillsIn({
      resource: 'resourceclaims',
      object: objects.resourceclaims ?? {},
      spec: { devices: { requests: [{ name: 'r', exactly }] } },
    }),
    fillsIn({
      resource: 'resourceclaimtemplates',
      object: objects.resourceclaimtemplates ?? {},
      spec: { spec: { devices: { requests: [{ name: 'r', exactly }] } } },
    }),
    fillsIn({
      resource: 'resourceslices',
      object: objects.resourceslices ?? {},
      spec: { devices: [{ name: 'd', capacity: { memory: { value: '1Gi' } } }] },
      generation: 1,
    }),
    fillsIn({
      resource: 'flowschemas',
      object: objects.flowschemas ?? {},
      spec: { matchingPrecedence: 1000 },
      generation: 1,
    }),
    fillsIn({
      resource: 'prioritylevelconfigurations',
      object: objects.prioritylevelconfigurations ?? {},
      spec: {
        limited: {
          nominalConcurrencyShares: 30,
          lendablePercent: 0,
          limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        },
      },
      generation: 1,
    }),
    refuses({
      resource: 'flowschemas',
      because: ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
    }),
    refuses({ resource: 'prioritylevelconfigurations', because: ['spec.type: Required value'] }),
    refuses({
      resource: 'resourceslices',
      because: [
        'spec.driver: Required value',
        'spec.pool.name: Required value',
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
        'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
      ],
    }),
    refuses({
      resource: 'apiservices',
      object: {
        spec: { group: 'b.example.com', version: 'v1', groupPriorityMinimum: 20001, versionPriority: 1000 },
      },
      because: [
        'metadata.name: Invalid value: "a": must be `spec.version+"."+spec.group`: "v1.b.example.com"',
        'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      ],
    }),
    {
      name: 'the default port of an APIService is 443',
      source: 'k8s.io/kube-aggregator pkg/apis/apiregistration/v1/defaults.go @ v0.36.3',
      async run(client) {
        const answer = await client.post('apiservices?dryRun=All', apiService(client))
        client.expect.answer(answer, 201, { spec: { service: { port: 443 } } })
      },
    },
    {
      name: 'an update of an APIService needs its resourceVersion',
      source: 'k8s.io/kube-aggregator pkg/registry/apiservice/strategy.go @ v0.36.3',
      async run(client) {
        const { expect, make, put } = client
        const object = apiService(client)
        await make('apiservices', object)
        const { name } = object.metadata
        expect.answer(await put(`apiservices/${name}`, object), 422, {
          message: `apiservices.apiregistration.k8s.io "${name}" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
        })
        await client.delete(`apiservices/${name}`)
      },
    },
    keeps('resourceclaims', {
      change: { devices: { requests: [{ name: 'other', exactly }] } },
      isFixed: true,
    }),
    keeps('flowschemas', { change: { matchingPrecedence: 7 }, isFixed: false }),
    keeps('prioritylevelconfigurations', {
      change: { limited: { nominalConcurrencyShares: 7 } },
      isFixed: false,
    }),
    keeps('apiservices', { change: { versionPriority: 7 }, isFixed: false }),
    showsCells({ resource: 'resourceclaims', cells: { State: 'pending' } }),
    showsCells({
      resource: 'resourceslices',
      cells: { Node: 'n', Driver: 'a.example.com', Pool: 'p' },
    }),
    showsCells({
      resource: 'flowschemas',
      cells: {
        PriorityLevel: 'exempt',
        MatchingPrecedence: 1000,
        DistinguisherMethod: '<none>',
        MissingPL: '?',
      },
    }),
    showsCells({
      resource: 'prioritylevelconfigurations',
      cells: { Type: 'Limited', NominalConcurrencyShares: 30, Queues: 64, HandSize: 8, QueueLengthLimit: 50 },
    }),
    showsCells({ resource: 'apiservices', cells: { Service: 'n/s', Available: 'Unknown' } }),
    {
      name: 'a typed client creates a FlowSchema in protobuf',
      source: 'k8s.io/api flowcontrol/v1/generated.proto @ v0.36.3',
      async run(client) {
        const name = nameOf(client, 'flowschemas')
        const level = protobufMessage([1, 'exempt'])
        const message = protobufMessage(
          [1, protobufMessage([1, name])],
          [2, protobufMessage([1, level], [2, 9])],
        )
        const body = protobufBody('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', message)
        const answer = await client.post('flowschemas?dryRun=All', body, {
          headers: { 'content-type': protobufType },
        })
        const spec = { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 9 }
        client.expect.answer(answer, 201, { metadata: { name }, spec })
      },
    },
    {
      name: 'OpenAPI contains the schemas of the groups',
      source: 'Kubernetes documentation, The Kubernetes API, OpenAPI V3',
      async run({ get, expect }) {
        for (const [path, schema] of [
          ['resource.k8s.io/v1', 'io.k8s.api.resource.v1.ResourceClaim'],
          ['flowcontrol.apiserver.k8s.io/v1', 'io.k8s.api.flowcontrol.v1.FlowSchema'],
          ['apiregistration.k8s.io/v1', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService'],
        ] as const) {
          const { body } = await get(`/openapi/v3/apis/${path}`)
          const { schemas } = body.components as { schemas: Readonly<Record<string, unknown>> }
          expect.has(schemas[schema], { type: 'object' })
        }
      },
    },
  ],
}
