import type { NextRevision } from '../goal/due-operation.js'
import type { ReleaseRun } from '../run/release-run.js'

/**
 * Writes an Event that names the values that the program overrides, once for each new revision. The Event does not
 * contain the values: they often come from the environment of the program.
 */
export function reportOverridden({ ctx, options, release }: ReleaseRun, next: NextRevision): void {
  const { overrides = [] } = options
  if (overrides.length === 0 || next.continued || next.kind === 'rollback') return
  const keys = overrides.map(({ key }) => key).join(', ')
  const message = `the operator sets values of revision ${next.version} of ${release.name}, whatever its spec says: ${keys}`
  ctx.events.warning('ValueOverridden', message)
}
