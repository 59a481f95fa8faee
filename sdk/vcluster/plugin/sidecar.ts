import { PluginError } from '../../engine/kube/error.js'
import { loadKubeconfig } from '../../engine/transport/load-kubeconfig.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { Side } from '../context/register-context.js'
import type { HookChain } from '../hook/hook-chain.js'
import { connect } from '../remote/v1/connect.js'
import type { VClusterConnection } from '../remote/v1/connection.js'
import { type HookServer, serveHooks } from '../remote/v1/serve-hooks.js'
import { vclusterLeadership } from '../remote/v1/vcluster-leadership.js'
import { labelModeOfSession } from './label-mode.js'
import { type OpenTransportOptions, openTransport } from './open-transport.js'
import type { AnnounceOptions, OpenSessionOptions, Session } from './session.js'
import { sessionFacts } from './session-facts.js'
import { noInterceptorsError } from './without-interceptors.js'

/**
 * A session with a vcluster process in another container of the pod (its v1 protocol): both kubeconfigs come from that
 * process, the plugin's registration lets the process start, and the plugin leads while the process leads.
 */
export async function openSidecar(options: OpenSessionOptions): Promise<Session> {
  const { env, logger, clock, signal } = options
  const pluginName = nameOf(options)
  const connection = await connect({ address: env.VCLUSTER_LISTEN_ADDRESS, signal, clock, logger })
  const { virtual, host } = await openClusters(connection, { ...options, pluginName })
  const { context } = connection
  const labelMode = await labelModeOfSession(context, options, host)
  const registration = { name: pluginName, address: env.VCLUSTER_PLUGIN_ADDRESS }
  let served: HookServer | undefined
  return {
    facts: sessionFacts(context, { pluginName, labelMode }),
    virtual,
    host,
    asksPermissions: true,
    announce: async ({ hooks, interceptors, signal }) => {
      refuseInterceptors(interceptors)
      const clientHooks = hooks.registrations
      // vcluster calls the hooks as soon as it knows them.
      if (clientHooks.length > 0) served = await serve(hooks, options)
      const { address = registration.address } = served ?? {}
      await connection.register({ ...registration, address, clientHooks, signal })
    },
    lead: () => leadershipOf(connection, options),
    async close() {
      await served?.close()
      connection.close()
      await Promise.all([virtual.close(), host.close()])
    },
  }
}

function refuseInterceptors({ registrations }: AnnounceOptions['interceptors']): void {
  if (registrations) throw noInterceptorsError('vcluster does not call interceptors of a sidecar')
}

/** The leadership of the plugin, which leads while the vcluster process leads. */
function leadershipOf(connection: VClusterConnection, { clock, logger }: OpenSessionOptions) {
  const { runID } = connection
  return vclusterLeadership({ isLeader: (call) => connection.isLeader(call), runID, clock, logger })
}

async function serve(hooks: HookChain, { env, logger }: OpenSessionOptions): Promise<HookServer> {
  const { VCLUSTER_PLUGIN_ADDRESS: address } = env
  if (address) return serveHooks({ address, hooks, logger })
  throw new PluginError(
    'MISSING_ENVIRONMENT',
    'VCLUSTER_PLUGIN_ADDRESS is not set, and a plugin with hooks needs it: set it to the 127.0.0.1:<port> where vcluster calls the hooks',
  )
}

async function openClusters(
  connection: VClusterConnection,
  options: OpenTransportOptions,
): Promise<Record<Side, Transport>> {
  const load = (cluster: Side, text: string) =>
    loadKubeconfig({ text, source: `the ${cluster} kubeconfig from the vcluster process` })
  try {
    const virtual = await load('virtual', connection.context.virtualKubeconfig)
    const host = await load('host', connection.context.hostKubeconfig)
    return {
      virtual: openTransport('virtual', virtual, options),
      host: openTransport('host', host, options),
    }
  } catch (error) {
    connection.close()
    throw error
  }
}

function nameOf({ env, name }: OpenSessionOptions): string {
  const pluginName = env.VCLUSTER_PLUGIN_NAME || name
  if (pluginName) return pluginName
  throw new PluginError(
    'NO_PLUGIN_NAME',
    "a sidecar plugin needs the name it has in the vcluster's values: set VCLUSTER_PLUGIN_NAME, or call plugin.init({ name }) where the chart does not set it",
  )
}
