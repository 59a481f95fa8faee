/**
 * A plugin under test, with both clusters in the same process: no sockets, no child process, no sleeping.
 *
 * It promises that `settled()` answers only when every change made so far has been worked off, or fails with a sentence
 * where a plugin never comes to rest, that hooks are called
 * where a vcluster would call them, and that interceptors answer where it would ask them. It leaves crashes and faults to the
 * scenarios that build on it.
 */
import { Subject } from 'rxjs'
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import type { Client } from '../sdk/client/client.js'
import { createClient } from '../sdk/client/create-client.js'
import type { LabelMode, RegisterContext } from '../sdk/context/register-context.js'
import type { RunEnd } from '../sdk/controller/run-end.js'
import type { KubeObject } from '../sdk/kube/object.js'
import type { Resource } from '../sdk/kube/resource.js'
import type { Logger } from '../sdk/observe/logger.js'
import { type Metrics, noMetrics } from '../sdk/observe/metrics.js'
import { createPlugin, type Plugin } from '../sdk/plugin/plugin.js'
import { type Clock, systemClock } from '../sdk/time/clock.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { InProcessVCluster } from '../simulator/in-process-vcluster.js'
import { prepareHost } from '../simulator/prepare-host.js'
import type { MirroredKind } from '../simulator/vcluster-mirror/mirrored-kind.js'
import type { VClusterVersion } from '../simulator/vcluster-options.js'
import type { SyncerRun } from './rest-limit.js'
import { untilQuiet } from './until-quiet.js'
import { warningLogger } from './warning-logger.js'

/** Registers a plugin's syncers: what an example exports, and what its `main.ts` calls too. */
export type Register = (plugin: Plugin, ctx: RegisterContext) => void | Promise<void>

/** Options of {@link testPlugin}. */
export interface TestPluginOptions {
  /** The plugin's name; default `test`. */
  pluginName?: string
  /** The vcluster's name, part of every host name; default `vc`. */
  vclusterName?: string
  /** The host namespace that copies are written to; default `vcluster-vc`. */
  targetNamespace?: string
  /** Which vcluster is played where hooks are called; default `0.36`. */
  version?: VClusterVersion
  /**
   * The kinds that vcluster itself mirrors, which is where hooks are called. Default for a plugin with hooks: all that
   * it has no syncer for, as a vcluster's values switch those off; else none.
   */
  mirrors?: readonly MirroredKind[]
  /** Whether ConfigMaps and Secrets are mirrored that no Pod refers to, as by `sync.toHost.configMaps.all`; default false. */
  mirrorsAll?: boolean
  /** How label keys are written on the host; default as that vcluster does, `reserved` for 0.36. */
  labelMode?: LabelMode
  /** Whether the vcluster has its Service in the host namespace, which owns the copies; default true. */
  hasService?: boolean
  /** The plugin's configuration, as in `plugins.<name>.config` of the vcluster's values; default none. */
  config?: object
  /** Default: warnings and errors as lines on standard error; `silentLogger` shows nothing. */
  logger?: Logger
  /** Where the plugin counts; default nowhere. */
  metrics?: Metrics
  clock?: Clock
  /** Both clusters' servers, to run against clusters that exist already; default new ones. */
  virtualServer?: ApiServer
  hostServer?: ApiServer
}

/** What {@link testPlugin} answers. */
export interface TestPlugin {
  /**
   * Asks the virtual cluster as its user would: with the plugin's interceptors in front, and not through its write gate. Where
   * vcluster mirrors Services, those of POST requests are written to the host first, as by vcluster's API.
   */
  readonly virtual: Client
  /** Writes to the host cluster as its administrator would. */
  readonly host: Client
  /**
   * Asks the virtual cluster for a path as its user would, and answers what an interceptor answered, else the API server:
   * `await test.fetch('/healthz')`.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The virtual cluster's API server, behind any interceptor. */
  readonly virtualServer: ApiServer
  /** The host cluster's API server. */
  readonly hostServer: ApiServer
  /** The plugin itself. */
  readonly plugin: Plugin
  /** The host namespace that copies are written to. */
  readonly targetNamespace: string
  /**
   * Resolves when everything done so far has been worked off: nothing queued, nothing under way, no event unread. Rejects
   * with `PluginError` `NOT_SETTLED` where a key asks again and again to run within a second, or nothing else ends.
   */
  settled(): Promise<void>
  /** Every object of a kind in the host's target namespace, or of the cluster. */
  hostObjects<T extends KubeObject>(resource: Resource<T>): Promise<T[]>
  /** Stops the plugin; the clusters stay, for a plugin that comes after. */
  stop(): Promise<void>
}

/** Starts both clusters and the plugin, and resolves when its first lists are worked off. */
export async function testPlugin(register: Register, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const { vclusterName = 'vc', clock = systemClock, metrics = noMetrics, logger = warningLogger() } = options
  const targetNamespace = options.targetNamespace ?? `vcluster-${vclusterName}`
  const virtualServer = options.virtualServer ?? (await createApiServer({ name: 'virtual' }))
  const hostServer = options.hostServer ?? (await createApiServer({ name: 'host' }))
  const host = createClient({ transport: inProcessTransport(hostServer) })
  await prepareHost(host, { vclusterName, targetNamespace, hasService: options.hasService ?? true })

  const vcluster = new InProcessVCluster({
    ...options,
    vclusterName,
    targetNamespace,
    virtualServer,
    hostServer,
  })
  const virtual = createClient({ transport: vcluster.users.transport(), checksAnswers: false })
  const openSession = async () => vcluster.session()
  const env = options.config ? { PLUGIN_CONFIG: JSON.stringify(options.config) } : {}
  const runs$ = new Subject<SyncerRun>()
  const onRunEnd = (syncer: string, end: RunEnd) => runs$.next({ syncer, ...end })
  const plugin = createPlugin({ env, logger, metrics, clock, openSession, onRunEnd })
  await register(vcluster.noting(plugin), await plugin.init())
  const ended = plugin.start()
  await Promise.race([plugin.whenRunning(), ended])

  const settled = () =>
    untilQuiet({ plugin, isIdle: () => vcluster.isIdle(), servers: [virtualServer, hostServer], runs$ })
  const stop = async () => {
    await plugin.stop()
    await vcluster.stop()
  }
  try {
    await settled()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    virtual,
    fetch: (path, init) => vcluster.users.fetch(path, init),
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
