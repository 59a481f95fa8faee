import type { ServedMethod } from '../calls/service.js'
import { backupService } from './backup.js'
import { identityService } from './identity.js'
import { lifecycleService } from './lifecycle.js'
import { metricsService } from './metrics.js'
import { ObjectPatches, type Trial } from './object-patch.js'
import { operatorService } from './operator.js'
import { postgresService } from './postgres.js'
import { reconcilerService } from './reconciler.js'
import type { RegisteredHooks } from './registered-hooks.js'
import { restoreJobService } from './restore-job.js'
import type { SentStatuses } from './sent-statuses.js'
import { walService } from './wal.js'

/** Options of {@link allServices}. */
export interface ServiceOptions {
  trial: Trial
  /** Throws if the plugin cannot be used now. */
  checkReady: () => void
  sent: SentStatuses
}

/** The methods of all nine services. The identity service declares to the operator which ones the plugin supports. */
export function allServices<P>(
  hooks: RegisteredHooks<P>,
  { trial, checkReady, sent }: ServiceOptions,
): ServedMethod[] {
  return [
    ...identityService(hooks, checkReady),
    ...operatorService(hooks, sent),
    ...lifecycleService(hooks, new ObjectPatches(hooks, trial)),
    ...reconcilerService(hooks),
    ...walService(hooks),
    ...backupService(hooks),
    ...restoreJobService(hooks),
    ...postgresService(hooks),
    ...metricsService(hooks),
  ]
}
