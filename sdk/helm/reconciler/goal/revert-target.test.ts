// Tests which revision a release goes back to.
import t from 'tap'
import type { ReleaseStatus } from '../../release/release.js'
import type { RevisionProgress, StoredRelease } from '../../release/stored-release.js'
import { revertTarget } from './revert-target.js'

const revision = (version: number, status: ReleaseStatus, written: Partial<RevisionProgress> = {}) =>
  ({ release: { version, info: { status } }, written }) as StoredRelease

const targetOf = (...revisions: StoredRelease[]) => revertTarget({}, { isInstall: false, revisions })

void t.test('an upgrade goes back to the deployed revision', async (t) => {
  t.equal(targetOf(revision(1, 'superseded'), revision(2, 'deployed'), revision(3, 'failed')), 2)
  t.equal(targetOf(revision(4, 'failed')), undefined)
})

void t.test(
  'one whose process died before it recorded its end goes back to the revision before it',
  async (t) => {
    t.equal(targetOf(revision(1, 'superseded'), revision(2, 'superseded'), revision(3, 'failed')), 2)
    t.equal(targetOf(revision(1, 'superseded'), revision(2, 'failed'), revision(3, 'failed')), 1)
    t.equal(targetOf(revision(1, 'superseded'), revision(3, 'failed')), undefined, 'a record was deleted')
  },
)
