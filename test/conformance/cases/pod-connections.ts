import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const strategy = 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3'
const one = [{ name: 'c', image: 'i' }]
const two = [...one, { name: 'd', image: 'i' }]
const bad = (message: string) => ({ code: 400, reason: 'BadRequest', message })
const connections = ['exec', 'attach', 'portforward']

interface Asked {
  readonly name: string
  readonly spec: object
  /** The expected error for each path of the pod. */
  readonly refused: Readonly<Record<string, Parameters<CaseClient['expect']['refused']>[1]>>
}

function refuses({ name, spec, refused }: Asked): Case {
  return {
    name,
    source: strategy,
    async run({ make, get, expect }) {
      await make('pods', { metadata: { name: 'a' }, spec })
      for (const [part, expected] of Object.entries(refused))
        expect.refused(await get(`pods/a/${part}`), expected)
    },
  }
}

const noHost = bad('pod a does not have a host assigned')
const unknown = bad('container none is not valid for pod a')
const noNode = {
  code: 404,
  reason: 'NotFound',
  message: 'pods "nowhere" not found',
  details: { name: 'nowhere', kind: 'pods' },
}
const unnamed = bad('a container name must be specified for pod a, choose one of: [i c d]')

/** Runs a check with a pod on a node of this case, which is then deleted. */
async function onNode(client: CaseClient, status: object, ask: () => Promise<void>): Promise<void> {
  const node = `node-${client.namespace}`
  await client.make('nodes', { metadata: { name: node } })
  await client.patch(`nodes/${node}/status`, 'merge', { status })
  await client.make('pods', { metadata: { name: 'a' }, spec: { nodeName: node, containers: one } })
  await ask()
  await client.delete(`nodes/${node}`)
}

/** Errors of logs and connections without a kubelet. */
export const podConnections: CaseGroup = {
  name: 'pod-connections',
  cases: [
    {
      name: 'a pod without a node has no log',
      source: strategy,
      async run({ make, get, expect }) {
        const spec = { containers: two, initContainers: [{ name: 'i', image: 'i' }] }
        await make('pods', { metadata: { name: 'a' }, spec: { containers: one } })
        await make('pods', { metadata: { name: 'b' }, spec })
        for (const part of [
          'a/log',
          'a/log?follow=1&tailLines=5&previous=true',
          'b/log?container=i',
          'b/log?container=d',
        ]) {
          const { status, text } = await get(`pods/${part}`)
          expect.same({ part, status, text }, { part, status: 204, text: '' })
        }
      },
    },
    refuses({
      name: 'a pod without a node cannot be reached',
      spec: { containers: one },
      refused: Object.fromEntries(connections.map((part) => [part, noHost])),
    }),
    refuses({
      name: 'a container must exist',
      spec: { containers: one },
      refused: {
        'log?container=none': unknown,
        'exec?container=none&command=ls': unknown,
        'attach?container=none': unknown,
      },
    }),
    refuses({
      name: 'with several containers a name is required',
      spec: { containers: two, initContainers: [{ name: 'i', image: 'i' }] },
      refused: {
        log: unnamed,
        'log?container=': unnamed,
        exec: unnamed,
        attach: unnamed,
        portforward: noHost,
      },
    }),
    refuses({
      name: 'a node must exist',
      spec: { containers: one, nodeName: 'nowhere' },
      refused: Object.fromEntries(['log', ...connections].map((part) => [part, noNode])),
    }),
    {
      name: 'a pod must exist',
      source: strategy,
      async run({ get, post, expect }) {
        for (const part of ['log', ...connections])
          expect.notFound(await get(`pods/none/${part}`), 'pods', 'none')
        expect.notFound(await post('pods/none/exec?command=ls', {}), 'pods', 'none')
      },
    },
    {
      name: 'the options of a log are validated first',
      source: 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3',
      async run({ get, expect }) {
        const answer = await get('pods/none/log?tailLines=-1&limitBytes=0&sinceSeconds=-1&stream=All')
        expect.invalid(answer, {
          kind: 'PodLogOptions',
          name: 'none',
          because: [
            'tailLines: Invalid value: -1: must be greater than or equal to 0',
            'limitBytes: Invalid value: 0: must be greater than 0',
            'sinceSeconds: Invalid value: -1: must be greater than 0',
            'stream: Forbidden: may not be specified',
          ],
        })
        const both = await get('pods/none/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z')
        const why = '[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified'
        expect.invalid(both, { kind: 'PodLogOptions', name: 'none', because: [why] })
        const number = bad('strconv.ParseInt: parsing "x": invalid syntax')
        expect.refused(await get('pods/none/log?tailLines=x'), number)
      },
    },
    {
      name: 'a node without an address cannot be reached',
      source: 'k8s.io/kubernetes pkg/util/node/node.go @ v1.36.3',
      async run(client) {
        await onNode(client, {}, async () => {
          const refusal = { code: 500, message: 'no preferred addresses found; known addresses: []' }
          for (const part of ['log', ...connections])
            client.expect.refused(await client.get(`pods/a/${part}`), refusal)
        })
      },
    },
    {
      name: 'a node without a kubelet cannot be reached',
      source: strategy,
      async run(client) {
        const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]
        await onNode(client, { addresses, daemonEndpoints: { kubeletEndpoint: { Port: 1 } } }, async () => {
          const dialing = 'dial tcp 127.0.0.1:1: connect: connection refused'
          const url = `https://127.0.0.1:1/containerLogs/${client.namespace}/a/c`
          client.expect.answer(await client.get('pods/a/log'), 500, { message: `Get "${url}": ${dialing}` })
          const told = `Get "${url}?previous=true&tailLines=5": ${dialing}`
          client.expect.answer(await client.get('pods/a/log?tailLines=5&previous=1'), 500, { message: told })
          for (const part of connections) {
            client.expect.refused(await client.get(`pods/a/${part}`), bad('Upgrade request required'))
            const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' }
            const upgraded = await client.post(`pods/a/${part}?command=ls&stdout=1`, '', { headers })
            client.expect.answer(upgraded, 500, { message: `error dialing backend: ${dialing}` })
          }
        })
      },
    },
    {
      name: 'logs and connections can be neither changed nor deleted',
      source: 'k8s.io/apiserver pkg/endpoints/installer.go @ v0.36.3',
      async run({ cluster, path, expect }) {
        for (const part of ['log', ...connections]) {
          for (const method of ['PUT', 'PATCH', 'DELETE']) {
            const { status } = await cluster.request({ method, path: path(`pods/a/${part}`) })
            expect.same({ part, method, status }, { part, method, status: 405 })
          }
        }
      },
    },
  ],
}
