import { filter, firstValueFrom } from 'rxjs'
import type { LeadershipView, ShardView } from '../inspector/model.js'
import { PluginError } from '../kube/error.js'
import type { Key } from '../kube/key.js'
import type { Leadership } from '../leader/leadership.js'
import { shardOf } from '../leader/shard-of.js'
import type { Metrics } from '../observe/metrics.js'
import type { Clock } from '../time/clock.js'

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
  const message =
    'leadership was lost, so this process must end: restart it, and it waits to become the leader again'
  return new PluginError('LEADERSHIP_LOST', message)
}

/** Rejects with the signal's reason when it aborts; never settles before. */
export function failWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * Tells by a metric whether this process may write at the moment, under the name client-go has for it; where the work is
 * shared, for each shard.
 */
export function followLeadership(
  metrics: Metrics,
  leadership: () => Leadership | undefined,
  clock: Clock,
): void {
  const status = (deadlineMs = Number.NEGATIVE_INFINITY) => (deadlineMs > clock.now() ? 1 : 0)
  metrics.gauge({
    name: 'leader_election_master_status',
    help: 'Whether this process leads, 1 or 0.',
    labelNames: ['name'],
    follow: (gauge) => {
      const { share } = leadership() ?? {}
      if (!share) return gauge.set({ name: 'plugin' }, status(leadership()?.deadline()))
      for (let shard = 0; shard < share.count; shard++)
        gauge.set({ name: `shard-${shard}` }, status(share.deadline(shard)))
    },
  })
}

/** Whether the plugin may write at the moment, and how long that goes on without news. */
export function leadershipView(
  leadership: Leadership | undefined,
  clock: Clock,
  hasWorked: boolean,
): LeadershipView {
  const deadlineMs = leadership?.share?.latestDeadline() ?? leadership?.deadline()
  const restMs = (deadlineMs ?? Number.NEGATIVE_INFINITY) - clock.now()
  const share = leadership?.share
  const shards = share ? { served: share.shards, count: share.count } : null
  if (restMs > 0) return { state: 'leading', deadlineInMs: Number.isFinite(restMs) ? restMs : null, shards }
  return { state: hasWorked ? 'over' : 'waiting', deadlineInMs: 0, shards }
}

/** In whose charge a key is; null where one replica does all. */
export function shardView({ share }: Partial<Pick<Leadership, 'share'>>, key: Key): ShardView | null {
  if (!share) return null
  const shard = shardOf(key, share.count)
  const isOurs = share.shards.includes(shard)
  return { shard, count: share.count, isOurs, holder: share.holder(shard) || null }
}
