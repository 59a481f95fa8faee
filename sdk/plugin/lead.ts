import { filter, firstValueFrom } from 'rxjs'
import type { LeadershipView } from '../inspect/inspector/model.js'
import { PluginError } from '../kube/error.js'
import type { Leadership } from '../leader/leadership.js'
import type { Clock } from '../observe/clock.js'
import type { Metrics } from '../observe/metrics.js'

/**
 * Resolves when leadership is won. Rejects with `PluginError` `LEADERSHIP_LOST` when it can no longer be won,
 * because the vcluster process has restarted.
 */
export async function won(leadership: Leadership): Promise<void> {
  if (!(await firstValueFrom(leadership.leader$))) throw leadershipLost()
}

/** Rejects with `PluginError` `LEADERSHIP_LOST` when leadership is lost; never settles when it is released. */
export function failWhenLost(leadership: Leadership): Promise<never> {
  const lost$ = leadership.leader$.pipe(filter((leads) => !leads))
  return new Promise((_, reject) => lost$.subscribe(() => reject(leadershipLost())))
}

function leadershipLost(): PluginError {
  const message = 'leadership was lost, so this process must end; started again it waits for its turn'
  return new PluginError('LEADERSHIP_LOST', message)
}

/** Rejects with the signal's reason when it aborts; never settles before. */
export function failWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Tells by a metric whether this process may write at the moment, under the name client-go has for it. */
export function followLeadership(metrics: Metrics, deadline: () => number, clock: Clock): void {
  metrics.gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process leads, 1 or 0.',
    labelNames: ['name'],
    follow: (gauge) => gauge.set({ name: 'plugin' }, deadline() > clock.now() ? 1 : 0),
  })
}

/** Whether the plugin may write at the moment, and how long that goes on without news. */
export function leadershipView(
  leadership: Leadership | undefined,
  clock: Clock,
  hasWorked: boolean,
): LeadershipView {
  const restMs = (leadership?.deadline() ?? Number.NEGATIVE_INFINITY) - clock.now()
  if (restMs > 0) return { state: 'leading', deadlineInMs: Number.isFinite(restMs) ? restMs : null }
  return { state: hasWorked ? 'over' : 'waiting', deadlineInMs: 0 }
}
