import type { Logger } from '../../engine/observe/logger.js'
import type { Metrics } from '../../engine/observe/metrics.js'
import type { Clock } from '../../engine/time/clock.js'
import { ClientHook } from '../hook/client-hook.js'
import { HookChain } from '../hook/hook-chain.js'
import { Interceptor } from '../hook/interceptor.js'
import { Interceptors } from '../hook/interceptors.js'
import { checkNamespace } from './namespace-check.js'
import type { Registrations } from './registrations.js'
import type { Session } from './session.js'

/** Options of {@link announce}. */
export interface AnnouncePluginOptions {
  registered: Registrations
  checkPermissions: () => Promise<void>
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** Ends the attempts. */
  signal: AbortSignal
}

/** Warns of likely mistakes, checks what the plugin may do, and reports to the vcluster process that it is ready. */
export async function announce(session: Session, options: AnnouncePluginOptions): Promise<void> {
  const { registered, checkPermissions, signal, logger, metrics, clock } = options
  const observed = { logger, metrics, clock }
  for (const warning of registered.warnings()) logger.warn({}, warning)
  const hooks = new HookChain({ hooks: registered.of(ClientHook), ...observed })
  const interceptors = new Interceptors({
    interceptors: registered.of(Interceptor),
    virtual: session.virtual,
    ...observed,
  })
  if (session.asksPermissions) await checkNamespace(session, { logger, signal })
  await checkPermissions()
  await session.announce({ hooks, interceptors, signal })
}
