import type { KeyAssignment } from '../../queue/key-assignment.js'
import type { WorkQueue } from '../../queue/work-queue.js'
import type { Middleware } from '../run.js'

/**
 * Drops a key whose shard another replica has taken over since the key was enqueued. Other keys run with the deadline
 * of their shard.
 */
export function onlyOwnShard({
  assignment,
  queue,
}: {
  assignment: KeyAssignment
  queue: WorkQueue
}): Middleware {
  return (next) => (run) => {
    if (assignment.holds(run.key))
      return assignment.run(run.key, (deadline) => next(deadline ? { ...run, deadline } : run))
    queue.forget(run.key)
    return Promise.resolve(undefined)
  }
}
