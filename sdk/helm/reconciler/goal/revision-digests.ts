/**
 * The digests of the revisions that this operator deployed, in `status.revisionDigests` of the custom resource. Users
 * who can edit records cannot write the status. Releases in another cluster than their objects have no digests.
 */
import { rolledBackTo, type StoredRelease } from '../../release/stored-release.js'
import { RenderError } from '../../render/render-error.js'
import type { RenderedChart } from '../../render/renderer.js'
import { digestsIn } from '../run/recorded-digests.js'
import type { ReconcileRun, ReleaseRun } from '../run/release-run.js'
import { contentDigest } from './content-digest.js'
import type { WantedRelease } from './wanted-release.js'

/**
 * Whether the content of a record is what the operator deployed as this revision, or as the one that it brings back: a
 * process may have died before it wrote the digest of a rollback.
 */
export async function isVouchedFor(
  { digests, release }: ReleaseRun,
  stored: StoredRelease,
  content: RenderedChart,
): Promise<boolean> {
  const versions = [stored.release.version, rolledBackTo(stored)]
  const known = digests?.filter(({ revision }) => versions.includes(revision)) ?? []
  if (known.length === 0) return false
  const actual = await contentDigest(release, content).catch((error: unknown) => {
    // A user may have made a hook unreadable.
    if (!(error instanceof RenderError)) throw error
    return undefined
  })
  return known.some(({ digest }) => digest === actual)
}

/**
 * Writes the digest of a deployed revision to the status, and drops those of revisions that are gone. The digest is
 * that of a rendering, or of a record with such a digest. A record that was merely read gets none.
 */
export async function noteDigest(
  run: ReconcileRun,
  { release, secret }: StoredRelease,
  wanted: WantedRelease,
): Promise<void> {
  if (wanted.now || !run.digests) return
  const { version: revision } = release
  const { uid = '', resourceVersion = '' } = secret?.metadata ?? {}
  const record = `${uid} ${resourceVersion}`
  const digest = run.notedDigests.get(record) ?? (await contentDigest(run.release, wanted.rendered))
  run.notedDigests.set(record, digest, 1)
  const before = digestsIn(run.ctx.status)
  if (before.some((one) => one.revision === revision && one.digest === digest)) return
  const recorded = new Set(run.store.lastRead?.map((stored) => stored.release.version))
  const others = before.filter((one) => one.revision !== revision && recorded.has(one.revision))
  run.ctx.status.revisionDigests = [...others, { revision, digest }]
}
