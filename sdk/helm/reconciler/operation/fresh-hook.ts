import type { ReleaseHook } from '../../render/release-hook.js'

/** A hook that has not run. */
export function fresh({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return hook
}
