/**
 * A plugin under test, with both clusters in the same process: no sockets, no child process, no sleeping.
 *
 * It promises that `settled()` answers only when every change made so far has been worked off. It leaves
 * crashes and faults to the scenarios that build on it.
 */
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import type { Client } from '../client/client.js'
import { createClient } from '../client/create-client.js'
import type { LabelMode, RegisterContext } from '../context/register-context.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { type Clock, systemClock } from '../observe/clock.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { createPlugin, type Plugin } from '../plugin/plugin.js'
import { inProcessTransport } from './in-process-transport.js'
import { prepareHost } from './prepare-host.js'
import { testSession } from './test-session.js'
import { untilQuiet } from './until-quiet.js'

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
  /** How label keys are written on the host; default `reserved`. */
  labelMode?: LabelMode
  /** Whether the vcluster has its Service in the host namespace, which owns the copies; default true. */
  hasService?: boolean
  /** The plugin's configuration, as in `plugins.<name>.config` of the vcluster's values; default none. */
  config?: object
  logger?: Logger
  clock?: Clock
  /** Both clusters' servers, to run against clusters that exist already; default new ones. */
  virtualServer?: ApiServer
  hostServer?: ApiServer
}

/** What {@link testPlugin} answers. */
export interface TestPlugin {
  /** Writes to the virtual cluster as its user would: not through the plugin's write gate. */
  readonly virtual: Client
  /** Writes to the host cluster as its administrator would. */
  readonly host: Client
  /** The virtual cluster's API server. */
  readonly virtualServer: ApiServer
  /** The host cluster's API server. */
  readonly hostServer: ApiServer
  /** The plugin itself. */
  readonly plugin: Plugin
  /** The host namespace that copies are written to. */
  readonly targetNamespace: string
  /** Resolves when everything done so far has been worked off: nothing queued, nothing under way, no event unread. */
  settled(): Promise<void>
  /** Every object of a kind in the host's target namespace, or of the cluster. */
  hostObjects<T extends KubeObject>(resource: Resource<T>): Promise<T[]>
  /** Stops the plugin; the clusters stay, for a plugin that comes after. */
  stop(): Promise<void>
}

/** Starts both clusters and the plugin, and resolves when its first lists are worked off. */
export async function testPlugin(register: Register, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const { vclusterName = 'vc', clock = systemClock, logger = silentLogger } = options
  const targetNamespace = options.targetNamespace ?? `vcluster-${vclusterName}`
  const virtualServer = options.virtualServer ?? (await createApiServer({ name: 'virtual' }))
  const hostServer = options.hostServer ?? (await createApiServer({ name: 'host' }))
  const virtual = createClient({ transport: inProcessTransport(virtualServer) })
  const host = createClient({ transport: inProcessTransport(hostServer) })
  await prepareHost(host, { vclusterName, targetNamespace, hasService: options.hasService ?? true })

  const openSession = async () =>
    testSession({
      ...options,
      vclusterName,
      targetNamespace,
      virtual: inProcessTransport(virtualServer),
      host: inProcessTransport(hostServer),
    })
  const env = options.config ? { PLUGIN_CONFIG: JSON.stringify(options.config) } : {}
  const plugin = createPlugin({ env, logger, clock, openSession })
  await register(plugin, await plugin.init())
  const ended = plugin.start()
  await Promise.race([plugin.whenRunning(), ended])

  const settled = () => untilQuiet({ plugin, servers: [virtualServer, hostServer] })
  await settled()
  return {
    virtual,
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
    stop: () => plugin.stop(),
  }
}
