import { fairShare } from './fair-share.js'
import type { ShardSlot } from './shard-slot.js'

/** Options of {@link balanceShards}. */
export interface BalanceOptions {
  /** The number of running replicas, this one included. */
  replicas: number
  /** How many running replicas are older than this one. */
  rank: number
  identity: string
  nowMs: number
}

/** The shards that a replica should give away and take, so that it holds its fair share of all `slots`. */
export function balanceShards(
  slots: readonly ShardSlot[],
  { replicas, rank, identity, nowMs }: BalanceOptions,
): { readonly give: readonly ShardSlot[]; readonly take: readonly ShardSlot[] } {
  const count = slots.length
  const wanted = fairShare({ count, replicas, rank })
  const serving = slots.filter((slot) => slot.term && slot.leavingSinceMs === undefined)
  // Work that is not tied to a key runs where shard 0 is, so shard 0 stays.
  const kept = serving[0]?.shard === 0 ? Math.max(wanted, 1) : wanted
  const isFree = ({ term, lease: { observed } }: ShardSlot) =>
    !term && (observed.holder === identity || !observed.isHeld(nowMs))
  const first = rank * Math.ceil(count / replicas)
  const free = [...slots.slice(first), ...slots.slice(0, first)].filter(isFree)
  return { give: serving.slice(kept), take: free.slice(0, Math.max(0, wanted - serving.length)) }
}
