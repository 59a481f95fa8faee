import { byNumber, latestOf } from '../release/history.js'
import type { Release } from '../release/release.js'
import type { FailedInputs, RevisionProgress, StoredRelease } from '../release/stored-release.js'
import { tellAdopted } from './in-step.js'
import { fresh } from './operation.js'
import { type OperationKind, operationWords, rollbackDescription } from './operation-kind.js'
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
  readonly kind: OperationKind
  /** The revision that a rollback brings back. */
  readonly to?: number
  /** The inputs that a rollback is for; nothing if a user asks for it. */
  readonly failed?: FailedInputs
}

/** The next operation for what is wanted; `inputs` are unknown before the chart is rendered. */
export function nextRevision(revisions: readonly StoredRelease[], inputs?: string): NextRevision {
  const latest = latestOf(revisions)
  const continued = latest && mayContinue(latest, inputs) ? latest : undefined
  const version = continued ? continued.release.version : (latest?.release.version ?? 0) + 1
  const isInstall = isInstallAt(revisions, version)
  return { version, isInstall, continued, kind: isInstall ? 'install' : 'upgrade' }
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
  const written = progress(run, { wanted, next })
  const record = { release, written, ...recordOwner(run) }
  if (continued) return run.store.update({ ...continued, ...record }, run.ctx.signal)
  const latest = latestOf(revisions)
  const created = await run.store.create({ labels: latest?.labels ?? {}, ...record }, run.ctx.signal)
  if (latest && latest.owner === undefined) tellAdopted(run)
  return created
}

function progress(
  run: ReleaseRun,
  { wanted, next: { continued, failed, to } }: { wanted: WantedRelease; next: NextRevision },
): RevisionProgress {
  const { attempt = 0, stage = 'pre-hooks' } = continued?.written ?? {}
  const { retry } = run.annotations
  return {
    inputs: wanted.inputs,
    // An interrupted operation goes on with what is wanted now, whose objects are not applied yet; a failed one begins again.
    stage: continued && isPending(continued) && stage !== 'pre-hooks' ? 'objects' : 'pre-hooks',
    attempt: attempt + 1,
    holder: run.holder,
    ...(retry !== undefined && { retry }),
    ...(to !== undefined && { to }),
    ...(failed && { failed }),
  }
}

const underway = { install: 'Initial install underway', upgrade: 'Preparing upgrade' }

function pendingRelease(
  run: ReleaseRun,
  {
    revisions,
    wanted,
    next,
  }: { revisions: readonly StoredRelease[]; wanted: WantedRelease; next: NextRevision },
): Release {
  const { version, kind, to = 0 } = next
  const { rendered, values } = wanted
  const now = timeOf(run)
  const first = byNumber(revisions)[0]?.release.info.first_deployed ?? now
  const { status } = operationWords[kind]
  const description = { ...underway, rollback: rollbackDescription(to) }[kind]
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
