import type { Key } from '../kube/key.js'

/**
 * Returns the shard of a key, from 0 up to `count`: by the virtual namespace, or by the name of a cluster-scoped
 * object. So a Namespace is in the same shard as the objects in it. The hash is FNV-1a over UTF-8 with the finalizer of
 * MurmurHash3, because names of namespaces often differ only in their last letters. All versions must use the same
 * hash.
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
