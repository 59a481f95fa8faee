import type { Logger } from '../observe/logger.js'
import type { Clock } from '../time/clock.js'
import type { Leadership } from './leadership.js'
import { Tenure } from './tenure.js'

/** Options of {@link processLeadership}. */
export interface ProcessLeadershipOptions {
  /** Resolves when the vcluster process says that it leads. */
  leads: Promise<void>
  /** Resolves with the reason when the process is gone. */
  gone: Promise<string>
  clock: Clock
  logger: Logger
}

/**
 * Leads from when the vcluster process says that it does until that process is gone, both inside one container. There
 * is no other end: a vcluster process that loses its leadership ends (pkg/leaderelection @ v0.36.1 of vcluster).
 */
export function processLeadership({ leads, gone, clock, logger }: ProcessLeadershipOptions): Leadership {
  const tenure = new Tenure({ clock, logger, expired: 'the vcluster process is gone' })
  void leads.then(() => tenure.hold(Number.POSITIVE_INFINITY))
  void gone.then((reason) => tenure.lose(reason))
  return {
    leader$: tenure.leader$,
    deadline: () => tenure.deadline(),
    release: async () => tenure.giveUp(),
  }
}
