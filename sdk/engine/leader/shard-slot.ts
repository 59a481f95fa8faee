import { formatKey } from '../kube/key.js'
import { LeadershipTerm } from './leadership-term.js'
import type { GroupLease } from './lease-group.js'
import type { LeaseTimes } from './lease-times.js'

/** The state of one shard in this replica. */
export interface ShardSlot {
  readonly shard: number
  readonly lease: GroupLease
  /** Set while this replica leads the shard. */
  term?: LeadershipTerm | undefined
  /** The time since which this replica waits to give the shard away, in milliseconds. */
  leavingSinceMs?: number | undefined
}

/** A Lease, in words. */
export const describeLease = ({ key }: GroupLease) => `Lease ${formatKey(key)}`

/** The holder of a shard's Lease; `''` after it expired, although the Lease still has its name. */
export function currentHolderOf(slot: ShardSlot | undefined, nowMs: number): string {
  const observed = slot?.lease.observed
  return observed?.isHeld(nowMs) ? observed.holder : ''
}

/** Whether a shard has no Lease, and no other replica that held it may still write. */
export function needsLease({ term, lease: { observed } }: ShardSlot, nowMs: number): boolean {
  return !observed.lease && (term !== undefined || !observed.isHeld(nowMs))
}

/** A new term of leading a shard; `onLost` is called when the term ends unexpectedly. */
export function newTerm(
  { shard, lease }: ShardSlot,
  { clock, logger, renewDeadlineMs }: Pick<Required<LeaseTimes>, 'clock' | 'logger' | 'renewDeadlineMs'>,
  onLost: () => void,
): LeadershipTerm {
  const expired = `${describeLease(lease)} could not be renewed for ${renewDeadlineMs / 1000} s`
  const term = new LeadershipTerm({ clock, logger: logger.child({ shard }), expired })
  term.leader$.subscribe((leads) => leads || onLost())
  return term
}
