import { isForbidden, isNotFound } from '../../kube/error.js'
import { ReleaseTooLargeError } from '../release/fit-release.js'
import type { StoredRelease } from '../release/stored-release.js'
import { RenderError } from '../render/render-error.js'
import { operationWords } from './operation-kind.js'
import { IrreconcilableError, OperationError } from './problem.js'
import { publicManifest } from './public-manifest.js'
import type { ReconcileRun } from './release-run.js'

/** Writes the deployed revision to the status. */
export async function tellDeployed(
  run: ReconcileRun,
  { release }: StoredRelease,
  resources: number,
): Promise<void> {
  const { ctx, options } = run
  const { name, namespace, version, chart } = release
  const { name: chartName, version: chartVersion, appVersion } = chart.metadata
  ctx.status.deployedRelease = {
    ...{ name, namespace, revision: version, chart: `${String(chartName)}-${String(chartVersion)}` },
    ...(appVersion !== undefined && { appVersion }),
    resources,
    ...(options.statusManifest && { manifest: await publicManifest(release.manifest) }),
  }
  ctx.condition('Deployed', true, deployedReason(run, release.info.description), `revision ${version}`)
  ctx.condition('ReleaseFailed', false, 'Deployed')
  ctx.condition('Irreconcilable', false, 'Reconciled')
  ctx.condition('Progressing', false, 'Deployed')
}

function deployedReason({ annotations }: ReconcileRun, description: string | undefined): string {
  if (['Install complete', annotations.installDescription].includes(description)) return 'InstallSuccessful'
  return description?.startsWith('Rollback to ') ? 'RolledBack' : 'UpgradeSuccessful'
}

/** Writes the conditions and the Event of an error. */
export function report({ ctx, release }: ReconcileRun, error: unknown): void {
  const problem = asIrreconcilable(error)
  if (problem instanceof IrreconcilableError) {
    ctx.condition('Irreconcilable', true, problem.reason, problem.message)
    return
  }
  // A namespace or a permission that is missing; its message contains no values.
  if (isForbidden(error) || isNotFound(error))
    ctx.condition('Irreconcilable', true, 'ReconcileError', error.message)
  if (!(error instanceof OperationError)) return
  const hasDeployed = ctx.status.deployedRelease !== undefined
  const words = operationWords[error.kind ?? (hasDeployed ? 'upgrade' : 'install')]
  ctx.condition('ReleaseFailed', true, error.reason ?? words.error, error.message)
  ctx.condition('Progressing', false, 'Failed')
  const reason = error.reason === 'HookError' ? 'HookFailed' : words.failed
  ctx.events.warning(reason, `${release.name}: ${error.message}`)
}

/** Returns an error as {@link IrreconcilableError} if a retry is useless. */
export function asIrreconcilable(error: unknown): unknown {
  if (error instanceof RenderError)
    return new IrreconcilableError(error.reason, error.message, { cause: error })
  if (error instanceof ReleaseTooLargeError)
    return new IrreconcilableError('ReleaseTooLarge', error.message, { cause: error })
  return error
}
