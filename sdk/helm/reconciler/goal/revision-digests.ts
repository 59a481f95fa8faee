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
 * process may have died before it wrote the digest of a rollback. Without any digest, the record counts only if the
 * status shows that the release was deployed before there were digests, or that the kind drops them.
 */
export async function isVouchedFor(
  { digests, isOlderThanDigests, release }: ReleaseRun,
  stored: StoredRelease,
  content: RenderedChart,
): Promise<boolean> {
  const versions = [stored.release.version, rolledBackTo(stored)]
  if (!digests || isOlderThanDigests) return true
  const known = digests.filter(({ revision }) => versions.includes(revision))
  if (known.length === 0) return false
  const actual = await contentDigest(release, content).catch((error: unknown) => {
    // A user may have made a hook unreadable.
    if (!(error instanceof RenderError)) throw error
    return undefined
  })
  return known.some(({ digest }) => digest === actual)
}

/** The most writes of the digest for one state of a record: a definition may have no such field. */
const maxWrites = 3

/** A deployed revision, with the intended state that it equals. */
interface VouchedRevision {
  readonly revision: StoredRelease
  readonly wanted: WantedRelease
  /** Whether this run deployed it. */
  readonly isNew: boolean
}

/**
 * Writes the digest of a deployed revision to the status, and drops those of revisions that are gone. The digest is
 * that of a rendering, or of a record with such a digest. A record that was merely read gets none, and the first digest
 * of a revision stays: a record that was edited later may look like a rendering.
 */
export async function noteDigest(
  run: ReconcileRun,
  { revision: { release, secret }, wanted, isNew }: VouchedRevision,
): Promise<void> {
  const isRead = wanted.now !== undefined || (wanted.chart === undefined && run.isOlderThanDigests === true)
  if (isRead || !run.digests) return
  const { version: revision } = release
  const before = digestsIn(run.ctx.status)
  const known = before.find((one) => one.revision === revision)
  if (known && !isNew) return
  const { uid = '', resourceVersion = '' } = secret?.metadata ?? {}
  const record = `${uid} ${resourceVersion}`
  const writes = run.digestWrites.get(record) ?? 0
  if (writes >= maxWrites) return
  const digest = await contentDigest(run.release, wanted.rendered)
  if (known?.digest === digest) return
  run.digestWrites.set(record, writes + 1, 1)
  const recorded = new Set(run.store.lastRead?.map((stored) => stored.release.version))
  const others = before.filter((one) => one.revision !== revision && recorded.has(one.revision))
  run.ctx.status.revisionDigests = [...others, { revision, digest }]
}
