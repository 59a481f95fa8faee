import type { LabelMode, RegisterContext } from '../../sdk/context/register-context.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { type Logger, silentLogger } from '../../sdk/observe/logger.js'
import { createPlugin, type Plugin } from '../../sdk/plugin/plugin.js'
import { type Clock, systemClock } from '../../sdk/time/clock.js'
import type { Transport } from '../../sdk/transport/transport.js'
import { testSession } from '../test-session.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { builtInKinds } from './built-in-kinds.js'
import type { KindRules } from './kind-rules.js'
import type { MirroredKind } from './mirrored-kind.js'
import { type HookedPlugin, PluginHooks } from './plugin-hooks.js'
import { ReferencedObjects } from './referenced-objects.js'
import { serviceRules } from './service-rules.js'
import { SimulatedSyncer } from './simulated-syncer.js'
import { UserServices } from './user-services.js'

/** What {@link openSyncers} is made of. */
export interface SyncersOptions {
  vclusterName: string
  targetNamespace: string
  version: VClusterVersion
  kinds: readonly MirroredKind[]
  /** Whether ConfigMaps and Secrets are mirrored that no Pod refers to. */
  all: boolean
  /** The plugins with hooks, as they are registered when an object is to be shown. */
  plugins: () => Iterable<HookedPlugin>
  /** Closed when the mirror stops. */
  virtual: Transport
  host: Transport
  logger?: Logger
  clock?: Clock
}

/** vcluster's own syncers. */
export interface VClusterSyncers extends Pick<Plugin, 'start' | 'whenRunning' | 'isIdle' | 'stop'> {
  /** What vcluster's API does with the Services of its users; `undefined` where Services are not mirrored. */
  readonly userServices: UserServices | undefined
}

/** Makes the syncers of a vcluster, which call the plugins' hooks; they are still to be started. */
export async function openSyncers(options: SyncersOptions): Promise<VClusterSyncers> {
  const { version, kinds, logger = silentLogger, clock = systemClock } = options
  const openSession = async () =>
    testSession({ ...options, pluginName: 'vcluster', labelMode: labelModeOf(version) })
  const syncers = createPlugin({ env: {}, logger, clock, openSession })
  const ctx = await syncers.init()
  const hooks = new PluginHooks(options.plugins)
  const wants = options.all ? undefined : new ReferencedObjects(ctx)
  const parts = { hooks, version, wants }
  let userServices: UserServices | undefined
  for (const kind of kinds) {
    if (kind === 'Service') {
      const syncer = syncerOf(serviceRules, ctx, parts)
      syncers.register(syncer)
      userServices = new UserServices({ ctx, syncer, hooks, version })
    } else syncers.register(syncerOf(builtInKinds[kind], ctx, parts))
  }
  return {
    start: () => syncers.start(),
    whenRunning: () => syncers.whenRunning(),
    isIdle: () => syncers.isIdle(),
    stop: () => syncers.stop(),
    userServices,
  }
}

/** How that version of vcluster writes labels on the host. */
export const labelModeOf = (version: VClusterVersion): LabelMode =>
  version === '0.19' ? 'hashed' : 'reserved'

function syncerOf<T extends KubeObject>(
  rules: KindRules<T>,
  ctx: RegisterContext,
  { wants, ...parts }: { hooks: PluginHooks; version: VClusterVersion; wants: ReferencedObjects | undefined },
): SimulatedSyncer<T> {
  return new SimulatedSyncer(ctx, { rules, ...parts, wants: rules.onlyWanted ? wants : undefined })
}
