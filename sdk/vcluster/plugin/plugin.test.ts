import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ReplaySubject } from 'rxjs'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { createApiServer } from '../../../apiserver/api-server.js'
import { callHook } from '../../../simulator/call-hook.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { startVClusterProcess } from '../../../simulator/vcluster-process.js'
import type { VClusterProcessOptions } from '../../../simulator/vcluster-process-options.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { untilSettled } from '../../../testing/plugin/until-settled.js'
import type { RunningController } from '../../engine/controller/running-controller.js'
import { Probes } from '../../engine/health/probes.js'
import { shardView } from '../../engine/inspector/leadership-view.js'
import { shardText } from '../../engine/inspector/shard-text.js'
import { type ConfigMap, configMaps } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import { NetworkError } from '../../engine/kube/network-error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Leadership } from '../../engine/leader/leadership.js'
import { ShardAssignment } from '../../engine/leader/shard-assignment.js'
import { shardOf } from '../../engine/leader/shard-of.js'
import {
  credentialsCheck,
  leftOutCheck,
  memoryCheck,
  runsCheck,
  watchesCheck,
} from '../../engine/manager/checks.js'
import { IdleCollector } from '../../engine/manager/idle-collector.js'
import { StartProgress } from '../../engine/manager/start-progress.js'
import { createLogger } from '../../engine/observe/create-logger.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { processMemory } from '../../engine/observe/memory.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { StoreWriter } from '../../engine/store/store-writer.js'
import { systemClock } from '../../engine/time/clock.js'
import type { Transport, TransportRequest } from '../../engine/transport/transport.js'
import type { LabelMode, RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { ClientHook, type HookContext } from '../hook/client-hook.js'
import { hclogForm } from '../remote/v2/hclog-form.js'
import { FakeSyncer } from '../syncer/fake-syncer.js'
import type { Pair } from '../syncer/syncer.js'
import { NamespacedTranslator } from '../syncer/translator/namespaced-translator.js'
import { modeOf } from './mode.js'
import { checkNamespace } from './namespace-check.js'
import { findOwner } from './owner.js'
import type { Plugin } from './plugin.js'
import type { PluginRuntimeOptions } from './plugin-options.js'
import { createPluginRuntime } from './plugin-runtime.js'
import type { Session } from './session.js'
import { openSidecar } from './sidecar.js'

/** Leadership that a test gives and takes. */
class TestLeadership implements Leadership {
  readonly leader$ = new ReplaySubject<boolean>(1)
  deadlineMs = Number.NEGATIVE_INFINITY
  readonly #order: string[]

  constructor(order: string[]) {
    this.#order = order
  }

  win(): void {
    this.deadlineMs = Number.POSITIVE_INFINITY
    this.leader$.next(true)
  }

  lose(): void {
    this.deadlineMs = Number.NEGATIVE_INFINITY
    this.leader$.next(false)
  }

  deadline(): number {
    return this.deadlineMs
  }

  async release(): Promise<void> {
    this.#order.push('release')
  }
}

/** Copies ConfigMaps, and writes down when it is called. */
class OrderedSyncer extends NamespacedTranslator<ConfigMap> {
  readonly order: string[]
  beforeCreate: (ctx: SyncContext) => Promise<void> = async () => {}

  constructor(ctx: RegisterContext, name: string, order: string[]) {
    super(ctx, name, configMaps)
    this.order = order
  }

  override async init() {
    this.order.push(`init ${this.name}`)
  }

  override async registerIndices() {
    this.order.push(`registerIndices ${this.name}`)
  }

  override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
    this.order.push(`syncDown ${this.name}`)
    await this.beforeCreate(ctx)
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

interface SetUpOptions extends PluginRuntimeOptions {
  host?: Transport
  /** Opens the session when `open` is called, not before. */
  held?: boolean
  session?: Pick<Session, 'isWarm' | 'asksPermissions'>
}

async function setUp(t: Test, { host, held = false, session: more, ...options }: SetUpOptions = {}) {
  const order: string[] = []
  const leadership = new TestLeadership(order)
  const servers = {
    virtual: await emptyServer(),
    host: await emptyServer(),
  }
  const noting = (side: 'virtual' | 'host'): Transport => {
    const transport = inProcessTransport(servers[side])
    return {
      request: (request) => {
        if (request.path.includes('configmaps')) order.push(`${request.method} ${side}`)
        return transport.request(request)
      },
      stream: (request) => transport.stream(request),
      close: () => transport.close(),
    }
  }
  const session: Session = {
    facts: {
      pluginName: 'test',
      vclusterName: 'vc',
      targetNamespace: 'vc-host',
      currentNamespace: 'vc-host',
      labelMode: 'reserved',
      ownerService: undefined,
    },
    virtual: noting('virtual'),
    host: host ?? noting('host'),
    announce: async () => {
      order.push('announce')
    },
    lead: () => {
      order.push('lead')
      return leadership
    },
    close: async () => {
      order.push('close')
    },
    ...more,
  }
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  if (!held) open()
  const openSession = async () => {
    await opened
    return session
  }
  const plugin = createPluginRuntime({ env: {}, logger: silentLogger, openSession, ...options })
  await post(servers.host, '/api/v1/namespaces', { metadata: { name: 'vc-host' } })
  await post(servers.virtual, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'greeting' } })
  t.teardown(() => Promise.all([servers.virtual.close(), servers.host.close()]))
  const quiet = () => untilSettled({ plugin, servers: [servers.virtual, servers.host] })
  return { order, leadership, plugin, servers, session, quiet, open }
}

/** Options that serve health and metrics, and a way to read them. */
function inspection() {
  let url = ''
  const hear = (fields: object) => {
    url ||= String(Object(fields).url ?? '')
  }
  const read = async (path: string) => {
    const response = await fetch(url + path)
    return { status: response.status, text: await response.text() }
  }
  return {
    probes: new Probes({}),
    logger: { ...silentLogger, info: hear },
    read,
  }
}

