// A controller whose write the API refuses tries again after the next change, and does not end the process.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { type ApiServer, createApiServer } from '../api-server.js'

const core = '/api/v1/namespaces/default'
const services = `${core}/services`
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
const address = '10.96.0.1'

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
  await must(server, 'POST', `${core}/resourcequotas`, quota)
  await setImmediate()
  await must(server, 'DELETE', `${slices}/kubernetes`)
  await must(server, 'DELETE', `${services}/kubernetes`)
  await setImmediate()
  t.equal(await statusOf(server, `${services}/kubernetes`), 200)
  t.equal(await statusOf(server, `${slices}/kubernetes`), 200)
})

void t.test('it comes back when its address is free, and nothing else waits for it', async (t) => {
  const server = await started(t)
  await must(server, 'DELETE', `${services}/kubernetes`)
  await must(server, 'DELETE', `${core}/endpoints/kubernetes`)
  await must(server, 'POST', services, service('other', address))
  await must(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'later' } })
  await setImmediate()
  t.equal(await statusOf(server, `${services}/kubernetes`), 404)
  t.equal(await statusOf(server, `${core}/endpoints/kubernetes`), 200)
  t.equal(await statusOf(server, '/api/v1/namespaces/later/serviceaccounts/default'), 200)
  await must(server, 'DELETE', `${services}/other`)
  await setImmediate()
  t.match(await must(server, 'GET', `${services}/kubernetes`), { spec: { clusterIP: address } })
})

void t.test('a slice of another address type is replaced', async (t) => {
  const server = await started(t)
  await must(server, 'DELETE', `${slices}/kubernetes`)
  const endpoints = [{ addresses: ['fd00::1'] }]
  await must(server, 'POST', slices, { metadata: { name: 'kubernetes' }, addressType: 'IPv6', endpoints })
  await setImmediate()
  t.match(await must(server, 'GET', `${slices}/kubernetes`), {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'] }],
  })
})

void t.test('each default object of a namespace is restored as soon as its quota permits it', async (t) => {
  const server = await started(t)
  const quota = { metadata: { name: 'q' }, spec: { hard: { 'count/serviceaccounts': '0' } } }
  await must(server, 'POST', `${core}/resourcequotas`, quota)
  await setImmediate()
  await must(server, 'DELETE', `${core}/serviceaccounts/default`)
  await must(server, 'DELETE', `${core}/configmaps/kube-root-ca.crt`)
  await setImmediate()
  t.equal(await statusOf(server, `${core}/serviceaccounts/default`), 404)
  t.equal(await statusOf(server, `${core}/configmaps/kube-root-ca.crt`), 200)
  await must(server, 'DELETE', `${core}/resourcequotas/q`)
  await setImmediate()
  t.equal(await statusOf(server, `${core}/serviceaccounts/default`), 200)
})
