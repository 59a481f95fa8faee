import { fitIfLarge } from '../../release/fit-release.js'
import { byNumber, latestOf } from '../../release/history.js'
import type { Release } from '../../release/release.js'
import type { WrittenRelease } from '../../release/release-store.js'
import type { RevisionProgress, StoredRelease } from '../../release/stored-release.js'
import type { DueOperation, NextRevision } from '../goal/due-operation.js'
import type { WantedRelease } from '../goal/wanted-release.js'
import { operationWords, rollbackDescription } from '../problem/operation-kind.js'
import { type ReleaseRun, recordOwner, timeOf } from '../run/release-run.js'
import { isPending } from '../run/revision-status.js'
import { reportAdopted } from './adopt-release.js'
import { createRecord } from './create-record.js'
import type { StateBefore } from './existing-objects.js'
import { withoutLastRun } from './without-last-run.js'

/** The first record of an operation. */
export type FirstRecord = Pick<WrittenRelease, 'release' | 'trimmed'>

/**
 * The first record of an operation; undefined if the operation has begun already. Rejects with `ReleaseTooLargeError`
 * if the record does not fit into a Secret.
 */
export async function firstRecord(run: ReleaseRun, work: DueOperation): Promise<FirstRecord | undefined> {
  return hasBegun(work) ? undefined : fitIfLarge(pendingRelease(run, work))
}

/** A pending upgrade with the inputs of a rollback is another operation. */
function hasBegun({ next: { continued, kind, to }, wanted }: DueOperation): boolean {
  if (!continued?.written || !isPending(continued)) return false
  const { written } = continued
  return written.inputs === wanted.inputs && written.to === to && (written.kind ?? kind) === kind
}

/**
 * Writes the first record of an operation, with the objects that existed before; without a record, the operation has
 * begun already.
 */
export async function beginRevision(
  run: ReleaseRun,
  { revisions, wanted, next }: DueOperation,
  first: (FirstRecord & StateBefore) | undefined,
): Promise<StoredRelease> {
  const { continued } = next
  if (!first && continued) return continued
  if (!first) throw new Error(`no operation on the release ${run.release.name} has begun`)
  const { release } = first
  reportTrimmed(run, first)
  const record = { release, written: progressOf(run, { wanted, next }, first), ...recordOwner(run) }
  if (continued) return run.store.update({ ...continued, ...record }, run.ctx.signal)
  const latest = latestOf(revisions)
  const created = await createRecord(run, { labels: latest?.labels ?? {}, ...record })
  if (latest && latest.owner === undefined) reportAdopted(run)
  return created
}

/** Reports in an Event which parts of the chart the record lacks. */
function reportTrimmed({ ctx }: ReleaseRun, { release: { name, version }, trimmed }: FirstRecord): void {
  if (trimmed.length === 0) return
  ctx.events.warning(
    'ReleaseTrimmed',
    `the record of revision ${version} of ${name} has no ${trimmed.join(' and no ')} of the chart, because a Secret cannot hold them; ` +
      'helm can roll back to it',
  )
}

/** The progress of an operation that begins, or is continued, as its record stores it. */
function progressOf(
  run: ReleaseRun,
  { wanted, next }: { wanted: WantedRelease; next: NextRevision },
  { existing, isReinstall }: StateBefore,
): RevisionProgress {
  const { kind, continued, failed, to } = next
  const { attempt = 0, stage = 'pre-hooks' } = continued?.written ?? {}
  const { retry, renew } = run.annotations
  return {
    inputs: wanted.inputs,
    ...(wanted.absent.length > 0 && { absent: wanted.absent }),
    ...(existing.length > 0 && { existing }),
    ...((isReinstall || continued?.written?.isReinstall) && { isReinstall: true }),
    // An interrupted operation goes on with the current goal, whose objects are not applied yet. A failed one restarts.
    stage: continued && isPending(continued) && stage !== 'pre-hooks' ? 'objects' : 'pre-hooks',
    attempt: attempt + 1,
    holder: run.holder,
    ...(retry !== undefined && { retry }),
    ...(renew !== undefined && { renew }),
    kind,
    ...(to !== undefined && { to }),
    ...(failed && { failed }),
  }
}

/** The descriptions that Helm writes into a record while an operation is under way. */
const underwayDescriptions = { install: 'Initial install underway', upgrade: 'Preparing upgrade' }

/** The content of the record of an operation that begins. */
function pendingRelease(run: ReleaseRun, { revisions, wanted, next }: DueOperation): Release {
  const { version, kind, to = 0 } = next
  const { rendered, values } = wanted
  const nowText = timeOf(run)
  const firstDeployed = byNumber(revisions)[0]?.release.info.first_deployed ?? nowText
  const { status } = operationWords[kind]
  const description = { ...underwayDescriptions, rollback: rollbackDescription(to) }[kind]
  return {
    name: run.release.name,
    namespace: run.release.namespace,
    version,
    info: {
      first_deployed: firstDeployed,
      last_deployed: nowText,
      description,
      status,
      notes: rendered.notes,
    },
    chart: rendered.chart,
    config: values,
    manifest: rendered.manifest,
    hooks: rendered.hooks.map(withoutLastRun),
    apply_method: 'ssa',
  }
}
