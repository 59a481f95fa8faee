import once from 'lodash/once.js'
import { rolledBackTo, type StoredRelease } from '../../release/stored-release.js'
import { isInstallAt } from './next-revision.js'
import type { RenderingNow, WantedRelease } from './wanted-release.js'

/** Renders the chart of a release for its object as both are now, for a revision with a number. */
export type RenderForRevision = (version: number, isInstall: boolean) => Promise<WantedRelease>

/** The rendering that replaces a recorded revision. A rollback has the objects of the revision it went back to. */
export function renderingNow(
  render: RenderForRevision,
  revisions: readonly StoredRelease[],
  recorded: StoredRelease,
): RenderingNow {
  const version = rolledBackTo(recorded) ?? recorded.release.version
  return once(async () => (await render(version, isInstallAt(revisions, version))).rendered)
}
