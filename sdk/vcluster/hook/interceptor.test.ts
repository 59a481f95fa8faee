import t, { type Test } from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { createApiServer } from '../../../testing/index.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type LogFields, silentLogger } from '../../engine/observe/logger.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { systemClock } from '../../engine/time/clock.js'
import type { TransportRequest } from '../../engine/transport/transport.js'
import { type InterceptContext, Interceptor } from './interceptor.js'
import type { InterceptorRule } from './interceptor-rule.js'
import { checkTogether, Interceptors } from './interceptors.js'
import { requestAttributes } from './request-attributes.js'

class Answering extends Interceptor {
  readonly #answer: Interceptor['handle']

  constructor(answer: Interceptor['handle'], name = 'mine', rules: readonly InterceptorRule[] = [podRule]) {
    super(name, rules)
    this.#answer = answer
  }

  override handle(request: Request, ctx: InterceptContext) {
    return this.#answer(request, ctx)
  }
}

const podRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const named = (name: string, ...rules: InterceptorRule[]) => new Answering(() => new Response(), name, rules)

void t.test('a rule that vcluster would refuse is refused in its words', async (t) => {
  const loading = 'error while loading the plugins,'
  const both = (what: string, one: string) =>
    `${loading} interceptor for handler mine defines both * and other ${what}, or is empty. please either specify * or a list of ${one}`
  const notAtEnd = (url: string) =>
    `${loading} interceptor for non resource url ${url} defines a wildcard not at the end of the url, or is only a wildcard`
  const table: [InterceptorRule, string][] = [
    [{ ...podRule, verbs: [] }, 'verb is empty in interceptor plugin mine'],
    [{ ...podRule, resources: ['*', 'pods'] }, both('resources', 'resource')],
    [{ ...podRule, apiGroups: ['*', 'apps'] }, both('apigroups', 'apigroups')],
    [{ ...podRule, verbs: ['*', 'get'] }, both('verbs', 'verb')],
    [{ verbs: ['get'], apiGroups: [''] }, both('resources', 'resource')],
    [{ verbs: ['get'], resources: ['pods'] }, both('apigroups', 'apigroups')],
    [{ verbs: ['get'], nonResourceURLs: ['/a*/b'] }, notAtEnd('/a*/b')],
    [{ verbs: ['get'], nonResourceURLs: ['/a', '/b**'] }, notAtEnd('/b**')],
  ]
  for (const [rule, message] of table)
    t.throws(() => named('mine', rule), { code: 'INVALID_RULE', message: `interceptor mine: ${message}` })
  t.doesNotThrow(() => named('mine', { verbs: ['get'], nonResourceURLs: ['*', '/a/*', '/b'] }))
})

void t.test('an interceptor that could never be asked is refused', async (t) => {
  t.throws(() => named('mine'), { code: 'INVALID_RULE', message: /it has no rules/ })
  for (const name of ['', 'a b', 'a\n', '-a', 'ä'])
    t.throws(() => named(name, podRule), { code: 'INVALID_RULE' })
})

void t.test('rules that vcluster would not take together are refused in its words', async (t) => {
  const conflict = 'error while loading the plugins, there are conflicts with the wildcards'
  const table: [InterceptorRule, InterceptorRule][] = [
    [podRule, podRule],
    [podRule, { ...podRule, apiGroups: ['*'] }],
    [podRule, { ...podRule, resources: ['*'] }],
    [podRule, { ...podRule, verbs: ['*'] }],
    [{ ...podRule, resourceNames: ['a'] }, podRule],
    [
      { ...podRule, resourceNames: ['a', 'b'] },
      { ...podRule, resourceNames: ['b'] },
    ],
  ]
  for (const [one, other] of table) {
    const message = new RegExp(conflict)
    const pair = [named('one', one), named('other', other)]
    t.throws(() => checkTogether(pair), { code: 'INVALID_RULE', message })
    t.throws(() => checkTogether(pair.reverse()), { code: 'INVALID_RULE', message }, 'in either order')
    t.throws(() => checkTogether([named('both', one, other)]), { code: 'INVALID_RULE' })
  }
  t.throws(() => checkTogether([named('both', { ...podRule, apiGroups: ['*'] }, podRule)]), {
    message: `interceptor both: ${conflict}`,
  })
  const names = { ...podRule, resourceNames: ['a'] }
  t.doesNotThrow(() =>
    checkTogether([named('one', names), named('other', { ...names, resourceNames: ['b'] })]),
  )
  t.doesNotThrow(() =>
    checkTogether([named('one', podRule), named('other', { ...podRule, verbs: ['list'] })]),
  )
  t.throws(() => checkTogether([named('one', { ...podRule, verbs: ['get', 'get'] })]), {
    message:
      'interceptor one: error while loading the plugins, multiple interceptor plugins are registered for the same resource /pods verb get and resource name',
  })
  t.throws(() => checkTogether([named('one', { ...names, verbs: ['get', 'get'] })]), {
    message: /for the same resource \/pods , verb get and resource name a$/,
  })
  const path = { verbs: ['get'], nonResourceURLs: ['/probe/*'] }
  t.throws(() => checkTogether([named('one', path), named('other', path)]), {
    message:
      'interceptor other (together with one): error while loading the plugins, multiple interceptor plugins are registered for the same non resource url /probe/* and verb get',
  })
})

