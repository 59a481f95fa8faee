import type { StoredRelease } from '../../release/stored-release.js'
import type { DueOperation, NextRevision, OperationProgress } from '../goal/due-operation.js'
import { revertTarget } from '../goal/revert-target.js'
import { markedObjects } from '../objects/release-object.js'
import { operationWords } from '../problem/operation-kind.js'
import { OperationError } from '../problem/problem.js'
import { reportDoubtful } from '../run/doubtful-values.js'
import { placedServed } from '../run/placed-if-served.js'
import type { ReleaseRun } from '../run/release-run.js'
import { adviseOnNamespace } from '../status/namespace-advice.js'
import { beginRevision, type FirstRecord, firstRecord } from './begin-revision.js'
import { carryOut, hooksOf, type StartedOperation } from './carry-out.js'
import { checkNotForeign, findExisting } from './check-not-foreign.js'
import { installDefinitions } from './definitions.js'
import { earlierObjects, removeStaleObjects } from './earlier-objects.js'
import { replaceableIn, type StateBefore, stateBefore } from './existing-objects.js'
import { checkHooksCanRun, checkHooksOurs } from './hook-ownership.js'
import { reportLeftOut } from './left-out-hooks.js'
import { reportLargeNumbers } from './number-hints.js'
import { Operation, type OperationOptions } from './operation.js'
import { reportOverridden } from './overridden-values.js'
import { ensureNamespace } from './release-namespace.js'

/**
 * Installs, upgrades or rolls back a release, or continues such an operation. Waiting for a hook, a definition or an
 * object holds no worker: the result says what the operation waits for. A step that fails records the revision as
 * failed.
 */
export async function deploy(run: ReleaseRun, work: DueOperation): Promise<OperationProgress> {
  const { wanted, next } = work
  run.secretTexts.noteRendered(wanted.rendered.objects)
  const record = await firstRecord(run, work)
  if (record) {
    await checkHooksCanRun(wanted.rendered.hooks)
    await checkHooksOurs(run, work.revisions, hooksOf(run, work))
  }
  // Otherwise definitions would be written before this check of the objects.
  if (wanted.rendered.crds.length > 0)
    await checkNotForeign(run, await placedServed(run, wanted.rendered.objects))
  const before = await earlierObjects(run, work)
  if (work.revisions.length === 0) await ensureNamespace(run)
  const missing = await installDefinitions(run, wanted)
  if (missing) {
    // The next run renders the same.
    await run.seed.save()
    return { waitsFor: `${missing.what} in crds/ to be served`, missing }
  }
  const objects = await markedObjects(run, wanted.rendered.objects)
  const { found, unchanged } = await findExisting(run, objects)
  await removeStaleObjects(run, before, { objects, wanted, of: next.continued })
  await run.seed.save()
  if (record) reportHints(run, work)
  reportOverridden(run, next)
  const operation = await begin(run, work, record, stateBefore(run, before, found))
  const replaceable = replaceableIn(run, before, found)
  return carryOutRecorded(run, { operation, objects, unchanged, replaceable, before, work })
}

/** Begins or continues an operation, whose record has the objects of others that exist. */
async function begin(
  run: ReleaseRun,
  work: DueOperation,
  record: FirstRecord | undefined,
  state: StateBefore,
): Promise<Operation> {
  const revision = await beginRevision(run, work, record && { ...record, ...state })
  const operation = new Operation(run, revision, optionsOf(work))
  await operation.noteExisting(state.existing)
  return operation
}

/** The record of an operation must not name other hooks than the chart. */
const optionsOf = ({ revisions, wanted }: DueOperation): OperationOptions => ({
  before: revisions,
  now: wanted.now ?? (async () => wanted.rendered),
})

/** Reports possible mistakes in the chart and the values, and renewed random values, once for each revision. */
function reportHints(run: ReleaseRun, { wanted }: DueOperation): void {
  const { chart, values, renewal } = wanted
  reportLargeNumbers(run, wanted)
  reportLeftOut(run, wanted)
  if (renewal) run.ctx.events.normal('RandomValuesRenewed', `${run.release.name}: ${renewal}`)
  if (chart) reportDoubtful(run, { chart, values })
}

/** Carries out an operation. A step that fails records the revision as failed. */
async function carryOutRecorded(run: ReleaseRun, begun: StartedOperation): Promise<OperationProgress> {
  const { operation, work } = begun
  try {
    return await carryOut(run, begun)
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    throw await recordFailure(run, { operation, work, error })
  }
}

/** An operation with a step that failed. */
interface FailedDeployment {
  readonly operation: Operation
  readonly work: DueOperation
  readonly error: OperationError
}

/** Records that a revision has failed. Returns the error to throw. */
async function recordFailure(
  run: ReleaseRun,
  { operation, work, error }: FailedDeployment,
): Promise<OperationError> {
  const { next } = work
  run.secretTexts.redactError(error)
  // A rollback that follows reports the message of the record.
  adviseOnNamespace(run, error)
  await operation.end('failed', failureDescription(run, next, error))
  const { reason } = error
  const isPermanent = error.isPermanent && !isReverted(run, work, operation.revision)
  return new OperationError(error.message, { reason, isPermanent, kind: next.kind, cause: error })
}

/** Whether the next run rolls back or uninstalls what failed, so it must follow soon. */
function isReverted(
  { options }: ReleaseRun,
  { next: { kind }, revisions }: DueOperation,
  failed: StoredRelease,
): boolean {
  const isInstall = kind === 'install'
  const target = revertTarget(options, { isInstall, revisions: [...revisions, failed] })
  return kind !== 'rollback' && target !== undefined
}

const failureDescription = ({ release }: ReleaseRun, { kind }: NextRevision, { message }: Error) =>
  `${operationWords[kind].subject} ${JSON.stringify(release.name)} failed: ${message}`
