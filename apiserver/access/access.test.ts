import { request as httpsRequest } from 'node:https'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { type ApiServer, createApiServer } from '../api-server.js'
import type { ApiServerOptions } from '../server/options.js'

const configMaps = '/api/v1/namespaces/default/configmaps'
const account = '/api/v1/namespaces/default/serviceaccounts/default'
const whoAmIPath = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'

interface Body {
  readonly [member: string]: Body
}

interface Requested {
  readonly path: string
  readonly body?: object
  readonly headers?: Record<string, string>
  readonly method?: string
}

async function startServer(t: Test, options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = await createApiServer(options)
  t.teardown(() => server.close())
  return server
}

/** Sends a POST if there is a body, otherwise a GET. */
async function call(server: ApiServer, { path, body, headers = {}, method }: Requested) {
  const { status, body: bytes } = await server.handle({
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    path,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('utf8') : ''
  return { status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Body }
}

async function readJson(chunks: AsyncIterable<Uint8Array>): Promise<Body> {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return JSON.parse(Buffer.concat(collected).toString('utf8'))
}

const bearing = (token: string) => ({ authorization: `Bearer ${token}` })

async function tokenFor(server: ApiServer, spec: object = {}): Promise<string> {
  const { body } = await call(server, { path: `${account}/token`, body: { spec } })
  return String(body.status?.token)
}

void t.test(
  'without RBAC every authenticated caller is allowed everything, and others nothing',
  async (t) => {
    const server = await startServer(t, { tokens: { secret: { name: 'ann', groups: ['dev'] } } })
    const list = (authorization: string) => call(server, { path: configMaps, headers: { authorization } })
    t.equal((await list('Bearer secret')).status, 200)
    t.equal((await list(`Bearer ${await tokenFor(server)}`)).status, 200)
    t.equal((await list('Bearer other')).status, 401)
    t.equal((await list('')).status, 401)
    const who = await call(server, { path: whoAmIPath, body: {}, headers: bearing('secret') })
    t.strictSame(who.body.status?.userInfo, { username: 'ann', groups: ['dev', 'system:authenticated'] })
  },
)

void t.test('a token expires by the clock of the server', async (t) => {
  let now = Date.parse('2030-01-01T00:00:00Z')
  const clock = { date: () => new Date(now), schedule: () => () => undefined }
  const server = await startServer(t, { authorization: 'rbac', clock })
  const token = await tokenFor(server, { expirationSeconds: 600 })
  const statusOf = async () =>
    (await call(server, { path: whoAmIPath, body: {}, headers: bearing(token) })).status
  now += 600_000
  t.equal(await statusOf(), 201, 'a minute is tolerated for clock skew')
  now += 61_000
  t.equal(await statusOf(), 401)
  const path = '/apis/authentication.k8s.io/v1/tokenreviews'
  const { body } = await call(server, { path, body: { spec: { token } } })
  t.strictSame(body.status?.error, '[invalid bearer token, service account token has expired]')
})

void t.test('the token of a deleted account that a finalizer keeps is invalid a minute later', async (t) => {
  let now = Date.parse('2030-01-01T00:00:00Z')
  const clock = { date: () => new Date(now), schedule: () => () => undefined }
  const server = await startServer(t, { authorization: 'rbac', clock })
  const hold = { finalizers: ['x.example/hold'] }
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await call(server, { path: accounts, body: { metadata: { name: 'a', ...hold } } })
  const { body } = await call(server, { path: `${accounts}/a/token`, body: { spec: {} } })
  const token = String(body.status?.token)
  const statusOf = async () =>
    (await call(server, { path: whoAmIPath, body: {}, headers: bearing(token) })).status
  await call(server, { path: `${accounts}/a`, method: 'DELETE' })
  now += 60_000
  t.equal(await statusOf(), 201)
  now += 1000
  t.equal(await statusOf(), 401)
  const path = '/apis/authentication.k8s.io/v1/tokenreviews'
  const review = await call(server, { path, body: { spec: { token } } })
  const why = 'service account default/a has been deleted'
  t.equal(String(review.body.status?.error), `[invalid bearer token, ${why}]`)
})

void t.test('a token that is bound to a Secret, or is in one, ends with the Secret', async (t) => {
  let now = Date.parse('2030-01-01T00:00:00Z')
  const clock = { date: () => new Date(now), schedule: () => () => undefined }
  const server = await startServer(t, { authorization: 'rbac', clock })
  const secrets = '/api/v1/namespaces/default/secrets'
  const annotations = { 'kubernetes.io/service-account.name': 'default' }
  const metadata = { name: 's', finalizers: ['x.example/hold'], annotations }
  await call(server, {
    path: secrets,
    body: { metadata, type: 'kubernetes.io/service-account-token' },
  })
  await setImmediate()
  const { body } = await call(server, { path: `${secrets}/s` })
  const stored = Buffer.from(String(body.data?.token), 'base64').toString('utf8')
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 's' }
  const bound = await tokenFor(server, { boundObjectRef })
  const statusOf = async (token: string) =>
    (await call(server, { path: whoAmIPath, body: {}, headers: bearing(token) })).status
  t.strictSame([await statusOf(stored), await statusOf(bound)], [201, 201])
  await call(server, { path: `${secrets}/s`, method: 'DELETE' })
  t.strictSame([await statusOf(stored), await statusOf(bound)], [401, 201])
  now += 61_000
  t.equal(await statusOf(bound), 401)
})

void t.test('a token that was changed, or that another server signed, is rejected', async (t) => {
  const server = await startServer(t)
  const token = await tokenFor(server)
  const [header = '', payload = '', signature = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url')
  const other = await tokenFor(await startServer(t))
  for (const bad of [`${header}.${forged}.${signature}`, `${header}.${payload}.`, 'a.b.c', other]) {
    t.equal((await call(server, { path: configMaps, headers: bearing(bad) })).status, 401)
  }
})

void t.test('a client certificate names its user, and groups may be sent in separate headers', async (t) => {
  const server = await startServer(t, { authorization: 'rbac' })
  await server.listen()
  const config = parse(await server.kubeconfig({ user: 'eve', groups: ['ops', 'system:masters'] }))
  const [{ user }] = config.users
  const [{ cluster }] = config.clusters
  const secret = (data: string) => Buffer.from(data, 'base64')
  const whoAmI = (headers: Record<string, string | string[]>) =>
    new Promise<Body>((resolve, reject) => {
      const call = httpsRequest(server.url + whoAmIPath, {
        method: 'POST',
        ca: secret(cluster['certificate-authority-data']),
        cert: secret(user['client-certificate-data']),
        key: secret(user['client-key-data']),
        agent: false,
        headers: { 'content-type': 'application/json', ...headers },
      })
      call.once('error', reject)
      call.once('response', (response) => resolve(readJson(response)))
      call.end('{}')
    })
  const self = (await whoAmI({})).status?.userInfo
  t.match(self, { username: 'eve', groups: ['ops', 'system:masters', 'system:authenticated'] })
  t.match(JSON.stringify(self?.extra), /X509SHA256=[0-9a-f]{64}/)
  const headers = { 'impersonate-user': 'bob', 'impersonate-group': ['a,b', 'c'] }
  const acted = (await whoAmI(headers)).status?.userInfo
  t.strictSame(acted, { username: 'bob', groups: ['a,b', 'c', 'system:authenticated'] })
})

void t.test('an untrusted certificate makes its bearer unauthenticated, not anonymous', async (t) => {
  const server = await startServer(t, { authorization: 'rbac', tokens: { ann: { name: 'ann', groups: [] } } })
  await server.listen()
  const elsewhere = await startServer(t)
  await elsewhere.listen()
  const otherUser = parse(await elsewhere.kubeconfig()).users[0].user
  const secret = (data: string) => Buffer.from(data, 'base64')
  const statusOf = (path: string, options: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const call = httpsRequest(server.url + path, { rejectUnauthorized: false, agent: false, ...options })
      call.once('error', reject)
      call.once('response', (response) => resolve(response.resume().statusCode))
      call.end()
    })
  const cert = {
    cert: secret(otherUser['client-certificate-data']),
    key: secret(otherUser['client-key-data']),
  }
  for (const path of ['/version', '/healthz', configMaps]) t.equal(await statusOf(path, cert), 401)
  t.equal(
    await statusOf('/version', { ...cert, headers: bearing('ann') }),
    200,
    'a token can still authenticate the caller',
  )
  t.equal(await statusOf('/version', {}), 200, 'anonymous')
})

void t.test(
  'impersonation that one mode forbids may be allowed by another, except of system:masters',
  async (t) => {
    const server = await startServer(t, {
      authorization: 'rbac',
      tokens: { ann: { name: 'ann', groups: [] } },
    })
    const rule = (verbs: string[], resources: string[], group: string) => ({
      verbs,
      resources,
      apiGroups: [group],
    })
    const rules = [
      rule(['impersonate:user-info'], ['users', 'groups'], 'authentication.k8s.io'),
      rule(['impersonate-on:user-info:list'], ['configmaps'], ''),
    ]
    const make = (plural: string, body: object) =>
      call(server, {
        path: `/apis/rbac.authorization.k8s.io/v1/${plural}`,
        body: { metadata: { name: 'x' }, ...body },
      })
    await make('clusterroles', { rules })
    const roleRef = { kind: 'ClusterRole', name: 'x' }
    await make('clusterrolebindings', { roleRef, subjects: [{ kind: 'User', name: 'ann' }] })
    const listAs = async (group: string) => {
      const headers = { ...bearing('ann'), 'impersonate-user': 'bob', 'impersonate-group': group }
      return String((await call(server, { path: configMaps, headers })).body.message)
    }
    t.match(await listAs('dev'), 'User "bob" cannot list', 'ann acts as bob, who may not list')
    t.match(await listAs('system:masters'), 'impersonating the system:masters group is not allowed')
  },
)

void t.test('a generated Role allows exactly its rules', async (t) => {
  const server = await startServer(t, { authorization: 'rbac' })
  const token = await tokenFor(server)
  const list = async () => (await call(server, { path: configMaps, headers: bearing(token) })).status
  t.equal(await list(), 403)
  const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }]
  await call(server, { path: `${roles}/roles`, body: { metadata: { name: 'r' }, rules } })
  const subjects = [{ kind: 'ServiceAccount', name: 'default' }]
  const body = { metadata: { name: 'r' }, roleRef: { kind: 'Role', name: 'r' }, subjects }
  await call(server, { path: `${roles}/rolebindings`, body })
  t.equal(await list(), 200)
  await call(server, { method: 'DELETE', path: `${roles}/roles/r` })
  t.equal(await list(), 403)
})

void t.test('the signing key and the issuer are available to verifiers of tokens', async (t) => {
  const server = await startServer(t)
  const { body } = await call(server, { path: '/openid/v1/jwks' })
  t.match(body, { keys: [{ use: 'sig', kty: 'EC', crv: 'P-256', alg: 'ES256' }] })
  const told = await call(server, { path: '/.well-known/openid-configuration' })
  t.match(told.body, { issuer: 'https://kubernetes.default.svc.cluster.local' })
})
