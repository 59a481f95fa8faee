// Stored objects never change: readers of the history share them.
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type ApiServer, createApiServer } from '../api-server.js'
import { Collection } from '../store/collection.js'

const core = '/api/v1/namespaces/default'
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
}

/** A server whose objects cannot change any more once they are stored. */
async function frozenServer(t: Test): Promise<ApiServer> {
  const { apply } = Collection.prototype
  Collection.prototype.apply = function (this: Collection, change) {
    freeze(change.entry.object)
    apply.call(this, change)
  }
  t.teardown(() => {
    Collection.prototype.apply = apply
  })
  const server = await createApiServer()
  t.teardown(() => server.close())
  return server
}

async function send(server: ApiServer, method: string, path: string, body?: object) {
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
  const answer = await server.handle({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = Buffer.from(answer.body as Uint8Array).toString('utf8')
  t.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${text}`)
  await setImmediate()
  return JSON.parse(text) as Record<string, unknown>
}

void t.test('the usage of a quota is written into a new object', async (t) => {
  const server = await frozenServer(t)
  const spec = { hard: { 'count/configmaps': '9' } }
  await send(server, 'POST', `${core}/resourcequotas`, { metadata: { name: 'q' }, spec })
  await send(server, 'POST', `${core}/configmaps`, { metadata: { name: 'a' } })
  await send(server, 'DELETE', `${core}/configmaps/a`)
  t.match(await send(server, 'GET', `${core}/resourcequotas/q`), {
    status: { used: { 'count/configmaps': '1' } },
  })
})

void t.test('the conditions of a namespace are written into a new object', async (t) => {
  const server = await frozenServer(t)
  await send(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
  const metadata = { name: 'a', finalizers: ['x.example/hold'] }
  await send(server, 'POST', '/api/v1/namespaces/n/configmaps', { metadata })
  await send(server, 'DELETE', '/api/v1/namespaces/n')
  const { status } = await send(server, 'GET', '/api/v1/namespaces/n')
  t.equal(Object(status).conditions.length, 5)
})

void t.test('an aggregated role and restored endpoints are new objects', async (t) => {
  const server = await frozenServer(t)
  const labels = { of: 'me' }
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] }
  await send(server, 'POST', clusterRoles, { metadata: { name: 'all' }, aggregationRule, rules: [] })
  await send(server, 'POST', clusterRoles, { metadata: { name: 'part', labels }, rules })
  t.strictSame((await send(server, 'GET', `${clusterRoles}/all`)).rules, rules)
  await send(server, 'PATCH', `${core}/endpoints/kubernetes`, { subsets: [] })
  const { subsets } = await send(server, 'GET', `${core}/endpoints/kubernetes`)
  t.equal(Object(subsets).length, 1)
})
