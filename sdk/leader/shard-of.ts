import type { Key } from '../kube/key.js'

/**
 * The shard of a key, from 0 up to `count`: by the virtual namespace, or by the name of what stands in none, so that a
 * Namespace is in one shard with what it holds. FNV-1a over UTF-8, then the finish of MurmurHash3, because the names of
 * namespaces differ in their last letters at times. All versions must agree on it.
 *
 * FNV-1a: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 */
export function shardOf({ namespace, name }: Key, count: number): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(namespace || name)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % count
}
