import type { Key } from '../kube/key.js'
import type { Leadership } from '../leader/leadership.js'
import { shardOf } from '../leader/shard-of.js'
import type { Clock } from '../time/clock.js'
import type { LeadershipView, ShardView } from './model.js'

/** Whether the plugin may write now, and for how long without a renewal. */
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

/** The shard of a key and the replica that holds it; null if one replica does all the work. */
export function shardView({ share }: Partial<Pick<Leadership, 'share'>>, key: Key): ShardView | null {
  if (!share) return null
  const shard = shardOf(key, share.count)
  const isOurs = share.shards.includes(shard)
  return { shard, count: share.count, isOurs, holder: share.holder(shard) || null }
}
