// A controller whose write the API refuses tries again after the next change, and does not end the process.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { type ApiServer, createApiServer } from '../api-server.js'

const CORE = '/api/v1/namespaces/default'
const SERVICES = `${CORE}/services`
const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
const ADDRESS = '10.96.0.1'

async function started(t: { teardown(done: () => unknown): void }): Promise<ApiServer> {
  const server = await createApiServer()
  t.teardown(() => server.close())
  return server
}

async function send(server: ApiServer, method: string, path: string, body?: object) {
  const answer = await server.handle({ method, path, ...(body && { body: JSON.stringify(body) }) })
  const text = Buffer.from(answer.body as Uint8Array).toString('utf8')
  return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> }
}

async function must(...args: Parameters<typeof send>): Promise<Record<string, unknown>> {
  const { status, body } = await send(...args)
  t.ok(status < 300, `${args[1]} ${args[2]}: ${status}`)
  return body
}

const statusOf = async (server: ApiServer, path: string) => (await send(server, 'GET', path)).status
const service = (name: string, clusterIP?: string) => ({
  metadata: { name },
  spec: { ports: [{ port: 443 }], ...(clusterIP && { clusterIP }) },
})

void t.test('the Service of the API server comes back in a namespace whose quota is used up', async (t) => {
  const server = await started(t)
  const quota = { metadata: { name: 'q' }, spec: { hard: { services: '1' } } }
  await must(server, 'POST', `${CORE}/resourcequotas`, quota)
  await setImmediate()
  await must(server, 'DELETE', `${SLICES}/kubernetes`)
  await must(server, 'DELETE', `${SERVICES}/kubernetes`)
  await setImmediate()
  t.equal(await statusOf(server, `${SERVICES}/kubernetes`), 200)
  t.equal(await statusOf(server, `${SLICES}/kubernetes`), 200)
})

void t.test('it comes back when its address is free, and nothing else waits for it', async (t) => {
  const server = await started(t)
  await must(server, 'DELETE', `${SERVICES}/kubernetes`)
  await must(server, 'DELETE', `${CORE}/endpoints/kubernetes`)
  await must(server, 'POST', SERVICES, service('other', ADDRESS))
  await must(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'later' } })
  await setImmediate()
  t.equal(await statusOf(server, `${SERVICES}/kubernetes`), 404)
  t.equal(await statusOf(server, `${CORE}/endpoints/kubernetes`), 200)
  t.equal(await statusOf(server, '/api/v1/namespaces/later/serviceaccounts/default'), 200)
  await must(server, 'DELETE', `${SERVICES}/other`)
  await setImmediate()
  t.match(await must(server, 'GET', `${SERVICES}/kubernetes`), { spec: { clusterIP: ADDRESS } })
})

void t.test('a slice of another address type is replaced', async (t) => {
  const server = await started(t)
  await must(server, 'DELETE', `${SLICES}/kubernetes`)
  const endpoints = [{ addresses: ['fd00::1'] }]
  await must(server, 'POST', SLICES, { metadata: { name: 'kubernetes' }, addressType: 'IPv6', endpoints })
  await setImmediate()
  t.match(await must(server, 'GET', `${SLICES}/kubernetes`), {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'] }],
  })
})

void t.test('each default object of a namespace is restored as soon as its quota permits it', async (t) => {
  const server = await started(t)
  const quota = { metadata: { name: 'q' }, spec: { hard: { 'count/serviceaccounts': '0' } } }
  await must(server, 'POST', `${CORE}/resourcequotas`, quota)
  await setImmediate()
  await must(server, 'DELETE', `${CORE}/serviceaccounts/default`)
  await must(server, 'DELETE', `${CORE}/configmaps/kube-root-ca.crt`)
  await setImmediate()
  t.equal(await statusOf(server, `${CORE}/serviceaccounts/default`), 404)
  t.equal(await statusOf(server, `${CORE}/configmaps/kube-root-ca.crt`), 200)
  await must(server, 'DELETE', `${CORE}/resourcequotas/q`)
  await setImmediate()
  t.equal(await statusOf(server, `${CORE}/serviceaccounts/default`), 200)
})
