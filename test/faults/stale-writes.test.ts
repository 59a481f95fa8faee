// Tests that a fault rule which makes reads stale changes no writes.
import t, { type Test } from 'tap'
import type { ApiServer } from '../../apiserver/api-server.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { configMapsPath, jsonType, listed, startServer, witness, write } from './faulty-server.js'

const namespacePath = '/api/v1/namespaces/default'
const deploymentsPath = '/apis/apps/v1/namespaces/default/deployments'
const deployment = {
  metadata: { name: 'a' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly type?: string
}

/** Sends a request as the user whose reads become stale; returns the status and the object of the answer. */
async function send(server: ApiServer, { method, path, body, type = 'application/json' }: Sent) {
  const headers = { 'content-type': type }
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await server.handle({ method, path, headers, ...content })
  const object = parseJson(answer.body as Uint8Array) as KubeObject & Record<string, unknown>
  return { status: answer.status, object }
}

/** Makes all reads but those of the witness show the present state until the test ends. */
function freeze(t: Test, server: ApiServer): void {
  const { resourceVersion } = server
  const rule = server.faults.add({ user: 'admin' }, { type: 'stale', resourceVersion })
  t.teardown(() => rule.remove())
}

async function replicasOf(server: ApiServer): Promise<unknown> {
  const answer = await server.handle({ method: 'GET', path: `${deploymentsPath}/a`, user: witness })
  return (parseJson(answer.body as Uint8Array) as { spec: { replicas: number } }).spec.replicas
}

void t.test('a write of a scale sees a change that reads do not see yet', async (t) => {
  const server = await startServer(t)
  await send(server, { method: 'POST', path: deploymentsPath, body: deployment })
  freeze(t, server)
  const type = 'application/merge-patch+json'
  const scalePath = `${deploymentsPath}/a/scale`
  const labels = { metadata: { labels: { changed: 'yes' } } }
  await send(server, { method: 'PATCH', path: `${deploymentsPath}/a`, type, body: labels })
  const patch = { method: 'PATCH', path: scalePath, type, body: { spec: { replicas: 2 } } }
  t.match(await send(server, patch), { status: 200, object: { spec: { replicas: 2 } } })
  t.equal(await replicasOf(server), 2)
  const put = { method: 'PUT', path: scalePath, body: { metadata: { name: 'a' }, spec: { replicas: 3 } } }
  t.match(await send(server, put), { status: 200 })
  t.equal(await replicasOf(server), 3)
  const read = await send(server, { method: 'GET', path: scalePath })
  t.match(read, { status: 200, object: { spec: { replicas: 1 } } }, 'a read of the scale is old')
})

void t.test('a scale of an object that reads do not see yet is written', async (t) => {
  const server = await startServer(t)
  freeze(t, server)
  await send(server, { method: 'POST', path: deploymentsPath, body: deployment })
  const path = `${deploymentsPath}/a/scale`
  t.match(await send(server, { method: 'GET', path }), { status: 404 })
  const body = { metadata: { name: 'a' }, spec: { replicas: 4 } }
  t.match(await send(server, { method: 'PUT', path, body }), { status: 200 })
  t.equal(await replicasOf(server), 4)
  const missing = { method: 'PUT', path: `${deploymentsPath}/b/scale`, body: { metadata: { name: 'b' } } }
  const object = { message: 'deployments.apps "b" not found' }
  t.match(await send(server, missing), { status: 404, object })
})

void t.test('a token is issued for an account that reads do not see yet', async (t) => {
  const server = await startServer(t)
  freeze(t, server)
  const path = `${namespacePath}/serviceaccounts`
  await send(server, { method: 'POST', path, body: { metadata: { name: 'a' } } })
  const token = { method: 'POST', path: `${path}/a/token`, body: { spec: {} } }
  t.match(await send(server, token), { status: 201, object: { kind: 'TokenRequest' } })
  const none = { ...token, path: `${path}/b/token` }
  t.match(await send(server, none), { status: 404, object: { message: 'serviceaccounts "b" not found' } })
})

void t.test('a delete of a collection deletes objects that reads do not see yet', async (t) => {
  const server = await startServer(t)
  freeze(t, server)
  await write(server, 'POST', 'a')
  const answer = await server.handle({ method: 'DELETE', path: configMapsPath, headers: jsonType })
  t.equal(answer.status, 200)
  t.notOk((await listed(server)).some(({ metadata }) => metadata.name === 'a'))
})
