/** Who shares the shards, oldest first, and who asks. */
export interface FairShareOptions {
  /** How many shards there are. */
  count: number
  /** How many replicas live, ours included. */
  replicas: number
  /** How many of them are older than ours. */
  rank: number
}

/**
 * How many shards are ours to hold: all shares together are all shards, no two differ by more than one, and the older
 * have the larger, so that nobody who joins takes a shard from one that has no more than its share.
 */
export function fairShare({ count, replicas, rank }: FairShareOptions): number {
  return Math.floor(count / replicas) + (rank < count % replicas ? 1 : 0)
}
