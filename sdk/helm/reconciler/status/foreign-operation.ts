import type { StoredRelease } from '../../release/stored-release.js'
import type { Chart } from '../../render/renderer.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'
import { isPending } from '../run/revision-status.js'

/** Rejects with {@link IrreconcilableError} `ReleaseNameTaken` for a release that this object may not take over. */
export function checkHolder(
  { options, owner, release, target }: ReleaseRun,
  latest: StoredRelease | undefined,
  chart: Chart,
): void {
  if (release.name === target.reservedName)
    throw new IrreconcilableError(
      'ReleaseNameTaken',
      `the release ${release.name} is that of the vcluster itself; use another name`,
    )
  if (!latest || latest.owner === owner.uid) return
  const { adopt = 'same-chart' } = options
  const chartName = String(latest.release.chart.metadata.name)
  if (
    latest.owner === undefined &&
    adopt !== 'never' &&
    (adopt === 'always' || chartName === chart.metadata.name)
  )
    return
  const holder =
    latest.owner === undefined ? `another program, with the chart ${chartName}` : holderOf(latest)
  const cure =
    latest.owner === undefined
      ? 'uninstall it, use another name, or set adopt'
      : 'uninstall it, or use another name'
  throw new IrreconcilableError(
    'ReleaseNameTaken',
    `the release ${release.name} in ${release.namespace} belongs to ${holder}; ${cure}`,
  )
}

/** Names the object of a release; by its UID if its record cannot have a reference to it. */
function holderOf({ owner = '', ownerReferences = [] }: StoredRelease): string {
  const reference = ownerReferences.find(({ uid }) => uid === owner)
  return reference ? `the ${reference.kind} ${reference.name}` : `the object with the UID ${owner}`
}

/** For how long an operation of another program is left alone, in milliseconds. */
export function foreignOperationMs({ ctx, options }: ReleaseRun, latest: StoredRelease | undefined): number {
  if (!latest || latest.written) return 0
  const { status, last_deployed = '', deleted } = latest.release.info
  if (!isPending(latest) && status !== 'uninstalling') return 0
  const begunMs = Date.parse(deleted || last_deployed) || 0
  return begunMs + (options.pendingGraceMs ?? 300_000) - ctx.clock.date().getTime()
}

/** Records that an operation of another program was interrupted, and returns the changed revisions. */
export async function recordInterruption(
  run: ReleaseRun,
  revisions: readonly StoredRelease[],
  latest: StoredRelease,
): Promise<StoredRelease[]> {
  const { release } = latest
  const info = { ...release.info, status: 'failed', description: 'interrupted' } as const
  reportForeign(run, latest, `its operation is too old and counts as interrupted`)
  const failed = await run.store.update({ ...latest, release: { ...release, info } }, run.ctx.signal)
  return revisions.map((one) => (one === latest ? failed : one))
}

/** Whether another program wrote a revision of a release of this object. */
export const isForeignRevision = ({ owner }: ReleaseRun, { owner: uid, written }: StoredRelease) =>
  uid === owner.uid && !written

/** Reports a revision of another program in a release of this object. */
export function reportForeign(run: ReleaseRun, latest: StoredRelease | undefined, consequence: string): void {
  if (!latest || !isForeignRevision(run, latest)) return
  const { ctx, release } = run
  ctx.events.warning(
    'ForeignRevision',
    `revision ${latest.release.version} of ${release.name} is of another program: ${consequence}`,
  )
}
