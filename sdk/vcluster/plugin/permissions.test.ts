import { NEVER, startWith } from 'rxjs'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { testSession } from '../../../simulator/test-session.js'
import { createClient } from '../../engine/client/create-client.js'
import type { ClusterRuntime } from '../../engine/cluster/cluster-runtime.js'
import { configMaps, namespaces, nodes, pods, secrets, storageClasses } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type LogFields, type Logger, silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { RegisterContext } from '../context/register-context.js'
import { FakeSyncer } from '../syncer/fake-syncer.js'
import { requestAllStores } from '../syncer/reconcile/needed-stores.js'
import { Reconciler } from '../syncer/reconciler.js'
import type { Runnable } from '../syncer/runnable.js'
import { mirrorDown, mirrorUp } from '../syncer/translator/mirror.js'
import { NamespacedTranslator } from '../syncer/translator/namespaced-translator.js'
import type { Watches } from '../syncer/watches.js'
import { describePlugin, type PluginDescription } from './description.js'
import { type MissingPermissions, PermissionCheck } from './permission-check.js'
import { type NeededPermission, permissionsOf } from './permissions.js'
import { createPluginRuntime } from './plugin-runtime.js'
import type { Session } from './session.js'

async function described(
  runnablesOf: (ctx: RegisterContext) => readonly Runnable[],
): Promise<PluginDescription> {
  const env = { VCLUSTER_PLUGIN_DESCRIBE: '1', VCLUSTER_PLUGIN_NAME: 'mine' }
  const plugin = createPluginRuntime({ env })
  const ctx = await plugin.init()
  const runnables = runnablesOf(ctx)
  for (const one of runnables) if (one instanceof Reconciler) requestAllStores(one, ctx)
  const { reads: hostReads } = ctx.host as ClusterRuntime
  const { reads: virtualReads } = ctx.virtual as ClusterRuntime
  return describePlugin({ name: 'mine', runnables, hostReads, virtualReads })
}

class NodeMaker extends FakeSyncer {
  override readonly permissions = [
    { side: 'host', group: '', resource: 'pods/log', verbs: ['get'] },
    { side: 'host', group: '', resource: '/metrics', verbs: ['get'] },
    { side: 'host', group: 'apps', resource: 'deployments', verbs: ['get'], namespace: 'elsewhere' },
  ] as const

  constructor() {
    super('node-maker', nodes)
  }

  override modifyController(watches: Watches) {
    watches.watch(pods, { side: 'host', keysOf: () => [] })
    watches.watch(secrets, { side: 'host', namespace: 'shared', keysOf: () => [] })
  }

  async fakeSyncUp() {}
  async fakeSync() {}
}

class Elsewhere extends NamespacedTranslator {
  override readonly hostNamespaces = ['one', 'two']

  async syncDown() {}
  async sync() {}
}

/** `host configmaps in (target): get list (configmap)`, with a question mark for what is optional. */
function line({ side, group, resource, namespace, verbs, neededBy, optional }: NeededPermission): string {
  const kind = group === '' ? resource : `${resource}.${group}`
  const where = namespace === undefined ? '' : ` in ${namespace || 'all'}`
  return `${side} ${kind}${where}: ${verbs.join(' ')}${optional ? '?' : ''} (${neededBy.join(', ')})`
}

const ownLines = [
  'host services: get (the owner of copies)',
  'host services: list watch? (the owner of copies)',
  'virtual events.events.k8s.io: create patch? (Events)',
]

void t.test('the permissions of a plugin follow from its registrations', async (t) => {
  const down = await described((ctx) => [mirrorDown(ctx, configMaps)])
  t.strictSame(permissionsOf(down).map(line), [
    'host configmaps: create delete get list update watch (configmap-down, what the plugin watches)',
    'host configmaps: patch? (configmap-down)',
    'virtual configmaps: list watch (what the plugin watches)',
    ...ownLines,
  ])
  const up = await described((ctx) => [mirrorUp(ctx, storageClasses)])
  t.strictSame(permissionsOf(up).map(line), [
    'virtual storageclasses.storage.k8s.io: get list watch (storageclass-up, what the plugin watches)',
    'virtual storageclasses.storage.k8s.io: create delete patch update? (storageclass-up)',
    'host storageclasses.storage.k8s.io in all: list watch (what the plugin watches)',
    ...ownLines,
  ])
})

