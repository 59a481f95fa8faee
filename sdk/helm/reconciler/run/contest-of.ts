import { type Contest, joinContests } from '../../../engine/controller/contested-fields.js'
import type { ReconcileRun } from './release-run.js'

/** The contests for the objects and the record of a release, as one; undefined if there are none. */
export function contestOf({
  drift,
  recordContest,
  release,
}: Pick<ReconcileRun, 'drift' | 'recordContest' | 'release'>): Contest | undefined {
  return joinContests([drift.contestOf(release) ?? [], recordContest.find(release) ?? []].flat())
}
