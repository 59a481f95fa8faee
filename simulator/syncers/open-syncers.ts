import type { LabelMode, RegisterContext } from '../../sdk/context/register-context.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { type Logger, silentLogger } from '../../sdk/observe/logger.js'
import { createPlugin, type Plugin } from '../../sdk/plugin/plugin.js'
import { type Clock, systemClock } from '../../sdk/time/clock.js'
import type { Transport } from '../../sdk/transport/transport.js'
import { testSession } from '../test-session.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { mirroredKinds } from './built-in-kinds.js'
import type { KindRules } from './kind-rules.js'
import type { MirroredKind } from './mirrored-kind.js'
import { type HookedPlugin, PluginHooks } from './plugin-hooks.js'
import { PodWants } from './referenced-objects.js'
import { serviceRules } from './service-rules.js'
import { MirrorSyncer } from './simulated-syncer.js'
import { UserServices } from './user-services.js'

/** What {@link openMirror} is made of. */
export interface MirrorOptions {
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
export interface Mirror extends Pick<Plugin, 'start' | 'whenRunning' | 'isIdle' | 'stop'> {
  /** What vcluster's API does with the Services of its users; `undefined` where Services are not mirrored. */
  readonly userServices: UserServices | undefined
}

/** Makes the syncers of a vcluster, which call the plugins' hooks; they are still to be started. */
export async function openMirror(options: MirrorOptions): Promise<Mirror> {
  const { version, kinds, logger = silentLogger, clock = systemClock } = options
  const openSession = async () =>
    testSession({ ...options, pluginName: 'vcluster', labelMode: labelModeOf(version) })
  const mirror = createPlugin({ env: {}, logger, clock, openSession })
  const ctx = await mirror.init()
  const hooks = new PluginHooks(options.plugins)
  const wants = options.all ? undefined : new PodWants(ctx)
  const parts = { hooks, version, wants }
  let userServices: UserServices | undefined
  for (const kind of kinds) {
    if (kind === 'Service') {
      const syncer = syncerOf(serviceRules, ctx, parts)
      mirror.register(syncer)
      userServices = new UserServices({ ctx, syncer, hooks, version })
    } else mirror.register(syncerOf(mirroredKinds[kind], ctx, parts))
  }
  return {
    start: () => mirror.start(),
    whenRunning: () => mirror.whenRunning(),
    isIdle: () => mirror.isIdle(),
    stop: () => mirror.stop(),
    userServices,
  }
}

/** How that version of vcluster writes labels on the host. */
export const labelModeOf = (version: VClusterVersion): LabelMode =>
  version === '0.19' ? 'hashed' : 'reserved'

function syncerOf<T extends KubeObject>(
  rules: KindRules<T>,
  ctx: RegisterContext,
  { wants, ...parts }: { hooks: PluginHooks; version: VClusterVersion; wants: PodWants | undefined },
): MirrorSyncer<T> {
  return new MirrorSyncer(ctx, { rules, ...parts, wants: rules.onlyWanted ? wants : undefined })
}
