import type { ShardView } from './model.js'

/** A sentence about a shard and the replica that serves it. */
export function shardText({ shard, count, isOurs, holder }: ShardView): string {
  const who = isOurs ? 'this replica serves' : holder === null ? 'no replica serves now' : `${holder} serves`
  return `shard ${shard} of ${count}, which ${who}`
}