void t.test(
  'permissions include declared ones, those of additional watches, and those of a standalone plugin',
  async (t) => {
    const description = await described(() => [new NodeMaker()])
    t.strictSame(permissionsOf(description, { mode: 'standalone' }).map(line), [
      'virtual nodes: get list watch (node-maker, what the plugin watches)',
      'virtual nodes: create delete patch update? (node-maker)',
      'host pods: list watch (what the plugin watches)',
      'host secrets in shared: list watch (what the plugin watches)',
      'host pods/log: get (node-maker)',
      'host /metrics in all: get (node-maker)',
      'host deployments.apps in elsewhere: get (node-maker)',
      ...ownLines,
      'host leases.coordination.k8s.io: create get update (leadership)',
    ])
    t.strictSame(permissionsOf(description, { mode: 'standalone', isShared: true }).map(line).slice(-1), [
      'host leases.coordination.k8s.io: create delete get list update (leadership)',
    ])
  },
)

void t.test('a syncer that copies custom kinds of the host needs to read their definitions', async (t) => {
  // Not every group of Kubernetes is one that an API server has by itself.
  for (const group of ['example.com', 'gateway.networking.k8s.io', 'snapshot.storage.k8s.io']) {
    const gateways = { group, version: 'v1', kind: 'Gateway', plural: 'gateways', namespaced: false }
    const description = await described((ctx) => [mirrorUp(ctx, gateways)])
    const right = 'host customresourcedefinitions.apiextensions.k8s.io in all: get (gateway-up)'
    t.ok(permissionsOf(description).map(line).includes(right), group)
  }
})

void t.test('other namespaces of the host are listed by name', async (t) => {
  const description = await described((ctx) => [new Elsewhere(ctx, 'configmap', configMaps)])
  t.strictSame(permissionsOf(description).map(line).slice(0, 4), [
    'host configmaps in one: create delete get list update watch (configmap, what the plugin watches)',
    'host configmaps in one: patch? (configmap)',
    'host configmaps in two: create delete get list update watch (configmap, what the plugin watches)',
    'host configmaps in two: patch? (configmap)',
  ])
})

interface Ruled extends KubeObject {
  rules?: object[]
  roleRef?: object
  subjects?: object[]
}

const rbac = (kind: string, namespaced: boolean): Resource<Ruled> => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced,
})
const user = { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'plugin' }
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'plugin' }

/** A cluster that allows the user `plugin` what the rules say, in the namespace `vc-host` alone. */
async function ruled(t: Test, rules: object[]) {
  const server = await createApiServer({ authorization: 'rbac', controllers: false })
  t.teardown(() => server.close())
  const transport = inProcessTransport(server)
  const admin = createClient({ transport })
  const metadata = { namespace: 'vc-host', name: 'plugin' }
  await admin.create(namespaces, { metadata: { name: 'vc-host' } })
  await admin.create(rbac('Role', true), { metadata, rules })
  await admin.create(rbac('RoleBinding', true), { metadata, roleRef, subjects: [user] })
  const as = { user: user.name, groups: [], extra: {} }
  const acting: Transport = {
    request: (request) => transport.request({ ...request, as }),
    stream: (request) => transport.stream({ ...request, as }),
    close: () => transport.close(),
  }
  return { admin, acting }
}

function noting() {
  const logged: string[] = []
  const note = (level: string) => (_: LogFields, message: string) => void logged.push(`${level}: ${message}`)
  const logger: Logger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    child: () => logger,
  }
  return { logged, logger }
}

const rule = (resources: string[], ...verbs: string[]) => ({ apiGroups: [''], resources, verbs })
const may = (...verbs: string[]) => ({
  side: 'host' as const,
  group: '',
  resource: 'configmaps',
  verbs,
  neededBy: ['configmap'],
})

async function checking(t: Test, rules: object[], missing: MissingPermissions = 'fail') {
  const { admin, acting } = await ruled(t, rules)
  const { logged, logger } = noting()
  const { signal } = new AbortController()
  const options = { virtual: acting, host: acting, targetNamespace: 'vc-host', missing, logger, signal }
  return { admin, logged, check: new PermissionCheck(options) }
}

void t.test('a missing permission is reported with the rule to add, and its place', async (t) => {
  const { check, logged } = await checking(t, [rule(['configmaps', 'pods'], 'get', 'list')])
  await check.check([may('get', 'list')])
  await t.rejects(check.check([may('list', 'watch', 'create')]), {
    code: 'MISSING_PERMISSIONS',
    message:
      'the plugin may not watch, create configmaps in namespace vc-host of the host cluster, needed by configmap. ' +
      'Add to its Role there: - {apiGroups: [""], resources: ["configmaps"], verbs: ["watch", "create"]}',
  })
  await t.rejects(
    check.check([
      { ...may('list'), namespace: '' },
      { ...may('get'), resource: 'pods/log' },
    ]),
    {
      message:
        /may not list configmaps everywhere in the host cluster.* its ClusterRole: .*\n.*get pods\/log in namespace vc-host/,
    },
  )
  t.same(logged, [])
  await check.check([{ ...may('patch'), optional: true }])
  t.match(logged, [/^info: the plugin may not patch configmaps .*it does without/])
})

