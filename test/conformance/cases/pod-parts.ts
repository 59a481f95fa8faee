import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const ephemeral =
  'k8s.io/kubernetes pkg/apis/core/validation/validation.go, validateEphemeralContainers @ v1.36.3'
const resize = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go, ValidatePodResize @ v1.36.3'
const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } }
const containers = [{ name: 'c', image: 'i', resources }]
const join = ({ patch }: CaseClient, ...joining: readonly object[]) =>
  patch('pods/a/ephemeralcontainers', 'strategic', { spec: { ephemeralContainers: joining } })
const give = ({ patch }: CaseClient, wanted: object, container: object = {}) =>
  patch('pods/a/resize', 'strategic', {
    spec: { containers: [{ name: 'c', resources: wanted, ...container }] },
  })

const makePod = ({ make }: CaseClient, spec: object = {}) =>
  make('pods', { metadata: { name: 'a' }, spec: { containers, ...spec } })

function refusesEphemeral(name: string, joining: object, ...because: readonly string[]): Case {
  return {
    name,
    source: ephemeral,
    async run(client) {
      await makePod(client)
      client.expect.invalid(await join(client, joining), { kind: 'Pod', name: 'a', because })
    },
  }
}

function refusesResize(name: string, wanted: object, ...because: readonly string[]): Case {
  return {
    name,
    source: resize,
    async run(client) {
      await makePod(client)
      client.expect.invalid(await give(client, wanted), { kind: 'Pod', name: 'a', because })
    },
  }
}

const notTheirs = 'Forbidden: cannot be set for an Ephemeral Container'
const qos = 'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing'

