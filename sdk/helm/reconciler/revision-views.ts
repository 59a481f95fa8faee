import type { RevisionChangeView, RevisionView } from '../../engine/inspector/release-view.js'
import type { StoredRelease } from '../release/stored-release.js'
import { revisionChanges } from './revision-changes.js'

/** How many of the latest revisions are compared with the one before. */
const maxCompared = 5

/** The revisions of a release for the inspector. The latest also say what they changed. */
export function revisionViews(revisions: readonly Pick<StoredRelease, 'release'>[]): Promise<RevisionView[]> {
  const views = revisions.map(async (revision, index) => {
    const before = revisions[index - 1]
    const isCompared = before !== undefined && index >= revisions.length - maxCompared
    return { ...revisionView(revision), changes: isCompared ? await changesBetween(before, revision) : null }
  })
  return Promise.all(views)
}

/** The changes from one revision to the next; null if a manifest cannot be read: the others are still shown. */
async function changesBetween(
  before: Pick<StoredRelease, 'release'>,
  after: Pick<StoredRelease, 'release'>,
): Promise<RevisionChangeView[] | null> {
  try {
    return await revisionChanges(before.release.manifest, after.release.manifest)
  } catch {
    return null
  }
}

function revisionView({ release }: Pick<StoredRelease, 'release'>): Omit<RevisionView, 'changes'> {
  const { info, chart, version } = release
  const { appVersion } = chart.metadata
  return {
    revision: version,
    status: info.status,
    description: info.description ?? '',
    chart: `${String(chart.metadata.name)}-${String(chart.metadata.version)}`,
    appVersion: appVersion === undefined ? null : String(appVersion),
    atMs: Date.parse(info.last_deployed ?? '') || 0,
  }
}