void t.test('`warn` only warns, and `ignore` does neither', async (t) => {
  const warned = await checking(t, [], 'warn')
  await warned.check.check([may('list')])
  t.match(warned.logged, [/^warn: the plugin may not list configmaps/])
  const ignored = await checking(t, [], 'ignore')
  await ignored.check.check([may('list')])
  t.same(ignored.logged, [])
})

void t.test('a plugin that may do everything on the host logs one warning', async (t) => {
  const { check, admin, logged } = await checking(t, [])
  await admin.create(rbac('ClusterRoleBinding', false), {
    metadata: { name: 'too-much' },
    roleRef: { ...roleRef, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [user],
  })
  await check.check([may('list'), may('get')])
  await check.check([{ ...may('list'), side: 'virtual' }, may('watch')])
  t.match(logged, [/^warn: the plugin may do everything in the host cluster/])
})

void t.test('the right to all resources is not the right to URLs', async (t) => {
  const { check, admin } = await checking(t, [])
  const metadata = { name: 'all-resources' }
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  await admin.create(rbac('ClusterRole', false), { metadata, rules })
  await admin.create(rbac('ClusterRoleBinding', false), {
    metadata,
    roleRef: { ...roleRef, kind: 'ClusterRole', name: metadata.name },
    subjects: [user],
  })
  await check.check([may('list')])
  await t.rejects(check.check([{ ...may('get'), resource: '/metrics', namespace: '' }]), {
    message: /may not get \/metrics everywhere .* its ClusterRole: - \{nonResourceURLs: \["\/metrics"\]/,
  })
})

void t.test('a cluster that does not tell is believed to allow it', async (t) => {
  const broken: Transport = {
    request: () => Promise.reject(new Error('no connection')),
    stream: () => Promise.reject(new Error('no connection')),
    close: async () => {},
  }
  const { signal } = new AbortController()
  const { logger } = noting()
  const options = { virtual: broken, host: broken, targetNamespace: 'vc-host', missing: 'fail' as const }
  await t.resolves(new PermissionCheck({ ...options, logger, signal }).check([may('list')]))
})

void t.test('a kind that may not be listed ends the start, even if it was requested late', async (t) => {
  const needed = [rule(['configmaps'], 'create', 'delete', 'get', 'list', 'update', 'watch')]
  const leader = { leader$: NEVER.pipe(startWith(true)), deadline: () => Number.POSITIVE_INFINITY }
  const start = async (rules: object[], runnableOf: (ctx: RegisterContext) => Runnable) => {
    const { acting } = await ruled(t, rules)
    const virtualServer = await createApiServer({ controllers: false })
    t.teardown(() => virtualServer.close())
    const order: string[] = []
    const session = testSession({
      vclusterName: 'vc',
      targetNamespace: 'vc-host',
      virtual: inProcessTransport(virtualServer),
      host: acting,
    })
    const facts = { ...session.facts, ownerService: undefined }
    const announce = async () => void order.push('announced')
    const lead = () => ({ ...leader, release: async () => {} })
    const asking: Session = { ...session, facts, announce, lead, asksPermissions: true }
    const plugin = createPluginRuntime({
      env: { VCLUSTER_PLUGIN_NAME: 'test' },
      logger: silentLogger,
      openSession: async () => asking,
    })
    plugin.register(runnableOf(await plugin.init()))
    return { order, ended: plugin.start() }
  }
  const mirror = (ctx: RegisterContext) => mirrorDown(ctx, configMaps)
  const unbound = await start([], mirror)
  await t.rejects(unbound.ended, {
    code: 'MISSING_PERMISSIONS',
    message: 'create, delete, get, list, update, watch',
  })
  t.same(unbound.order, [], 'vcluster gets no call')

  const late = await start(needed, (ctx) => ({
    name: 'late',
    init: async () => void ctx.host.store(secrets),
  }))
  await t.rejects(late.ended, { code: 'MISSING_PERMISSIONS', message: 'may not list, watch secrets' })
  const last = await start(needed, () => new NodeMaker())
  await t.rejects(last.ended, { code: 'MISSING_PERMISSIONS', message: 'get pods/log' })
})