/** Subresources of a running pod. */
export const podParts: CaseGroup = {
  name: 'pod-parts',
  cases: [
    {
      name: 'ephemeral containers can be added to a pod, and nothing else changes',
      source: 'Kubernetes documentation, Ephemeral Containers',
      async run(client) {
        await makePod(client)
        const joining = { name: 'e', image: 'x:1', command: ['sh'], targetContainerName: 'c' }
        const changed = {
          metadata: { labels: { app: 'b' } },
          spec: { activeDeadlineSeconds: 5, ephemeralContainers: [joining] },
        }
        const answer = await client.patch('pods/a/ephemeralcontainers', 'strategic', changed)
        const ephemeralContainers = [
          { ...joining, imagePullPolicy: 'IfNotPresent', terminationMessagePolicy: 'File', resources: {} },
        ]
        const spec = { ephemeralContainers, activeDeadlineSeconds: undefined }
        client.expect.answer(answer, 200, { metadata: { generation: 2, labels: undefined }, spec })
        client.expect.answer(await join(client, { name: 'f', image: 'x' }), 200, {
          metadata: { generation: 3 },
        })
        const { body } = await client.get('pods/a/ephemeralcontainers')
        const { ephemeralContainers: all } = body.spec as { ephemeralContainers: { name: string }[] }
        client.expect.same(all.map(({ name }) => name).sort(), ['e', 'f'])
      },
    },
    {
      name: 'ephemeral containers can be added by an apply',
      source: 'Kubernetes documentation, Ephemeral Containers',
      async run(client) {
        await makePod(client)
        const answer = await client.patch('pods/a/ephemeralcontainers?fieldManager=m', 'apply', {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'a' },
          spec: { ephemeralContainers: [{ name: 'e', image: 'x' }] },
        })
        client.expect.answer(answer, 200, { spec: { ephemeralContainers: [{ name: 'e' }] } })
        const entries = answer.body.metadata.managedFields as readonly { manager: string }[]
        const entry = entries.find(({ manager }) => manager === 'm')
        client.expect.has(entry, { operation: 'Apply', subresource: 'ephemeralcontainers' })
      },
    },
    {
      name: 'existing ephemeral containers are immutable',
      source: ephemeral,
      async run(client) {
        await makePod(client)
        await join(client, { name: 'e', image: 'x' })
        const removed = await client.patch('pods/a/ephemeralcontainers', 'merge', {
          spec: { ephemeralContainers: null },
        })
        const because = [
          'spec.ephemeralContainers: Forbidden: existing ephemeral containers "e" may not be removed\n',
        ]
        client.expect.invalid(removed, { kind: 'Pod', name: 'a', because })
        client.expect.answer(await join(client, { name: 'e', image: 'y' }), 422, {
          message: /existing ephemeral containers "e" may not be changed/,
        })
      },
    },
    refusesEphemeral(
      'an ephemeral container needs a unique name',
      { name: 'c', image: 'x' },
      'spec.ephemeralContainers[0].name: Duplicate value: "c"',
    ),
    refusesEphemeral(
      'an ephemeral container needs an image, and its target must exist',
      { name: 'e', targetContainerName: 'none' },
      'spec.ephemeralContainers[0].image: Required value',
      'spec.ephemeralContainers[0].targetContainerName: Not found: "none"',
    ),
    refusesEphemeral(
      'an ephemeral container has neither ports nor resources nor probes',
      {
        name: 'e',
        image: 'x',
        ports: [{ containerPort: 1 }],
        resources: { limits: { cpu: '1' } },
        livenessProbe: { exec: { command: ['a'] } },
        lifecycle: {},
      },
      `spec.ephemeralContainers[0].ports: ${notTheirs}`,
      `spec.ephemeralContainers[0].resources: ${notTheirs}`,
      `spec.ephemeralContainers[0].livenessProbe: ${notTheirs}`,
      `spec.ephemeralContainers[0].lifecycle: ${notTheirs}`,
    ),
    {
      name: 'subresources of a pod can be neither created nor deleted',
      source: 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      async run({ cluster, path, expect }) {
        for (const part of ['ephemeralcontainers', 'resize']) {
          for (const method of ['POST', 'DELETE']) {
            const { status } = await cluster.request({ method, path: path(`pods/a/${part}`) })
            expect.same({ part, method, status }, { part, method, status: 405 })
          }
        }
      },
    },
    {
      name: 'the subresources of a missing pod are not found',
      source: ephemeral,
      async run({ get, patch, expect }) {
        for (const part of ['ephemeralcontainers', 'resize']) {
          expect.notFound(await get(`pods/none/${part}`), 'pods', 'none')
          expect.notFound(await patch(`pods/none/${part}`, 'merge', {}), 'pods', 'none')
        }
      },
    },
    {
      name: 'the resources of a container can be resized, and nothing else changes',
      source: 'Kubernetes documentation, Resize CPU and Memory Resources assigned to Containers',
      async run(client) {
        await makePod(client)
        const wanted = { requests: { cpu: '200m', memory: '32Mi' }, limits: { memory: '256Mi' } }
        const answer = await give(client, wanted, { image: 'other' })
        const now = { requests: wanted.requests, limits: { cpu: '1', memory: '256Mi' } }
        const spec = { containers: [{ name: 'c', image: 'i', resources: now }] }
        client.expect.answer(answer, 200, { metadata: { generation: 2 }, spec })
        const [, entry] = answer.body.metadata.managedFields ?? []
        client.expect.has(entry, { subresource: 'resize', operation: 'Update' })
      },
    },
    refusesResize(
      'a resize must keep the quality of service',
      { requests: { cpu: '1', memory: '128Mi' } },
      qos,
    ),
    refusesResize(
      'a resize must not remove resources',
      { limits: { cpu: null } },
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    ),
    refusesResize(
      'a resize is only for CPU and memory',
      { requests: { 'ephemeral-storage': '1Gi' } },
      'spec: Forbidden: only cpu and memory resources are mutable',
    ),
    refusesResize(
      'a resize must stay within its limits',
      { requests: { cpu: '5' } },
      'spec.containers[0].resources.requests: Invalid value: "5": must be less than or equal to cpu limit of 1',
    ),
    {
      name: 'a resize must not add containers',
      source: resize,
      async run(client) {
        await makePod(client)
        const spec = { containers: [{ name: 'd', image: 'i' }] }
        client.expect.invalid(await client.patch('pods/a/resize', 'strategic', { spec }), {
          kind: 'Pod',
          name: 'a',
          because: ['spec.containers: Forbidden: containers may not be added or removed on resize'],
        })
      },
    },
    {
      name: 'a resize on a missing node is forbidden',
      source: 'k8s.io/kubernetes plugin/pkg/admission/podresize @ v1.36.3',
      async run(client) {
        await makePod(client, { nodeName: 'nowhere' })
        client.expect.refused(await give(client, { requests: { cpu: '200m' } }), {
          code: 403,
          reason: 'Forbidden',
          message: 'pods "a" is forbidden: node "nowhere" not found',
          details: { name: 'a', kind: 'pods' },
        })
        client.expect.answer(await give(client, resources), 200)
      },
    },
    {
      name: 'a resize beyond the node’s resources is forbidden',
      source: 'k8s.io/kubernetes plugin/pkg/admission/podresize @ v1.36.3',
      async run(client) {
        const node = `node-${client.namespace}`
        await client.make('nodes', { metadata: { name: node } })
        await client.patch(`nodes/${node}/status`, 'merge', {
          status: { allocatable: { cpu: '250m', memory: '1Gi' } },
        })
        const side = {
          name: 's',
          image: 'i',
          restartPolicy: 'Always',
          resources: { requests: { cpu: '50m' } },
        }
        await makePod(client, { nodeName: node, initContainers: [side] })
        const lack = 'cpu, requested: 350, allocatable: 250'
        client.expect.refused(await give(client, { requests: { cpu: '300m' } }), {
          code: 403,
          reason: 'Forbidden',
          message: `pods "a" is forbidden: node didn't have enough allocatable resources: ${lack}`,
          details: { name: 'a', kind: 'pods', causes: [{ reason: 'NodeCapacity' }] },
        })
        client.expect.answer(await give(client, { requests: { cpu: '200m' } }), 200)
        await client.delete(`nodes/${node}`)
      },
    },
  ],
}
