import type { Leadership } from '../../../engine/leader/leadership.js'
import { LeadershipTerm } from '../../../engine/leader/leadership-term.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { Clock } from '../../../engine/time/clock.js'

/** Options of {@link processLeadership}. */
export interface ProcessLeadershipOptions {
  /** Resolves when the vcluster process reports that it leads. */
  leads: Promise<void>
  /** Resolves with the reason when the process is gone. */
  gone: Promise<string>
  clock: Clock
  logger: Logger
}

/**
 * Leads while the vcluster process of the same container leads, until that process is gone. A vcluster process that
 * loses its leadership exits (pkg/leaderelection @ v0.36.1 of vcluster).
 */
export function processLeadership({ leads, gone, clock, logger }: ProcessLeadershipOptions): Leadership {
  const term = new LeadershipTerm({ clock, logger, expired: 'the vcluster process is gone' })
  void leads.then(() => term.hold(Number.POSITIVE_INFINITY))
  void gone.then((reason) => term.lose(reason))
  return {
    leader$: term.leader$,
    deadline: () => term.deadline(),
    release: async () => term.giveUp(),
  }
}
