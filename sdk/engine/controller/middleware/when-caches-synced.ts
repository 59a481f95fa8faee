import type { Middleware } from '../run.js'
import type { WaitForCaches } from '../wait-for-caches.js'

/** Skips runs while the caches that they read cannot be used. */
export function whenCachesSynced(caches: WaitForCaches): Middleware {
  return (next) => (run) => (caches.skips(run.key) ? Promise.resolve(undefined) : next(run))
}
