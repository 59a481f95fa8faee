import type { StoredRelease } from '../../release/stored-release.js'
import type { DueOperation } from './due-operation.js'
import type { Goal } from './goal.js'
import { nextRevision } from './next-revision.js'

/**
 * Plans the operation that takes a release to its goal. The goal can depend on the number of the revision, and the
 * number on the goal.
 */
export async function planDeployment(
  revisions: readonly StoredRelease[],
  goal: Pick<Goal, 'to' | 'releaseFor'>,
): Promise<DueOperation> {
  const kindOf = goal.to === undefined ? {} : ({ kind: 'rollback', to: goal.to } as const)
  const first = nextRevision(revisions)
  const wanted = await goal.releaseFor(first.version, first.isInstall)
  const next = { ...nextRevision(revisions, wanted.inputs), ...kindOf }
  return {
    revisions,
    next,
    wanted: next.version === first.version ? wanted : await goal.releaseFor(next.version, next.isInstall),
  }
}
