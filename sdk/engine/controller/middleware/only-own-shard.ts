import type { KeyAssignment } from '../../queue/key-assignment.js'
import type { WorkQueue } from '../../queue/work-queue.js'
import type { Middleware } from '../run.js'

/**
 * Drops a key whose shard another replica has taken over since it was enqueued; others run with their shard's deadline.
 */
export function onlyOwnShard({
  assignment,
  queue,
}: {
  assignment: KeyAssignment
  queue: WorkQueue
}): Middleware {
  return (next) => async (run) => {
    if (assignment.holds(run.key))
      return assignment.run(run.key, (deadline) => next({ ...run, ...(deadline && { deadline }) }))
    queue.forget(run.key)
    return undefined
  }
}
