// The status of a Module that waits for its Workspace. The change of the Workspace runs the Module again.
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { formatKey } from '../../../engine/kube/key.js'
import type { ControllerContext } from '../../../operator/controller/context.js'
import type { Module } from '../../kinds/module.js'

/** The time until the next run of a Module that a change will run earlier, in milliseconds: 24 h. */
const longWaitMs = 86_400_000

/** Reports in the status that the Module waits for its Workspace to be ready, without a time limit. */
export function waitForWorkspace(ctx: ControllerContext<Module>, { spec }: Module, exists: boolean): void {
  const { namespace, name } = spec.workspace
  const subject = `Workspace ${formatKey(spec.workspace)}`
  const message = exists
    ? `${subject} is not ready, and the Module is installed once it is; see why: kubectl describe workspace ${name} -n ${namespace}`
    : `${subject} does not exist; create it`
  report(ctx, 'WorkspaceNotReady', message)
  ctx.condition('Degraded', false, 'AsExpected')
}

/** Reports in the status that the vcluster of the Workspace sleeps. No attempt is made, because it would fail. */
export function waitForVcluster(ctx: ControllerContext<Module>, { spec }: Module): ReconcileResult {
  report(ctx, 'VclusterAsleep', `waits for the vcluster of Workspace ${formatKey(spec.workspace)} to wake`)
  return { requeueAfterMs: longWaitMs }
}

/** Writes why a Module waits into its status. */
function report(ctx: ControllerContext<Module>, reason: string, message: string): void {
  ctx.status.message = message
  ctx.condition('Ready', false, reason, message)
  ctx.condition('Progressing', true, reason, message)
}