/** A host whose API server never answers. */
const deaf: Transport = {
  request: () => new Promise(() => {}),
  stream: () => new Promise(() => {}),
  close: async () => {},
}

/** A server without the ConfigMap that a kube-apiserver creates, so that tests can count ConfigMaps. */
async function emptyServer() {
  const server = await createApiServer({ controllers: false })
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
  await server.handle({ method: 'DELETE', path })
  return server
}

async function post(
  server: Awaited<ReturnType<typeof createApiServer>>,
  path: string,
  object: object,
): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await server.handle({ method: 'POST', path, headers, body: JSON.stringify(object) })
}

async function copies(server: Awaited<ReturnType<typeof createApiServer>>): Promise<number> {
  const { body } = await server.handle({ method: 'GET', path: '/api/v1/namespaces/vc-host/configmaps' })
  return JSON.parse(Buffer.from(body as Uint8Array).toString()).items.length
}

const turns = async (count = 30) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

class OrderedFake extends FakeSyncer<ConfigMap> {
  readonly order: string[]

  constructor(name: string, order: string[]) {
    super(name, configMaps)
    this.order = order
  }

  override async init() {
    this.order.push(`init ${this.name}`)
  }

  override modifyController() {
    this.order.push(`modifyController ${this.name}`)
  }

  async fakeSyncUp() {}

  async fakeSync() {
    this.order.push(`fakeSync ${this.name}`)
  }
}

void t.test('the start follows the order that plugin authors know', async (t) => {
  const { order, leadership, plugin, quiet } = await setUp(t)
  const ctx = await plugin.init()
  const step = (name: string) => async () => void order.push(name)
  plugin.register(new OrderedFake('fake', order))
  plugin.register(Object.assign(new OrderedSyncer(ctx, 'first', order), { register: step('register first') }))
  plugin.register({ name: 'free', init: step('init free'), register: step('register free') })
  plugin.register(
    Object.assign(new OrderedSyncer(ctx, 'second', order), {
      modifyController: step('modifyController second'),
    }),
  )
  const ended = plugin.start()
  await turns()
  t.same(order, ['announce', 'lead'], 'nothing is read or run before leadership is won')
  leadership.win()
  await plugin.whenRunning()
  await quiet()
  const steps = order.filter((step) => !step.startsWith('POST'))
  t.same(steps.slice(2, 6), ['init fake', 'init first', 'init free', 'init second'])
  t.same(steps.slice(6, 8), ['registerIndices first', 'registerIndices second'])
  t.same(new Set(steps.slice(8, 10)), new Set(['GET virtual', 'GET host']), 'then one list of each side')
  const starts = steps.slice(10).filter((step) => !/sync/i.test(step))
  t.same(
    starts.slice(0, 4),
    ['modifyController fake', 'register first', 'register free', 'modifyController second'],
    'then each in the order of registration',
  )
  t.ok(steps.findIndex((step) => /sync/i.test(step)) > 10, 'and only then the first runs')
  await plugin.stop()
  await ended
  t.same(order.slice(-2), ['release', 'close'], 'leadership goes last')
})

void t.test('`init` gets the owner of copies, and may write', async (t) => {
  const { order, leadership, plugin, servers, session } = await setUp(t)
  Object.assign(session.facts, { ownerService: 'vc' })
  const service = { metadata: { name: 'vc' }, spec: { ports: [{ port: 443 }] } }
  await post(servers.host, '/api/v1/namespaces/vc-host/services', service)
  const ctx = await plugin.init()
  const object = { metadata: { namespace: 'vc-host', name: 'mine' } }
  await t.rejects(ctx.host.client.create(configMaps, object), { code: 'NOT_LEADER' }, 'not before it leads')
  const syncer = new OrderedSyncer(ctx, 'writer', order)
  syncer.init = async () => {
    t.match(ctx.owner(), { kind: 'Service', name: 'vc', uid: /./ })
    await ctx.host.client.create(configMaps, object)
  }
  plugin.register(syncer)
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  await plugin.stop()
  await ended
})

void t.test('a plugin that knows its memory sees the owner of copies go', async (t) => {
  const memory = { usedBytes: 0, limitBytes: 2 ** 30 }
  const { leadership, plugin, servers, session } = await setUp(t, { memory })
  Object.assign(session.facts, { ownerService: 'vc' })
  const services = '/api/v1/namespaces/vc-host/services'
  await post(servers.host, services, { metadata: { name: 'vc' }, spec: { ports: [{ port: 443 }] } })
  const ctx = await plugin.init()
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  t.match(ctx.owner(), { name: 'vc' })
  await servers.host.handle({ method: 'DELETE', path: `${services}/vc` })
  while (hasOwner(ctx)) await new Promise((resolve) => setImmediate(resolve))
  t.throws(() => ctx.owner(), /the Service of the vcluster, which owns the copies, is gone/)
  await plugin.stop()
  await ended
})

function hasOwner(ctx: RegisterContext): boolean {
  try {
    return ctx.owner() !== undefined
  } catch {
    return false
  }
}

void t.test('a plugin is idle while it runs and no key is under way', async (t) => {
  const { order, leadership, plugin } = await setUp(t)
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'busy', order)
  let finish = () => {}
  syncer.beforeCreate = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  plugin.register(syncer)
  t.equal(plugin.isIdle(), false, 'not before it runs')
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  await turns()
  t.equal(plugin.isIdle(), false)
  finish()
  await turns()
  t.equal(plugin.isIdle(), true)
  await plugin.stop()
  await ended
})

