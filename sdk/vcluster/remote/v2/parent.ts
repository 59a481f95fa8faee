import type { Clock } from '../../../engine/time/clock.js'

const checkEveryMs = 200

/** Options of {@link watchParent}. */
export interface WatchParentOptions {
  /** The process id of the current parent. */
  parentId(): number
  clock: Clock
  /** Called once, when the parent has gone. */
  onGone(reason: string): void
}

/**
 * Detects within 0.2 s that the parent has ended: the process then has another parent. A vcluster process does not
 * inform its plugins when it ends, and outside a container leaves them running. The returned function ends the watch.
 */
export function watchParent({ parentId, clock, onGone }: WatchParentOptions): () => void {
  const parent = parentId()
  let cancel = () => {}
  const check = () => {
    if (parentId() === parent) cancel = clock.schedule(checkEveryMs, check)
    else onGone('the vcluster process has ended')
  }
  check()
  return () => cancel()
}
