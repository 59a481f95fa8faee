/** Options of {@link fairShare}. */
export interface FairShareOptions {
  /** The number of shards. */
  count: number
  /** The number of running replicas, this one included. */
  replicas: number
  /** How many running replicas are older than this one. */
  rank: number
}

/**
 * The number of shards that this replica should hold. Shares sum to `count` and differ by at most one. Older replicas
 * get the extra shard, so that a new replica never takes a shard from a replica that holds only its share.
 */
export function fairShare({ count, replicas, rank }: FairShareOptions): number {
  return Math.floor(count / replicas) + (rank < count % replicas ? 1 : 0)
}
