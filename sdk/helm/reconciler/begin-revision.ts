import { byNumber, latestOf } from '../release/history.js'
import type { Release, ReleaseStatus } from '../release/release.js'
import type { RevisionProgress, StoredRelease } from '../release/stored-release.js'
import { fresh } from './operation.js'
import { type ReleaseRun, recordOwner, timeOf } from './release-run.js'
import type { WantedRelease } from './wanted-release.js'

/** Whether a revision was deployed at some time. */
export const wasDeployed = ({ release }: StoredRelease) =>
  ['deployed', 'superseded'].includes(release.info.status)

/** Whether an operation on a revision is under way, or was interrupted. */
export const isPending = ({ release }: StoredRelease) => release.info.status.startsWith('pending-')

/** The number and the kind of the next operation: a revision that this SDK did not finish is continued. */
export interface NextRevision {
  readonly version: number
  /** Whether no earlier revision was deployed. */
  readonly isInstall: boolean
  /** The revision that is continued or tried again. */
  readonly continued: StoredRelease | undefined
}

/** The next operation for what is wanted; `inputs` are unknown before the chart is rendered. */
export function nextRevision(revisions: readonly StoredRelease[], inputs?: string): NextRevision {
  const latest = latestOf(revisions)
  const continued = latest && mayContinue(latest, inputs) ? latest : undefined
  const version = continued ? continued.release.version : (latest?.release.version ?? 0) + 1
  return { version, isInstall: isInstallAt(revisions, version), continued }
}

/** Whether no revision before this one was deployed. Records that are pruned were. */
export function isInstallAt(revisions: readonly StoredRelease[], version: number): boolean {
  const oldest = byNumber(revisions)[0]?.release.version ?? 1
  return oldest === 1 && !revisions.some((one) => one.release.version < version && wasDeployed(one))
}

function mayContinue({ release, written }: StoredRelease, inputs: string | undefined): boolean {
  if (!written) return false
  const { status } = release.info
  if (status.startsWith('pending-')) return true
  return status === 'failed' && (inputs === undefined || written.inputs === inputs)
}

/** Records the beginning of an operation, unless the record says so already. */
export async function beginRevision(
  run: ReleaseRun,
  {
    revisions,
    wanted,
    next,
  }: { revisions: readonly StoredRelease[]; wanted: WantedRelease; next: NextRevision },
): Promise<StoredRelease> {
  const { continued } = next
  const isSame = continued?.written?.inputs === wanted.inputs
  if (continued && isSame && isPending(continued)) return continued
  const release = pendingRelease(run, { revisions, wanted, next })
  const written = progress(run, { wanted, continued })
  const record = { release, written, ...recordOwner(run) }
  if (continued) return run.store.update({ ...continued, ...record }, run.ctx.signal)
  const labels = latestOf(revisions)?.labels ?? {}
  return run.store.create({ labels, ...record }, run.ctx.signal)
}

function progress(
  run: ReleaseRun,
  { wanted, continued }: { wanted: WantedRelease; continued: StoredRelease | undefined },
): RevisionProgress {
  const attempt = (continued?.written?.attempt ?? 0) + 1
  // An interrupted operation goes on from its step, with what is wanted now; a failed one begins again.
  const stage = continued && isPending(continued) ? (continued.written?.stage ?? 'pre-hooks') : 'pre-hooks'
  return { inputs: wanted.inputs, stage, attempt, holder: run.holder }
}

function pendingRelease(
  run: ReleaseRun,
  {
    revisions,
    wanted,
    next,
  }: { revisions: readonly StoredRelease[]; wanted: WantedRelease; next: NextRevision },
): Release {
  const { version, isInstall } = next
  const { rendered, values } = wanted
  const now = timeOf(run)
  const first = byNumber(revisions)[0]?.release.info.first_deployed ?? now
  const status: ReleaseStatus = isInstall ? 'pending-install' : 'pending-upgrade'
  const description = isInstall ? 'Initial install underway' : 'Preparing upgrade'
  return {
    ...{ name: run.release.name, namespace: run.release.namespace, version },
    info: { first_deployed: first, last_deployed: now, description, status, notes: rendered.notes },
    ...{
      chart: rendered.chart,
      config: values,
      manifest: rendered.manifest,
      hooks: rendered.hooks.map(fresh),
    },
    apply_method: 'ssa',
  }
}
