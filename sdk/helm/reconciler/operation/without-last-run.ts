import type { ReleaseHook } from '../../render/release-hook.js'

/**
 * A hook without the record of its last run. Used where a new revision or a new operation begins, in which the hook has
 * not run yet.
 */
export function withoutLastRun({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return hook
}
