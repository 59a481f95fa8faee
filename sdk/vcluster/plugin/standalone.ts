import { basename, dirname } from 'node:path'
import { createClient } from '../../engine/client/create-client.js'
import { safeConcatName } from '../../engine/kube/concat-name.js'
import { checkDnsLabel } from '../../engine/kube/dns-label.js'
import { PluginError } from '../../engine/kube/error.js'
import { leaseLeadership } from '../../engine/leader/lease-leadership.js'
import { maxShards } from '../../engine/leader/shard-count.js'
import { shardLeadership } from '../../engine/leader/shard-leadership.js'
import type { Logger } from '../../engine/observe/logger.js'
import { loadKubeconfig } from '../../engine/transport/load-kubeconfig.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { Side } from '../context/register-context.js'
import { type OpenTransportOptions, openTransport } from './open-transport.js'
import type { AnnounceOptions, OpenSessionOptions, Session, SessionFacts, StandbyMode } from './session.js'
import { noInterceptorsError } from './without-interceptors.js'

const required = ['VIRTUAL_KUBECONFIG', 'HOST_KUBECONFIG', 'VCLUSTER_NAME', 'TARGET_NAMESPACE'] as const
type Given = Record<(typeof required)[number], string>

/**
 * A session without a vcluster process: two kubeconfig files, and a Lease in the target namespace, or a Lease for each
 * shard.
 */
export async function openStandalone(options: OpenSessionOptions): Promise<Session> {
  const { env, labelMode = 'reserved', logger, clock } = options
  const variables = read(env)
  for (const name of ['VCLUSTER_NAME', 'TARGET_NAMESPACE'] as const) checkDnsLabel(name, variables[name])
  const count = numberOfShards(options)
  const pluginName = nameOf(options)
  const { virtual, host } = await openClusters(variables, { ...options, pluginName })
  const namespace = variables.TARGET_NAMESPACE
  const lease = { namespace, name: safeConcatName(variables.VCLUSTER_NAME, 'plugin', pluginName) }
  return {
    facts: factsOf(variables, { pluginName, labelMode }),
    virtual,
    host,
    isShared: count > 1,
    isWarm: standbyMode(options) === 'warm',
    asksPermissions: true,
    announce: async (announced) => warnAboutUncalled(announced, logger),
    // The Lease opens the write gate, so writes of the Lease itself pass no gate.
    lead: () => {
      const applying = { client: createClient({ transport: host }), lease, clock, logger }
      return count > 1 ? shardLeadership({ ...applying, count }) : leaseLeadership(applying)
    },
    close: async () => {
      await Promise.all([virtual.close(), host.close()])
    },
  }
}

/** A plugin without a vcluster process takes itself to be in the namespace that it copies to. */
function factsOf(
  { VCLUSTER_NAME, TARGET_NAMESPACE }: Given,
  { pluginName, labelMode }: Pick<SessionFacts, 'pluginName' | 'labelMode'>,
): SessionFacts {
  return {
    pluginName,
    vclusterName: VCLUSTER_NAME,
    targetNamespace: TARGET_NAMESPACE,
    currentNamespace: TARGET_NAMESPACE,
    labelMode,
    ownerService: VCLUSTER_NAME,
  }
}

/** Opens both clusters by the kubeconfigs that the environment names. */
async function openClusters(
  { VIRTUAL_KUBECONFIG, HOST_KUBECONFIG }: Given,
  options: OpenTransportOptions,
): Promise<Record<Side, Transport>> {
  const virtual = await loadKubeconfig({ file: VIRTUAL_KUBECONFIG })
  const host = await loadKubeconfig({ file: HOST_KUBECONFIG })
  return {
    virtual: openTransport('virtual', virtual, options),
    host: openTransport('host', host, options),
  }
}

function warnAboutUncalled({ hooks, interceptors }: Omit<AnnounceOptions, 'signal'>, logger: Logger): void {
  if (hooks.registrations.length > 0) logger.warn({}, hooksNeedVcluster)
  if (interceptors.registrations)
    logger.warn({}, noInterceptorsError('no vcluster calls interceptors of a standalone plugin').message)
}

const hooksNeedVcluster =
  'hooks never run standalone, because it is vcluster that calls them: run the plugin in the pod of a vcluster'

function numberOfShards({ env, shards }: OpenSessionOptions): number {
  const count = shards ?? Number(env.PLUGIN_SHARDS || 1)
  if (Number.isInteger(count) && count >= 1 && count <= maxShards) return count
  const [option, value] = shards === undefined ? ['PLUGIN_SHARDS', env.PLUGIN_SHARDS] : ['shards', shards]
  throw new PluginError('INVALID_SHARDS', `${option} must be an integer from 1 to ${maxShards}, got ${value}`)
}

function standbyMode({ env, standby }: OpenSessionOptions): StandbyMode {
  const mode = standby ?? (env.PLUGIN_STANDBY || 'warm')
  if (mode === 'warm' || mode === 'cold') return mode
  const optionName = standby === undefined ? 'PLUGIN_STANDBY' : 'standby'
  throw new PluginError('INVALID_STANDBY', `${optionName} must be warm (the default) or cold, got ${mode}`)
}

function read(env: OpenSessionOptions['env']): Given {
  const missing = required.filter((name) => !env[name])
  if (missing.length > 0) {
    throw new PluginError(
      'MISSING_ENVIRONMENT',
      `a standalone plugin needs ${missing.join(', ')} in the environment; a sidecar needs VCLUSTER_PLUGIN_NAME instead. To run it without a cluster, use vcluster-plugin dev.`,
    )
  }
  return Object.fromEntries(required.map((name) => [name, env[name] ?? ''])) as Given
}

/** The plugin's name, which is a part of the name of its Lease: plugins of one vcluster need different ones. */
function nameOf({ env, name = nameOfProgram() }: OpenSessionOptions): string {
  const { PLUGIN_NAME: envName } = env
  if (!envName) return name
  checkDnsLabel('PLUGIN_NAME', envName)
  return envName
}

/**
 * The folder of the program, `sync-all-configmaps` for `examples/sync-all-configmaps/main.ts`, in the letters that
 * the name of a Lease may have. In an image that is the folder of the bundle, the same for all plugins, so
 * `vcluster-plugin manifest` sets `PLUGIN_NAME`.
 */
function nameOfProgram(): string {
  const folder = basename(dirname(process.argv[1] ?? '')).toLowerCase()
  return folder.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'plugin'
}