void t.test('a request is read as an API server reads it', async (t) => {
  const resource = (verb: string, rest: object = {}) => ({
    verb,
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace: '',
    name: '',
    ...rest,
  })
  const inA = { namespace: 'a' }
  const table: [string, string, object][] = [
    ['GET', '/api/v1/pods', resource('list')],
    ['GET', '/api/v1/pods?watch=1', resource('watch')],
    ['GET', '/api/v1/pods?watch=false', resource('list')],
    ['GET', '/api/v1/watch/namespaces/a/pods', resource('watch', inA)],
    [
      'GET',
      '/api/v1/pods?fieldSelector=status.phase%3DRunning,metadata.name%3Db',
      resource('list', { name: 'b' }),
    ],
    ['GET', '/api/v1/namespaces/a/pods/b', resource('get', { ...inA, name: 'b' })],
    [
      'POST',
      '/api/v1/namespaces/a/pods/b/exec',
      resource('create', { ...inA, name: 'b', subresource: 'exec' }),
    ],
    ['DELETE', '/api/v1/namespaces/a/pods', resource('deletecollection', inA)],
    ['DELETE', '/api/v1/namespaces/a/pods/b', resource('delete', { ...inA, name: 'b' })],
    ['PUT', '/api/v1/namespaces/a', resource('update', { ...inA, resource: 'namespaces', name: 'a' })],
    [
      'PUT',
      '/api/v1/namespaces/a/status',
      resource('update', { ...inA, resource: 'namespaces', name: 'a', subresource: 'status' }),
    ],
    [
      'PATCH',
      '/apis/apps/v1/deployments/b',
      resource('patch', { group: 'apps', resource: 'deployments', name: 'b' }),
    ],
    // An API server decodes the path first.
    ['GET', '/api/v1/namespaces%2Fa%2Fpods/b', resource('get', { ...inA, name: 'b' })],
    [
      'GET',
      '/api/v1/namespaces%2fa%2fpods%2fb%2flog/%FF',
      resource('get', { ...inA, name: 'b', subresource: 'log' }),
    ],
    ['GET', '/api/v1/namespaces/a/pods/%C3%A4%', resource('get', { ...inA, name: 'ä%' })],
    ['GET', '/api/v1', { verb: 'get', path: '/api/v1' }],
    ['GET', '/apis/apps', { verb: 'get', path: '/apis/apps' }],
    ['POST', '/probe/x?y=z', { verb: 'post', path: '/probe/x' }],
    ['GET', '/probe%2Fx%20y', { verb: 'get', path: '/probe/x y' }],
  ]
  for (const [method, path, attributes] of table)
    t.strictSame(requestAttributes({ method, url: `https://x${path}` }), attributes, `${method} ${path}`)
})

const nothing = { virtual: inProcessTransport({ handle: () => Promise.reject(new Error('no server')) }) }
const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }

function asking(answer: Interceptor['handle'], options: object = {}) {
  const interceptors = new Interceptors({
    interceptors: [new Answering(answer)],
    ...nothing,
    ...observed,
    ...options,
  })
  return (path = '/', init: RequestInit = {}) =>
    interceptors.handle('mine', new Request(`https://x${path}`, init))
}

void t.test('an error that an interceptor throws becomes a response', async (t) => {
  const errors: LogFields[] = []
  const logger = { ...silentLogger, error: (fields: LogFields) => errors.push(fields), child: () => logger }
  const ask = (answer: Interceptor['handle']) => asking(answer, { logger })()
  const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message: 'not here' })
  const refused = await ask(() => {
    throw forbidden
  })
  t.equal(refused.status, 403)
  t.match(await refused.json(), { kind: 'Status', reason: 'Forbidden', message: 'not here', code: 403 })
  t.equal(errors.length, 0, 'a refusal is not logged as an error')
  const failed = await ask(() => Promise.reject(new Error('secret')))
  t.equal(failed.status, 500)
  t.notMatch(await failed.text(), /secret/, 'the caller does not get the error')
  t.match(errors, [{ error: /secret/ }], 'the log does')
  const wrong = (() => 'text') as unknown as Interceptor['handle']
  t.equal((await ask(wrong)).status, 500)
  t.match(errors[1], { error: /it returned a string; return a Response/ })
})

