import { Subject } from 'rxjs'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import { type Metrics, noMetrics } from '../../sdk/engine/observe/metrics.js'
import { type Clock, systemClock } from '../../sdk/engine/time/clock.js'
import type { LabelMode, RegisterContext } from '../../sdk/vcluster/context/register-context.js'
import type { Plugin } from '../../sdk/vcluster/plugin/plugin.js'
import { createPluginRuntime } from '../../sdk/vcluster/plugin/plugin-runtime.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { InProcessVCluster } from '../../simulator/in-process-vcluster.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import type { SyncedKind } from '../../simulator/syncers/synced-kind.js'
import type { VClusterVersion } from '../../simulator/vcluster-options.js'
import type { SyncerRun } from './settle-limits.js'
import { stopAndRethrow } from './stop-and-rethrow.js'
import { untilSettled } from './until-settled.js'
import { warningLogger } from './warning-logger.js'

/** Registers a plugin's syncers. An example exports such a function, and its `main.ts` calls the same one. */
export type Register = (plugin: Plugin, ctx: RegisterContext) => void | Promise<void>

/** Options of {@link testPlugin}. */
export interface TestPluginOptions {
  /** The plugin's name; default `test`. */
  pluginName?: string
  /** The vcluster's name, part of every host name; default `vc`. */
  vclusterName?: string
  /** The host namespace of the copies; default `vcluster-vc`. */
  targetNamespace?: string
  /** The simulated vcluster's version, which decides how hooks are called; default `0.36`. */
  version?: VClusterVersion
  /**
   * The kinds that the simulated vcluster itself syncs to the host, calling hooks. Default for a plugin with hooks: all
   * kinds without a syncer of the plugin, as vcluster's values disable those; else none.
   */
  syncToHost?: readonly SyncedKind[]
  /** Whether ConfigMaps and Secrets without a Pod are synced, as with `sync.toHost.configMaps.all`; default false. */
  syncAllToHost?: boolean
  /** How label keys are written on the host; default that of the vcluster's version, `reserved` for 0.36. */
  labelMode?: LabelMode
  /** Whether the vcluster has a Service in the host namespace, which owns the copies; default true. */
  hasService?: boolean
  /** The plugin's configuration, as in `plugins.<name>.config` of the vcluster's values; default none. */
  config?: object
  /** Default: prints warnings and errors on standard error. Pass `silentLogger` for no output. */
  logger?: Logger
  /** The plugin's metrics; default none. */
  metrics?: Metrics
  /** The plugin's clock; default the system clock. */
  clock?: Clock
  /** The virtual cluster's API server; default a new one. */
  virtualServer?: ApiServer
  /** The host cluster's API server; default a new one. */
  hostServer?: ApiServer
}

/** A running plugin between two embedded clusters; see {@link testPlugin}. */
export interface TestPlugin {
  /**
   * A client of the virtual cluster's users. The plugin's interceptors answer first, and the plugin's write gate does
   * not apply. If vcluster syncs Services, POST requests for Services are written to the host first, as vcluster's API
   * does.
   */
  readonly virtual: Client
  /** A client of the host cluster's administrator. */
  readonly host: Client
  /**
   * Sends a request to the virtual cluster as a user. The answer is an interceptor's, or else the API server's:
   * `await test.fetch('/healthz')`.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The virtual cluster's API server, without interceptors. */
  readonly virtualServer: ApiServer
  /** The host cluster's API server. */
  readonly hostServer: ApiServer
  /** The plugin. */
  readonly plugin: Plugin
  /** The host namespace of the copies. */
  readonly targetNamespace: string
  /**
   * Resolves when the plugin has handled every change so far: its queues are empty, no reconcile is running, and all
   * events are read. Rejects with `PluginError` `NOT_SETTLED` if a key is requeued within a second again and again, or
   * if a reconcile does not end.
   */
  settled(): Promise<void>
  /** Every object of a kind in the target namespace, or in the host cluster for a cluster-scoped kind. */
  hostObjects<T extends KubeObject>(resource: Resource<T>): Promise<T[]>
  /** Stops the plugin. The clusters keep running, for example for another plugin. */
  stop(): Promise<void>
}

/**
 * Starts a plugin between two embedded clusters in this process, without sockets or child processes. Resolves when the
 * plugin has handled the first lists.
 *
 * A simulated vcluster calls the plugin's hooks and interceptors. For faults and crashes, see {@link exhaust}.
 *
 * @example
 * ```ts
 * const test = await testPlugin((plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)))
 * await test.virtual.create(configMaps, { metadata: { namespace: 'default', name: 'greeting' } })
 * await test.settled()
 * const copies = await test.hostObjects(configMaps)
 * console.log(copies.map(({ metadata }) => metadata.name)) // includes greeting-x-default-x-vc
 * await test.stop()
 * ```
 */
export async function testPlugin(register: Register, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const clusters = await openClusters(options)
  const { vcluster, virtualServer, hostServer, host, targetNamespace } = clusters
  const { plugin, runs$ } = await startPlugin(register, vcluster, options).catch(
    stopAndRethrow(() => vcluster.stop()),
  )
  const servers = [virtualServer, hostServer]
  const settled = () => untilSettled({ plugin, isIdle: () => vcluster.isIdle(), servers, runs$ })
  const stop = async () => {
    await plugin.stop()
    await vcluster.stop()
  }
  await settled().catch(stopAndRethrow(stop))
  return {
    virtual: createClient({ transport: vcluster.frontProxy.transport(), checksAnswers: false }),
    fetch: (path, init) => vcluster.frontProxy.fetch(path, init),
    host,
    virtualServer,
    hostServer,
    plugin,
    targetNamespace,
    settled,
    hostObjects: async (resource) => {
      const namespace = resource.namespaced ? { namespace: targetNamespace } : {}
      return (await host.listAll(resource, namespace)).items
    },
    stop,
  }
}

/** Both clusters with a simulated vcluster between them, and the host namespace that a vcluster has. */
async function openClusters(options: TestPluginOptions) {
  const { vclusterName = 'vc', hasService = true } = options
  const targetNamespace = options.targetNamespace ?? `vcluster-${vclusterName}`
  const virtualServer = options.virtualServer ?? (await createApiServer({ name: 'virtual' }))
  const hostServer = options.hostServer ?? (await createApiServer({ name: 'host' }))
  const host = createClient({ transport: inProcessTransport(hostServer) })
  await prepareHost(host, { vclusterName, targetNamespace, hasService })
  const environment = { vclusterName, targetNamespace, virtualServer, hostServer }
  return { ...environment, host, vcluster: new InProcessVCluster({ ...options, ...environment }) }
}

async function startPlugin(register: Register, vcluster: InProcessVCluster, options: TestPluginOptions) {
  const { clock = systemClock, metrics = noMetrics, logger = warningLogger() } = options
  const runs$ = new Subject<SyncerRun>()
  const plugin = createPluginRuntime({
    env: options.config ? { PLUGIN_CONFIG: JSON.stringify(options.config) } : {},
    logger,
    metrics,
    clock,
    openSession: async () => vcluster.session(),
    onRunEnd: (syncer, runEnd) => runs$.next({ syncer, ...runEnd }),
  })
  await register(vcluster.recordRunnables(plugin), await plugin.init())
  const ended = plugin.start()
  await Promise.race([plugin.whenRunning(), ended])
  return { plugin, runs$ }
}
