import type { ReleaseHook } from '../../render/release-hook.js'

/** A hook without the record of its last run, as before its first run. */
export function withoutLastRun({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return hook
}
