import { fileURLToPath } from 'node:url'
import t from 'tap'
import { isNotFound, namespaces, serviceAccounts } from 'vcluster-plugin-sdk'
import { startEmbeddedVCluster } from 'vcluster-plugin-sdk/testing'

// The tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)

const programs = [fileURLToPath(new URL('main.ts', import.meta.url))]
const example = await startEmbeddedVCluster({ programs, authorization: 'rbac' })
t.teardown(() => example.stop())
const { vcluster, virtual } = example
const ask = (path: string, init: RequestInit = {}) => fetch(vcluster.url + path, init)

void t.test('the configured namespaces cannot be deleted, and others can', async (t) => {
  const refused = await ask('/api/v1/namespaces/default', { method: 'DELETE' })
  t.equal(refused.status, 403)
  t.match(await refused.json(), { kind: 'Status', message: 'this namespace is kept by a plugin' })
  t.equal((await virtual.get(namespaces, { namespace: '', name: 'default' })).metadata.name, 'default')
  await virtual.create(namespaces, { metadata: { name: 'shop' } })
  t.equal((await ask('/api/v1/namespaces/shop', { method: 'DELETE' })).status, 200)
  await vcluster.plugins[0]?.program.line('a namespace was kept')
  const gone = async () => {
    try {
      const { status } = await virtual.get(namespaces, { namespace: '', name: 'shop' })
      return status?.phase === 'Terminating'
    } catch (error) {
      return isNotFound(error)
    }
  }
  t.ok(await gone())
})

void t.test(
  'the access page identifies the sender of a token and shows the user’s permissions',
  async (t) => {
    t.equal((await ask('/plugin/access')).status, 401)
    const headers = { 'x-plugin-token': 'made up', authorization: 'Bearer made-up' }
    t.equal((await ask('/plugin/access', { headers })).status, 401)
    await virtual.create(serviceAccounts, { metadata: { namespace: 'default', name: 'ann' } })
    const asked = await ask('/api/v1/namespaces/default/serviceaccounts/ann/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
    })
    const { status } = (await asked.json()) as { status?: { token: string } }
    const answer = await ask('/plugin/access?namespace=shop', {
      headers: { 'x-plugin-token': status?.token ?? '' },
    })
    t.match(await answer.json(), {
      user: 'system:serviceaccount:default:ann',
      namespace: 'shop',
      mayListSecrets: false,
    })
  },
)

void t.test('requests that match no rule go to the API server', async (t) => {
  t.match(await (await ask('/api/v1/namespaces/default')).json(), { kind: 'Namespace' })
  t.equal((await ask('/plugin/other')).status, 404)
})
