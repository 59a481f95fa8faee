import { filter, firstValueFrom } from 'rxjs'
import { PluginError } from '../kube/error.js'
import type { Leadership } from '../leader/leadership.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'
import type { ProgramNoun } from './managed-program.js'

/**
 * Resolves when leadership is won. Rejects with `PluginError` `LEADERSHIP_LOST` when it can no longer be won,
 * because the vcluster process has restarted.
 */
export async function won(leadership: Leadership): Promise<void> {
  if (!(await firstValueFrom(leadership.leader$))) throw leadershipLostError()
}

/** Rejects with `PluginError` `LEADERSHIP_LOST` when leadership is lost; never settles when it is released. */
export function failWhenLost(leadership: Leadership): Promise<never> {
  const lost$ = leadership.leader$.pipe(filter((leads) => !leads))
  return new Promise((_, reject) => lost$.subscribe(() => reject(leadershipLostError())))
}

function leadershipLostError(): PluginError {
  const message =
    'leadership was lost, so this process must end; restart it and it waits for leadership again'
  return new PluginError('LEADERSHIP_LOST', message)
}

/** Rejects with the signal's reason when it aborts; never settles before. */
export function failWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Reports by a metric, with client-go's name for it, whether this process may write; per shard if replicas share the
 * work.
 */
export function followLeadership(
  metrics: Metrics,
  leadership: () => Leadership | undefined,
  { noun, clock }: { noun: ProgramNoun; clock: Clock },
): void {
  const status = (deadlineMs = Number.NEGATIVE_INFINITY) => (deadlineMs > clock.now() ? 1 : 0)
  metrics.gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process leads, 1 or 0.',
    labelNames: ['name'],
    follow: (gauge) => {
      const { assignment } = leadership() ?? {}
      if (!assignment) return gauge.set({ name: noun }, status(leadership()?.deadline()))
      for (let shard = 0; shard < assignment.count; shard++)
        gauge.set({ name: `shard-${shard}` }, status(assignment.deadline(shard)))
    },
  })
}
