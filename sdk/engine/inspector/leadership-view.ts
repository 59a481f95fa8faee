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
  const deadlineMs = leadership?.assignment?.latestDeadline() ?? leadership?.deadline()
  const restMs = (deadlineMs ?? Number.NEGATIVE_INFINITY) - clock.now()
  const assignment = leadership?.assignment
  const shards = assignment ? { served: assignment.shards, count: assignment.count } : null
  if (restMs > 0) return { state: 'leading', deadlineInMs: Number.isFinite(restMs) ? restMs : null, shards }
  return { state: hasWorked ? 'over' : 'waiting', deadlineInMs: 0, shards }
}

/** The shard of a key and the replica that holds it; null if one replica does all the work. */
export function shardView(
  { assignment }: Partial<Pick<Leadership, 'assignment'>>,
  key: Key,
): ShardView | null {
  if (!assignment) return null
  const shard = shardOf(key, assignment.count)
  const isOurs = assignment.shards.includes(shard)
  return { shard, count: assignment.count, isOurs, holder: assignment.holder(shard) || null }
}