void t.test('the stores have our own writes before any watch delivers them', async (t) => {
  const { leadership, plugin, session } = await setUp(t)
  // Watches of this host open and then say nothing.
  const silent = ({ signal }: TransportRequest) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  Object.assign(session.host, { stream: silent })
  const ctx = await plugin.init()
  const store = ctx.host.store(configMaps)
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  const object = { metadata: { namespace: 'vc-host', name: 'mine' } }
  const { metadata } = await ctx.host.client.create(configMaps, object)
  t.equal(store.get(object.metadata)?.metadata.uid, metadata.uid)
  await ctx.host.client.delete(configMaps, object.metadata)
  t.equal(store.get(object.metadata), undefined)
  await plugin.stop()
  await ended
})

void t.test('nothing runs while one of the two first lists is missing', async (t) => {
  for (const side of ['virtual', 'host'] as const) {
    const { order, leadership, plugin, session } = await setUp(t)
    Object.assign(session[side], { request: deaf.request })
    plugin.register(new OrderedSyncer(await plugin.init(), 'waiting', order))
    const ended = plugin.start()
    leadership.win()
    await turns()
    t.notOk(order.includes('syncDown waiting'), side)
    t.equal(plugin.isIdle(), false)
    await plugin.stop()
    await ended
  }
})