void t.test('an error of the host is not for the caller', async (t) => {
  const errors: LogFields[] = []
  const logger = { ...silentLogger, error: (fields: LogFields) => errors.push(fields), child: () => logger }
  const transport = inProcessTransport(await createApiServer({ name: 'any' }))
  const key = { namespace: 'vcluster-vc', name: 'settings' }
  const answerOf = async (cluster: string) => {
    const client = createClient({ transport, cluster })
    const answer = await asking(async () => Response.json(await client.get(configMaps, key)), { logger })()
    return { status: answer.status, text: await answer.text() }
  }
  const hidden = await answerOf('host')
  t.equal(hidden.status, 500)
  t.notMatch(hidden.text, /settings/)
  t.match(errors, [{ error: /settings/ }], 'the log has it')
  t.match(await answerOf('virtual'), { status: 404, text: /settings/ })
})

void t.test('a name that the plugin does not have is not found', async (t) => {
  const interceptors = new Interceptors({ interceptors: [], ...nothing, ...observed })
  t.equal(interceptors.registrations, undefined)
  t.equal((await interceptors.handle('other', new Request('https://x/'))).status, 404)
})

const role: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
}
const binding: Resource = { ...role, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' }

/** A virtual cluster where Ann may read ConfigMaps, and what the plugin's transport is asked for. */
async function guarded(t: Test) {
  const server = await createApiServer({ name: 'virtual', authorization: 'rbac' })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create'] }]
  await client.create<KubeObject>(role, { metadata: { name: 'reader' }, rules } as KubeObject)
  await client.create<KubeObject>(binding, {
    metadata: { name: 'readers' },
    roleRef: { apiGroup: role.group, kind: 'ClusterRole', name: 'reader' },
    subjects: [{ apiGroup: role.group, kind: 'Group', name: 'readers' }],
  } as KubeObject)
  const passed: TransportRequest[] = []
  const noting = {
    request: (request: TransportRequest) => {
      passed.push(request)
      return transport.request(request)
    },
    close: async () => {},
    stream: (request: TransportRequest) => {
      passed.push(request)
      return transport.stream(request)
    },
  }
  return { virtual: noting, passed }
}

const ann = { user: 'ann', groups: ['readers', 'others'] }
const path = '/api/v1/namespaces/default/configmaps'

void t.test('a request is passed on as the anonymous user unless the author names a user', async (t) => {
  const { virtual, passed } = await guarded(t)
  const as = (forwarded?: Parameters<InterceptContext['forward']>[1]) =>
    asking((request, ctx) => ctx.forward(request, forwarded), { virtual })
  const refused = await as()(path)
  t.equal(refused.status, 403)
  t.match(await refused.json(), { message: /User "system:anonymous" cannot list/ })
  t.equal((await as({ as: ann })(path)).status, 200)
  t.equal((await as({ as: { ...ann, groups: [] } })(path)).status, 403)
  t.equal((await as({ as: 'plugin' })(path)).status, 200)
  const headers = {
    authorization: 'Bearer x',
    'impersonate-user': 'admin',
    'x-remote-user': 'admin',
    'x-mine': 'kept',
  }
  t.equal((await as({ as: ann })(path, { headers })).status, 200)
  t.strictSame(passed.at(-1)?.headers, { 'x-mine': 'kept' }, 'nothing of the request says who asks')
})

void t.test('a request is passed on with its body, and its answer comes as it arrives', async (t) => {
  const { virtual, passed } = await guarded(t)
  const ask = asking((request, ctx) => ctx.forward(request, { as: 'plugin' }), { virtual })
  const post = (object: object) => ask(path, { method: 'POST', headers: json, body: JSON.stringify(object) })
  const json = { 'content-type': 'application/json' }
  const leave = new AbortController()
  const watch = await ask(`${path}?watch=true&fieldSelector=metadata.name%3Done`, { signal: leave.signal })
  t.equal((await post({ metadata: { name: 'one' } })).status, 201)
  const { value } = (await watch.body?.getReader().read()) ?? {}
  t.match(JSON.parse(Buffer.from(value).toString()), { type: 'ADDED' })
  leave.abort()
  passed.length = 0
  t.equal((await post({ data: { a: 'x'.repeat(3 * 1024 * 1024) } })).status, 413)
  t.equal((await ask(path, { method: 'OPTIONS' })).status, 405)
  t.equal(passed.length, 0, 'none of both was passed on')
  const upgrade = await ask(`${path}/one`, { headers: { upgrade: 'websocket' } })
  t.equal(upgrade.status, 501, 'where there are no sockets')
})

void t.test('an interceptor can identify the user of a token, and check a user’s permissions', async (t) => {
  const { virtual } = await guarded(t)
  const answers = asking(
    async (request, ctx) => {
      const caller = await ctx.identify(request.headers.get('x-token') ?? '')
      return Response.json({ caller, access: await ctx.authorize(caller ?? ann) })
    },
    { virtual },
  )
  const on = async (path: string) => (await answers(path, { headers: { 'x-token': 'none' } })).json()
  t.match(await on(path), { access: { allowed: true, reason: /reader/ } })
  t.match(await on('/api/v1/namespaces/default/secrets/x'), { access: { allowed: false } })
  t.match(await on('/healthz'), { access: { allowed: false } })
  t.notOk(Object.hasOwn(Object(await on(path)), 'caller'), 'an invalid token has no user')
})
