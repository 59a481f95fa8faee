import type { WantedRelease } from '../goal/wanted-release.js'
import type { ReleaseRun } from '../run/release-run.js'

/** The maximum number of hooks that a message names. */
const maxNames = 5

/** Writes an Event that names the hooks that Helm leaves out, because they have an unknown event. */
export function reportLeftOut(
  { ctx, release }: ReleaseRun,
  { rendered: { leftOut = [] } }: WantedRelease,
): void {
  if (leftOut.length === 0) return
  const more = leftOut.length > maxNames ? ` and ${leftOut.length - maxNames} more` : ''
  const message =
    `the chart of ${release.name} has hooks with an event that Helm does not know, which are left out: ` +
    `${leftOut.slice(0, maxNames).join(', ')}${more}`
  ctx.events.warning('UnknownHook', message)
}