void t.test('on the host only the target namespace is seen', async (t) => {
  const { leadership, plugin, servers } = await setUp(t)
  for (const namespace of ['vc-host', 'default'])
    await post(servers.host, `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'mine' } })
  const ctx = await plugin.init()
  const store = ctx.host.store(configMaps)
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  t.same(
    store.list().map(({ metadata }) => metadata.namespace),
    ['vc-host'],
  )
  await plugin.stop()
  await ended
})

void t.test('no write passes after leadership is lost, and the plugin ends', async (t) => {
  const { order, leadership, plugin, servers } = await setUp(t)
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'late', order)
  syncer.beforeCreate = async () => leadership.lose()
  plugin.register(syncer)
  const ended = plugin.start()
  leadership.win()
  await t.rejects(ended, { code: 'LEADERSHIP_LOST' })
  t.ok(order.includes('syncDown late'))
  t.equal(await copies(servers.host), 0)
})

void t.test('a vcluster process that restarts before the plugin leads ends the start', async (t) => {
  const { order, leadership, plugin } = await setUp(t)
  plugin.register(new OrderedSyncer(await plugin.init(), 'never', order))
  leadership.lose()
  await t.rejects(plugin.start(), { code: 'LEADERSHIP_LOST' })
  t.same(order, ['announce', 'lead', 'release', 'close'])
})

void t.test('a stop lets the run under way finish its write', async (t) => {
  const { order, leadership, plugin, servers } = await setUp(t)
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'slow', order)
  let finish = () => {}
  syncer.beforeCreate = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  plugin.register(syncer)
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  await turns()
  const stopped = plugin.stop()
  await turns()
  t.notOk(order.includes('release'), 'leadership is kept while a run is under way')
  finish()
  await stopped
  await ended
  t.equal(await copies(servers.host), 1)
  t.same(order.slice(-2), ['release', 'close'])
})

void t.test('a run that does not end is aborted by the deadline', async (t) => {
  const { order, leadership, plugin, servers } = await setUp(t, { stopDeadlineMs: 1 })
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'stuck', order)
  syncer.beforeCreate = async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    await turns(3)
    order.push('gave up')
    throw signal.reason
  }
  plugin.register(syncer)
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  await turns()
  await plugin.stop()
  await ended
  t.equal(await copies(servers.host), 0)
  t.same(order.slice(-3), ['gave up', 'release', 'close'], 'and has a moment to notice')
})

void t.test('a stop before leadership ends the waiting', async (t) => {
  const { order, plugin } = await setUp(t)
  const ctx = await plugin.init()
  plugin.register(new OrderedSyncer(ctx, 'never', order))
  const ended = plugin.start()
  await turns()
  await plugin.stop()
  await ended
  t.same(order, ['announce', 'lead', 'release', 'close'])
})

void t.test('a plugin that is stopped before its start closes its session', async (t) => {
  const { order, plugin } = await setUp(t)
  await plugin.init()
  await plugin.stop()
  t.same(order, ['close'])
})

void t.test('a plugin that is stopped while it announces itself never leads', async (t) => {
  const { order, plugin, session } = await setUp(t)
  let finish = () => {}
  session.announce = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  await plugin.init()
  const ended = plugin.start()
  await plugin.stop()
  await ended
  finish()
  await turns()
  t.same(order, ['close'])
})

void t.test('a stop while the caches fill ends the start', async (t) => {
  const { order, leadership, plugin } = await setUp(t, { host: deaf })
  const ctx = await plugin.init()
  plugin.register(new OrderedSyncer(ctx, 'early', order))
  const ended = plugin.start()
  leadership.win()
  await turns()
  t.ok(order.includes('GET virtual'))
  const running = plugin.whenRunning()
  void plugin.stop()
  await t.rejects(running, { code: 'STOPPED' })
  await ended
  t.same(order.slice(-2), ['release', 'close'])
})

void t.test('a stop right when the caches are synced runs nothing', async (t) => {
  const { order, leadership, plugin } = await setUp(t)
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'late', order)
  syncer.registerIndices = async () => {
    const stores = [ctx.virtual.store(configMaps), ctx.host.store(configMaps)]
    void Promise.all(stores.map((store) => store.whenSynced())).then(() => plugin.stop())
  }
  plugin.register(syncer)
  const ended = plugin.start()
  leadership.win()
  await ended
  await turns()
  t.notOk(order.includes('syncDown late'))
  t.same(order.slice(-2), ['release', 'close'])
})

void t.test('leadership lost while the caches fill ends the plugin', async (t) => {
  const { order, leadership, plugin } = await setUp(t, { host: deaf })
  const ctx = await plugin.init()
  plugin.register(new OrderedSyncer(ctx, 'early', order))
  const ended = plugin.start()
  leadership.win()
  await turns()
  leadership.lose()
  await t.rejects(ended, { code: 'LEADERSHIP_LOST' })
  t.same(order.slice(-2), ['release', 'close'])
})

void t.test('a stop does not wait for an init that hangs, and nothing follows it', async (t) => {
  const { order, leadership, plugin } = await setUp(t)
  const ctx = await plugin.init()
  const [hangs, next] = [new OrderedSyncer(ctx, 'hangs', order), new OrderedSyncer(ctx, 'next', order)]
  let finish = () => {}
  hangs.init = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  plugin.register(hangs)
  plugin.register(next)
  const ended = plugin.start()
  leadership.win()
  await turns()
  await plugin.stop()
  await ended
  finish()
  await turns()
  t.same(order, ['announce', 'lead', 'release', 'close'])
})

void t.test('a syncer that fails in init fails the start', async (t) => {
  const { order, leadership, plugin } = await setUp(t)
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'broken', order)
  syncer.init = async () => {
    throw new Error('no database')
  }
  plugin.register(syncer)
  leadership.win()
  await t.rejects(plugin.start(), { message: 'no database' })
  t.same(order.slice(-2), ['release', 'close'])
})

void t.test('a call in the wrong order is an error with its own code', async (t) => {
  const { order, plugin } = await setUp(t)
  t.throws(() => plugin.start(), { code: 'NOT_INITIALISED' })
  await t.rejects(plugin.whenRunning(), { code: 'NOT_STARTED' })
  const ctx = await plugin.init()
  await t.rejects(plugin.init(), { code: 'ALREADY_INITIALISED' })
  plugin.register(new OrderedSyncer(ctx, 'one', order))
  t.throws(() => plugin.register(new OrderedSyncer(ctx, 'one', order)), { code: 'DUPLICATE_NAME' })
  const ended = plugin.start()
  t.throws(() => plugin.register(new OrderedSyncer(ctx, 'two', order)), {
    code: 'ALREADY_STARTED',
    message: 'two was registered after plugin.start(); call plugin.register() before it',
  })
  t.throws(() => plugin.start(), { code: 'ALREADY_STARTED' })
  await plugin.stop()
  await ended
})

void t.test('a plugin that is stopped while it opens its session closes it', async (t) => {
  const { order, plugin, open } = await setUp(t, { held: true })
  const initialised = plugin.init()
  await t.rejects(plugin.init(), { code: 'ALREADY_INITIALISED' })
  await plugin.stop()
  open()
  await t.rejects(initialised, { code: 'STOPPED' })
  t.same(order, ['close'])
})

const opening = (env: Record<string, string>): Plugin => createPluginRuntime({ env, logger: silentLogger })
const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

void t.test('a sidecar that cannot use a kubeconfig leaves no connection behind', async (t) => {
  const openBefore = sockets()
  const kubeconfigs = { virtualKubeconfig: 'kind: Config', hostKubeconfig: 'kind: Config' }
  const vcluster = await startVClusterProcess({ ...kubeconfigs, name: 'vc' })
  t.teardown(() => vcluster.stop())
  const env = { VCLUSTER_PLUGIN_NAME: 'test', VCLUSTER_LISTEN_ADDRESS: vcluster.address }
  await t.rejects(opening(env).init(), { message: /the virtual kubeconfig from the vcluster process/ })
  while (sockets() > openBefore) await turns(1)
})

const usable = `{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], users: [{name: u, user: {}}],
  contexts: [{name: x, context: {cluster: c, user: u}}], current-context: x}`

/** The facts that a sidecar gets from a vcluster process. */
async function sidecarFacts(
  t: Test,
  process: Partial<VClusterProcessOptions>,
  init: { name?: string; labelMode?: LabelMode } = {},
) {
  const kubeconfigs = { virtualKubeconfig: usable, hostKubeconfig: usable }
  const vcluster = await startVClusterProcess({ ...kubeconfigs, name: 'vc', ...process })
  t.teardown(() => vcluster.stop())
  const env = { VCLUSTER_PLUGIN_NAME: 'from-env', VCLUSTER_LISTEN_ADDRESS: vcluster.address }
  const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }
  const { signal } = new AbortController()
  const session = await openSidecar({ env, signal, ...observed, ...init })
  await session.close()
  return session.facts
}

void t.test('a sidecar takes its facts from the vcluster process', async (t) => {
  const facts = await sidecarFacts(t, {}, { name: 'from-program' })
  t.match(facts, { pluginName: 'from-env', vclusterName: 'vc', targetNamespace: 'vcluster-vc' })
  t.match(facts, { labelMode: 'reserved', ownerService: 'vc' })
  const old = await sidecarFacts(t, { version: '0.19', targetNamespace: 'elsewhere' })
  t.match(old, { labelMode: 'hashed', targetNamespace: 'elsewhere' })
  t.equal(old.ownerService, undefined, 'an owner must stand in the namespace of what it owns')
  const told = await sidecarFacts(t, { version: '0.19' }, { labelMode: 'reserved' })
  t.equal(told.labelMode, 'reserved')
})

class LabelHook extends ClientHook<ConfigMap> {
  override mutateCreatePhysical(_: HookContext, object: ConfigMap) {
    const labels = { ...object.metadata.labels, hooked: 'yes' }
    return { ...object, metadata: { ...object.metadata, labels } }
  }
}

void t.test('a sidecar serves its hooks before it registers them, until it ends', async (t) => {
  const vcluster = await startVClusterProcess({
    virtualKubeconfig: usable,
    hostKubeconfig: usable,
    name: 'vc',
  })
  t.teardown(() => vcluster.stop())
  const plugin = opening({
    VCLUSTER_PLUGIN_NAME: 'test',
    VCLUSTER_PLUGIN_ADDRESS: 'localhost:0',
    VCLUSTER_LISTEN_ADDRESS: vcluster.address,
  })
  await plugin.init()
  plugin.register(new LabelHook('label', configMaps))
  const ended = plugin.start()
  const { address, clientHooks } = await vcluster.registered('test')
  t.match(address, /^127\.0\.0\.1:[1-9]\d*$/)
  t.same(clientHooks, [{ apiVersion: 'v1', kind: 'ConfigMap', types: ['CreatePhysical'] }])
  const asked = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    type: 'CreatePhysical',
    object: '{"metadata":{"name":"x"}}',
  }
  t.same(await callHook(address, asked), {
    mutated: true,
    object: '{"metadata":{"name":"x","labels":{"hooked":"yes"}}}',
  })
  await t.rejects(callHook(address, { ...asked, object: 'no JSON' }), { code: 2 })
  await plugin.stop()
  await ended
  await t.rejects(callHook(address, asked), { code: 14 })
})

void t.test('hooks without an address at which vcluster can call them are an error', async (t) => {
  const vcluster = await startVClusterProcess({
    virtualKubeconfig: usable,
    hostKubeconfig: usable,
    name: 'vc',
  })
  t.teardown(() => vcluster.stop())
  const plugin = opening({ VCLUSTER_PLUGIN_NAME: 'test', VCLUSTER_LISTEN_ADDRESS: vcluster.address })
  await plugin.init()
  plugin.register(new LabelHook('label', configMaps))
  await t.rejects(plugin.start(), {
    code: 'MISSING_ENVIRONMENT',
    message: /VCLUSTER_PLUGIN_ADDRESS is not set, and a plugin with hooks needs it/,
  })
})

const asked = { namespace: 'vc-host', service: 'vc', logger: silentLogger }
const unavailable = new ApiError({ code: 503, message: 'not now' })
const forbidden = new ApiError({ code: 403, message: 'no' })

void t.test('the owner of copies is the Service, asked for until the API server answers', async (t) => {
  const clock = new VirtualClock()
  const answers: (KubeObject | Error)[] = [unavailable, new Error('connection refused')]
  const get = async () => {
    const answer = answers.shift() ?? { metadata: { uid: 'u1' } }
    if (answer instanceof Error) throw answer
    return answer
  }
  const { signal } = new AbortController()
  const owner = findOwner({ ...asked, client: { get } as never, clock, signal })
  await clock.advance(60_000)
  t.same(await owner, { apiVersion: 'v1', kind: 'Service', name: 'vc', uid: 'u1' })
  answers.push(forbidden)
  await t.rejects(findOwner({ ...asked, client: { get } as never, clock, signal }), forbidden)
})

void t.test('a stop ends the search for the owner', async (t) => {
  const clock = new VirtualClock()
  const stop = new AbortController()
  const client = { get: async () => Promise.reject(unavailable) } as never
  const owner = findOwner({ ...asked, client, clock, signal: stop.signal })
  await clock.advance(10)
  stop.abort(new Error('stopped'))
  await t.rejects(owner, { message: 'stopped' })
  t.equal(clock.pending, 0)
})

void t.test('a long start logs its progress, every five seconds at most', async (t) => {
  const clock = new VirtualClock()
  const lines: string[] = []
  const store = { size: 0, synced: false, served: true }
  const unserved = { store: { size: 0, synced: false, served: false }, expected: undefined }
  const load = { waiting: 0, running: 32, background: 49_968, delayed: 0, workers: 32, isResyncing: false }
  let expected: number | undefined
  const progress = new StartProgress({
    clock,
    logger: { ...silentLogger, info: (_fields, message) => lines.push(message) },
    stores: () => [{ store, expected }, unserved],
    controllers: () => [{ load: () => load }],
  })
  t.equal(progress.view(), null)
  store.size = 500
  progress.recordPage()
  t.same(progress.view(), { step: 'listed', done: 500, total: null, perSecond: null, leftMs: null })
  Object.assign(store, { size: 1000 })
  expected = 2000
  await clock.advance(4999)
  progress.recordPage()
  t.same(lines, [])
  await clock.advance(1)
  progress.recordPage()
  progress.recordPage()
  t.same(lines.splice(0), ['listed 1,000 of 2,000 (100/s, 10 s left)'])
  store.synced = true
  await clock.advance(9000)
  progress.recordPage()
  t.same([progress.view(), lines], [null, []], 'a standby with full stores has nothing to tell')
  progress.begin()
  progress.keysEnqueued()
  t.match(progress.view(), { step: 'synced', done: 32, total: 50_000 })
  await clock.advance(5000)
  load.background -= 12_000
  for (let run = 0; run < 12_000; run++) progress.recordRun()
  t.same(lines.splice(0), ['synced 12,032 of 50,000 (2,406/s, 16 s left)'])
  await clock.advance(5000)
  progress.recordRun()
  t.same(lines.splice(0), ['synced 12,032 of 50,000 (1,203/s, 32 s left)'], 'a run more is of a change')
  Object.assign(load, { background: 0, waiting: 7, isResyncing: true })
  progress.recordRun()
  t.match(progress.view(), { step: 'synced' }, 'there are keys that are not enqueued yet')
  load.isResyncing = false
  progress.recordRun()
  t.same(lines.splice(0), ['every object has been looked at'], 'what changes does not count')
  await clock.advance(9000)
  progress.recordRun()
  progress.recordPage()
  t.same([progress.view(), lines], [null, []])
})

void t.test('memory is given back once much has run and nothing runs any more', async (t) => {
  const clock = new VirtualClock()
  let given = 0
  const memory = { usedBytes: 0, limitBytes: 1, releaseUnused: () => void given++ }
  const spare = new IdleCollector({ memory, clock })
  for (let run = 0; run < 999; run++) spare.recordRun()
  await clock.advance(60_000)
  t.equal(given, 0, 'a few runs are not worth it')
  spare.recordRun()
  await clock.advance(2000)
  spare.recordRun()
  await clock.advance(2999)
  t.equal(given, 0, 'somebody would wait')
  await clock.advance(1)
  t.equal(given, 1)
  await clock.advance(60_000)
  t.equal(given, 1)
  for (let run = 0; run < 1000; run++) spare.recordRun()
  spare.stop()
  const ending = new IdleCollector({ memory, clock })
  for (let run = 0; run < 999; run++) ending.recordRun()
  ending.stop()
  ending.recordRun()
  await clock.advance(60_000)
  t.equal(given, 1, 'a plugin that ends has nothing to gain')
})

void t.test('a start that is quick says nothing of it', async (t) => {
  const lines: string[] = []
  const load = { waiting: 0, running: 0, background: 0, delayed: 0, workers: 32, isResyncing: false }
  const progress = new StartProgress({
    clock: new VirtualClock(),
    logger: { ...silentLogger, info: (_fields, message) => lines.push(message) },
    stores: () => [],
    controllers: () => [{ load: () => load }],
  })
  progress.recordPage()
  progress.begin()
  progress.recordRun()
  t.match(progress.view(), { step: 'synced' }, 'not every syncer has begun')
  progress.keysEnqueued()
  t.same([progress.view(), lines], [null, []])
})

void t.test('if replicas share the work, the view names the replica in charge of a key', async (t) => {
  const holder = (shard: number) => (shard === 0 ? 'one_a' : '')
  const assignment = new ShardAssignment({ count: 2, deadline: () => 0, holder, onQuiet: () => {} })
  const keys = ['a', 'b', 'c', 'd'].map((namespace) => ({ namespace, name: 'x' }))
  const inShard = (shard: number) =>
    keys.find((key) => shardOf(key, 2) === shard) ?? { namespace: '', name: '' }
  const of = (shard: number) => shardView({ assignment }, inShard(shard))
  t.same(of(0), { shard: 0, count: 2, isOurs: false, holder: 'one_a' })
  t.same(of(1), { shard: 1, count: 2, isOurs: false, holder: null })
  assignment.gain(1)
  t.match(of(1), { isOurs: true })
  t.equal(shardView({}, inShard(0)), null, 'one replica does all')
  t.equal(
    shardText({ shard: 1, count: 2, isOurs: false, holder: null }),
    'shard 1 of 2, which no replica serves now',
  )
})

void t.test('the environment tells the mode', async (t) => {
  t.equal(modeOf({ VCLUSTER_PLUGIN: 'vcluster', VCLUSTER_PLUGIN_NAME: 'x' }), 'in-syncer')
  t.equal(modeOf({ VCLUSTER_PLUGIN_NAME: 'x' }), 'sidecar')
  t.equal(modeOf({ VCLUSTER_PLUGIN_ADDRESS: 'localhost:14000' }), 'sidecar')
  t.equal(modeOf({}), 'standalone')
})

void t.test(
  'the environment tells how much is logged, and a wrong word does not end the plugin',
  async (t) => {
    const cases: [Record<string, string>, string][] = [
      [{}, 'info'],
      [{ LOG_LEVEL: '' }, 'info'],
      [{ LOG_LEVEL: '', DEBUG: 'true' }, 'debug'],
      [{ LOG_LEVEL: 'WARN', DEBUG: 'true' }, 'warn'],
      [{ LOG_LEVEL: 'silent' }, 'silent'],
      [{ LOG_LEVEL: 'verbose' }, 'info'],
      [{ LOG_LEVEL: 'constructor' }, 'info'],
    ]
    for (const [env, level] of cases) t.match(createLogger(env), { level }, JSON.stringify(env))
  },
)

void t.test('an environment that cannot work is explained', async (t) => {
  await t.rejects(opening({}).init(), {
    code: 'MISSING_ENVIRONMENT',
    message: /needs VIRTUAL_KUBECONFIG.*TARGET_NAMESPACE in the environment; .*, use vcluster-plugin dev\.$/,
  })
  const later = { VCLUSTER_PLUGIN: 'vcluster', PLUGIN_PROTOCOL_VERSIONS: '2,3' }
  await t.rejects(opening(later).init(), { code: 'VCLUSTER_TOO_NEW', message: /2, 3/ })
  await t.rejects(opening({ VCLUSTER_PLUGIN_ADDRESS: 'localhost:14000' }).init(), { code: 'NO_PLUGIN_NAME' })
  const given = {
    VIRTUAL_KUBECONFIG: '/nowhere',
    HOST_KUBECONFIG: '/nowhere',
    VCLUSTER_NAME: 'vc',
    TARGET_NAMESPACE: 'n',
  }
  await t.rejects(opening(given).init(), { message: /\/nowhere/ })
  const unfit = { ...given, TARGET_NAMESPACE: 'bad/configmaps/../../kube-system' }
  await t.rejects(opening(unfit).init(), {
    code: 'INVALID_NAME',
    message: /^TARGET_NAMESPACE must be a DNS label, got "bad\/conf/,
  })
  await t.rejects(opening({ ...given, VCLUSTER_NAME: 'Vc' }).init(), {
    code: 'INVALID_NAME',
    message: /^VCLUSTER_NAME must be a DNS label, got "Vc": use at most 63 lower-case letters/,
  })
})

void t.test('a plugin whose target namespace does not exist ends with its name', async (t) => {
  const server = await createApiServer({ controllers: false })
  const { plugin, order } = await setUp(t, {
    host: inProcessTransport(server),
    session: { asksPermissions: true },
  })
  const ctx = await plugin.init({ missingPermissions: 'ignore' })
  plugin.register(new OrderedSyncer(ctx, 'only', order))
  await t.rejects(plugin.start(), { code: 'NO_NAMESPACE', message: /no namespace vc-host/ })
  t.notOk(order.includes('lead'), 'it never tried to lead')
})

void t.test(
  'a target namespace that does not exist is named, and one that may not be read is taken',
  async (t) => {
    const asked: string[] = []
    const host = (status: number): Transport => ({
      request: async ({ path }) => {
        asked.push(path)
        return { status, headers: {}, body: Buffer.from('{}') }
      },
      stream: () => Promise.reject(new Error('not asked here')),
      close: async () => {},
    })
    const check = (status: number) => {
      const session = { host: host(status), facts: { targetNamespace: 'vc-host' } } as unknown as Session
      return checkNamespace(session, { logger: silentLogger, signal: new AbortController().signal })
    }
    await t.rejects(check(404), {
      code: 'NO_NAMESPACE',
      message: /^the host cluster has no namespace vc-host, .* create it, or correct TARGET_NAMESPACE/,
    })
    for (const status of [200, 403, 500]) await check(status)
    t.match(asked, Array(4).fill('/api/v1/namespaces/vc-host'))
  },
)

void t.test('health, readiness and metrics are served from init until the stop', async (t) => {
  const { read, ...inspected } = inspection()
  const { leadership, plugin, quiet, order } = await setUp(t, inspected)
  const ctx = await plugin.init()
  t.match(await read('/livez'), { status: 200, text: /\[\+\]event-loop ok/ })
  t.match(await read('/readyz'), { status: 503, text: /the plugin is starting/ })
  plugin.register(new OrderedSyncer(ctx, 'only', order))
  const ended = plugin.start()
  leadership.win()
  await plugin.whenRunning()
  await quiet()
  t.match(await read('/readyz'), { status: 200 })
  t.match(await read('/healthz'), {
    status: 200,
    text: /virtual-watches ok\n\[\+\]host-watches ok\n\[\+\]runs ok/,
  })
  const { text } = await read('/metrics')
  t.match(text, /^leader_election_master_status\{name="plugin"\} 1$/m)
  t.match(text, /^controller_runtime_reconcile_total\{controller="only",result="success"\} [1-9]/m)
  t.match(text, /^workqueue_depth\{name="only",priority="live"\} 0$/m)
  await plugin.stop()
  await ended
  await t.rejects(read('/healthz'))
})

void t.test('a standby is ready with full stores, and takes over without a list', async (t) => {
  const { read, ...inspected } = inspection()
  const { leadership, order, plugin, quiet, servers } = await setUp(t, {
    ...inspected,
    session: { isWarm: true },
  })
  const ctx = await plugin.init()
  const syncer = new OrderedSyncer(ctx, 'only', order)
  syncer.importKey = () => undefined
  plugin.register(syncer)
  const ended = plugin.start()
  await untilSettled({ plugin: { isIdle: () => true }, servers: [servers.virtual, servers.host] })
  t.match(await read('/readyz'), { status: 200, text: /\[\+\]standby ok/ })
  t.match((await read('/metrics')).text, /^leader_election_standby 1$/m)
  t.same(new Set(order.slice(1)), new Set(['lead', 'GET virtual', 'GET host']), 'only lists, no init')
  await post(servers.virtual, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'later' } })
  await untilSettled({ plugin: { isIdle: () => true }, servers: [servers.virtual, servers.host] })
  t.equal(await copies(servers.host), 0)
  order.length = 0
  leadership.win()
  await plugin.whenRunning()
  await quiet()
  t.equal(order[0], 'init only')
  t.notOk(
    order.some((step) => step.startsWith('GET')),
    'nothing is listed again',
  )
  t.equal(await copies(servers.host), 2)
  t.match(await read('/readyz'), { status: 200, text: /\[\+\]started ok/ })
  t.match((await read('/metrics')).text, /^leader_election_standby 0$/m)
  await plugin.stop()
  await ended
})

void t.test('a standby whose stores are not full is not ready', async (t) => {
  const { read, ...inspected } = inspection()
  const { order, plugin } = await setUp(t, { ...inspected, host: deaf, session: { isWarm: true } })
  const ctx = await plugin.init()
  plugin.register(new OrderedSyncer(ctx, 'only', order))
  const ended = plugin.start()
  await turns()
  t.match(await read('/readyz'), { status: 503, text: /\[-\]standby failed: the stores are being filled/ })
  await plugin.stop()
  await ended
})

void t.test('a process that is about to end for want of memory says so', async (t) => {
  const wrong = (usedBytes: number) => memoryCheck({ usedBytes, limitBytes: 1000 * 2 ** 20 }).wrong()
  t.equal(wrong(900 * 2 ** 20), undefined)
  t.match(
    wrong(960 * 2 ** 20),
    /^the process holds 960 MiB of at most 1000 MiB: raise the container's memory limit/,
  )
  const memory = processMemory()
  t.ok(memory.limitBytes > 2 ** 20 && memory.limitBytes < 2 ** 53)
  while (memory.usedBytes === 0) {
    memory.releaseUnused?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.ok(memory.usedBytes < memory.limitBytes)
  const before = memory.usedBytes
  const held = Array.from({ length: 100_000 }, (_, at) => ({ at }))
  memory.collect?.()
  t.ok(memory.usedBytes > before, 'a collection tells at once what is in use')
  t.equal(held.length, 100_000)
})

void t.test('readiness reports objects that are left out, and missing credentials', async (t) => {
  const memory = { usedBytes: 700 * 2 ** 20, limitBytes: 1000 * 2 ** 20 }
  const writer = new StoreWriter()
  const { store } = writer
  const stores = [
    { cluster: 'host', resource: configMaps, namespace: undefined, store, quietMs: 0, expected: undefined },
  ] as const
  t.equal(leftOutCheck(stores, memory).wrong(), undefined)
  writer.apply({ type: 'leftOut', key: { namespace: 'default', name: 'a' } })
  t.match(
    leftOutCheck(stores, memory).wrong(),
    /^left out 1 objects of configmaps in the host cluster \(0 are held\), because the process holds 700 MiB of at most 1000 MiB: raise /,
  )
  const problem = 'the exec plugin x has given no answer'
  t.match(credentialsCheck({ name: 'host', problem }), { name: 'host-credentials' })
  t.equal(credentialsCheck({ name: 'host', problem }).wrong(), problem)
  t.equal(credentialsCheck({ name: 'virtual', problem: undefined }).wrong(), undefined)
})

void t.test('a silent watch and a run that does not end are reported', async (t) => {
  const quiet = (quietMs: number) => [{ resource: configMaps, quietMs }]
  t.equal(watchesCheck({ name: 'host', quiet: quiet(100_000) }).wrong(), undefined)
  const silent = watchesCheck({ name: 'host', quiet: quiet(300_000) })
  t.match(
    { ...silent, wrong: silent.wrong() },
    {
      name: 'host-watches',
      wrong: 'no event or bookmark of configmaps for 300 s',
    },
  )
  const running = (ms: number) =>
    [{ name: 'cars', runLimitMs: 300_000, oldestRunMs: () => ms }] as unknown as RunningController[]
  t.equal(runsCheck(running(1000)).wrong(), undefined)
  t.equal(runsCheck(running(700_000)).wrong(), 'a run does not end: cars for 700 s')
})

void t.test(
  'a configuration is read by a schema, and what does not fit is named without its value',
  async (t) => {
    const schema = z.object({
      interval: z.number().default(5),
      labels: z.record(z.string(), z.string()).default({}),
    })
    const configured = async (text?: string) => {
      const { plugin } = await setUp(t, { env: text === undefined ? {} : { PLUGIN_CONFIG: text } })
      return (await plugin.init()).config(schema)
    }
    for (const nothing of [undefined, '', 'null\n', '{}'])
      t.same(await configured(nothing), { interval: 5, labels: {} })
    t.same(await configured('interval: 3\nlabels:\n  "n": "3"\n'), { interval: 3, labels: { n: '3' } })
    const named =
      /PLUGIN_CONFIG\) does not match the schema: interval: .*must be a number.*; labels\.team: .*must be a string/
    await t.rejects(configured('{interval: s3cret, labels: {team: 1}}'), {
      code: 'INVALID_CONFIG',
      message: named,
    })
    await t.rejects(configured('[]'), { message: /does not match the schema: \(root\): / })
    await t.rejects(configured('a: [\nb: "s3cret'), {
      code: 'INVALID_CONFIG',
      message: /does not parse as YAML: line \d+$/,
    })
  },
)

/** Runs a program of its own against the sources, and answers how it ended and what it wrote. */
function program(code: string): Promise<{ status: number; output: string }> {
  const args = [...process.execArgv, '--input-type=module', '--eval', code]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: fileURLToPath(new URL('.', import.meta.url)) },
      (error, out, err) => resolve({ status: Number(error?.code ?? 0), output: out + err }),
    )
  })
}

void t.test(
  'a rejection that a syncer forgot is its key’s affair, and any other ends the process',
  async (t) => {
    const code = (where: string) => `
    import { testPlugin } from '../../../testing/plugin/test-plugin.ts'
    import { FakeSyncer } from '../syncer/fake-syncer.ts'
    import { configMaps } from '../../engine/kube/builtin.ts'
    import { silentLogger } from '../../engine/observe/logger.ts'
    const forget = () => { void Promise.reject(new Error('forgotten')) }
    class Careless extends FakeSyncer {
      async fakeSyncUp() {}
      async fakeSync() { ${where === 'in a run' ? 'forget()' : ''} }
    }
    const logger = { ...silentLogger, child: () => logger, error: (fields, words) => console.log(words, fields.key) }
    const test = await testPlugin((plugin) => plugin.register(new Careless('careless', configMaps)), { logger })
    await test.virtual.create(configMaps, { metadata: { namespace: 'default', name: 'a' } })
    await test.settled()
    ${where === 'in a run' ? '' : 'forget()'}
    await new Promise((resolve) => setImmediate(resolve))
    await test.stop()
    console.log('stopped')`
    const contained = await program(code('in a run'))
    t.match(contained, { status: 0, output: /did not wait for was rejected.* default\/a\n(?:.*\n)*stopped/ })
    const foreign = await program(code('elsewhere'))
    t.match(foreign, { status: 1, output: /Error: forgotten/ })
    t.notMatch(foreign.output, 'stopped')
  },
)

void t.test('an error of the network is logged without its stack, except at debug level', async (t) => {
  const lines: string[] = []
  const form = hclogForm({ line: (line) => void lines.push(line) })
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  const error = new NetworkError('GET /api at 10.0.0.1:443: read ECONNRESET', { cause })
  createLogger({}, form).warn({ error }, 'it failed')
  t.match(JSON.parse(lines[0] ?? ''), { error: { message: error.message, code: 'ECONNRESET' } })
  t.notMatch(lines[0], 'stack')
  createLogger({ LOG_LEVEL: 'debug' }, form).warn({ error }, 'it failed')
  t.match(lines[1], 'stack')
  createLogger({}, form).warn({ error: new TypeError('a mistake') }, 'it failed')
  t.match(lines[2], 'stack', 'of a mistake in a program the stack is what helps')
})
