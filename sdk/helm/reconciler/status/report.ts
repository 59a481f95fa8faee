import { isForbidden, isNotFound } from '../../../engine/kube/error.js'
import { ReleaseTooLargeError } from '../../release/fit-release.js'
import { TooManyRecordsError } from '../../release/record-budget.js'
import { rolledBackTo, type StoredRelease } from '../../release/stored-release.js'
import { UnreadableReleaseError } from '../../release/unreadable-release.js'
import { RenderError } from '../../render/render-error.js'
import { TargetError } from '../../target/target-error.js'
import type { HelmControllerOptions } from '../options/options.js'
import { ApiUnavailableError } from '../problem/api-unavailable.js'
import { isReleaseOperation, operationWords, type ReleaseOperation } from '../problem/operation-kind.js'
import { IrreconcilableError, OperationError, RefusedObjectError, ValuesError } from '../problem/problem.js'
import { contestOf } from '../run/contest-of.js'
import type { ReconcileRun } from '../run/release-run.js'
import { publicManifest } from './public-manifest.js'

/** Writes the deployed revision and its conditions to the status. */
export async function reportDeployed(
  run: ReconcileRun,
  revision: StoredRelease,
  resources: number,
): Promise<void> {
  const { ctx, options } = run
  const { version } = revision.release
  await writeDeployed(run, revision, resources)
  const message = `revision ${version}${resources === 0 ? noObjectsText(revision, options) : ''}`
  ctx.condition('Deployed', true, operationWords[operationOf(revision)].deployed, message)
  ctx.condition('ReleaseFailed', false, 'Deployed')
  const contest = contestOf(run)
  ctx.condition(
    'Irreconcilable',
    contest !== undefined,
    contest ? 'FieldContested' : 'Reconciled',
    contest?.message,
  )
  ctx.condition('Progressing', false, 'Deployed')
}

/** Writes `status.deployedRelease`. Without any digest, it alone would let all records of the release count. */
async function writeDeployed(
  { ctx, options, digests, isOlderThanDigests }: ReconcileRun,
  { release }: StoredRelease,
  resources: number,
): Promise<void> {
  const { name, namespace, version, chart, manifest } = release
  const { name: chartName, version: chartVersion, appVersion } = chart.metadata
  ctx.status.deployedRelease = {
    name,
    namespace,
    revision: version,
    chart: `${String(chartName)}-${String(chartVersion)}`,
    ...(appVersion !== undefined && { appVersion }),
    resources,
    ...(options.statusManifest && { manifest: await publicManifest(manifest) }),
  }
  if (digests && !isOlderThanDigests) ctx.status.revisionDigests ??= []
}

/** Says that a release has no objects, which is most often a condition in the templates that the values do not meet. */
export function noObjectsText(
  { release: { hooks, chart } }: Pick<StoredRelease, 'release'>,
  { crds }: Pick<HelmControllerOptions, 'crds'> = {},
): string {
  const hasDefinitions = crds !== 'skip' && chart.files.some(({ name }) => /(?:^|\/)crds\//.test(name))
  const others = [
    ...(hooks.length > 0 ? ['hooks'] : []),
    ...(hasDefinitions ? ['the definitions in crds/'] : []),
  ]
  return `; the chart rendered no objects${others.length > 0 ? ` except ${others.join(' and ')}` : ''}`
}

/** The operation that made a revision. The description in the record is not asked: users set it by annotations. */
export function operationOf(revision: StoredRelease): ReleaseOperation {
  const { release, written } = revision
  if (isReleaseOperation(written?.kind)) return written.kind
  if (rolledBackTo(revision) !== undefined) return 'rollback'
  return release.version === 1 ? 'install' : 'upgrade'
}

/** Writes the conditions and the Event of an error. */
export function report(run: Pick<ReconcileRun, 'ctx' | 'release'>, error: unknown): void {
  const { ctx, release } = run
  if (reportIrreconcilable(run, asIrreconcilable(error))) return
  if (!(error instanceof OperationError)) return
  ctx.condition('ReleaseFailed', true, error.reason ?? wordsOf(run, error).error, error.message)
  ctx.condition('Progressing', false, 'Failed')
  // The controller writes an Event about an error that is permanent.
  if (!error.isPermanent) ctx.events.warning(failedReason(run, error), `${release.name}: ${error.message}`)
}

function wordsOf({ ctx }: Pick<ReconcileRun, 'ctx'>, { kind }: OperationError) {
  const hasDeployed = ctx.status.deployedRelease !== undefined
  return operationWords[kind ?? (hasDeployed ? 'upgrade' : 'install')]
}

const failedReason = (run: Pick<ReconcileRun, 'ctx'>, error: OperationError) =>
  error.reason === 'HookError' ? 'HookFailed' : wordsOf(run, error).failed

/** Returns an error of an operation as {@link RefusedObjectError} if a retry with backoff is useless. */
export function asRefused(run: Pick<ReconcileRun, 'ctx' | 'release'>, error: unknown): unknown {
  if (!(error instanceof OperationError && error.isPermanent)) return error
  const message = `${run.release.name}: ${error.message}`
  return new RefusedObjectError(message, { eventReason: failedReason(run, error), cause: error })
}

/** Writes the condition `Irreconcilable` for an error that somebody has to act on. Returns whether it did. */
export function reportIrreconcilable({ ctx }: Pick<ReconcileRun, 'ctx'>, error: unknown): boolean {
  const reason = irreconcilableReason(error)
  if (reason === undefined) return false
  ctx.condition('Irreconcilable', true, reason, (error as Error).message)
  if (error instanceof ApiUnavailableError) ctx.events.warning(reason, error.message)
  return true
}

function irreconcilableReason(error: unknown): string | undefined {
  if (error instanceof IrreconcilableError) return error.reason
  if (error instanceof ApiUnavailableError) return 'ApiUnavailable'
  if (error instanceof TooManyRecordsError) return 'TooManyRecords'
  if (error instanceof UnreadableReleaseError) return 'ErrorGettingReleaseState'
  if (error instanceof ValuesError) return 'ErrorGettingValues'
  // A namespace or a permission that is missing; its message contains no values.
  return isForbidden(error) || isNotFound(error) ? 'ReconcileError' : undefined
}

/** Returns an error as {@link IrreconcilableError} if a retry is useless. */
export function asIrreconcilable(error: unknown): unknown {
  if (error instanceof RenderError)
    return new IrreconcilableError(error.reason, error.message, { cause: error })
  if (error instanceof TargetError)
    return new IrreconcilableError(error.reason, error.message, { cause: error })
  if (error instanceof ReleaseTooLargeError)
    return new IrreconcilableError('ReleaseTooLarge', error.message, { cause: error })
  return error
}
