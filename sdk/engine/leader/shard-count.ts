import { PluginError } from '../kube/error.js'

/** The maximum number of shards: each costs its holder a write every two seconds. */
export const maxShards = 64

/** Throws a `PluginError` `INVALID_SHARDS` unless `count` is an integer from 2 to 64. */
export function checkShardCount(count: number): void {
  if (Number.isInteger(count) && count >= 2 && count <= maxShards) return
  throw new PluginError('INVALID_SHARDS', `shards must be an integer from 2 to ${maxShards}, got ${count}`)
}
