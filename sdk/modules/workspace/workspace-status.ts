// The status of a Workspace at the end of a run.
import type { ControllerContext } from '../../operator/controller/context.js'
import { timeText } from '../kinds/fields.js'
import type { Workspace } from '../kinds/workspace.js'
import type { DeepSleep } from './deep-sleep.js'
import { type Counted, messageOf } from './its-modules.js'

type Run = ControllerContext<Workspace>

/** Writes the status of a Workspace that is ready, or hibernated. */
export function sayReady(
  ctx: Run,
  { spec, status }: Workspace,
  { counts, deep }: { readonly counts: Counted; readonly deep: DeepSleep | undefined },
): void {
  const areAsleep = spec.hibernated && counts.modules.total === counts.modules.sleeped
  const isAsleep = deep ? deep.state === 'asleep' : areAsleep
  const phase = isAsleep ? 'hibernated' : 'ready'
  if (status?.phase !== phase) {
    const now = timeText(ctx.clock.date())
    ctx.status.lastActivity = now
    ctx.status.hibernatedAt = isAsleep ? now : undefined
  }
  ctx.status.phase = phase
  ctx.status.ready = !isAsleep
  ctx.status.message = deep?.message ?? messageOf(counts)
  ctx.condition('Ready', !isAsleep, isAsleep ? 'Hibernated' : 'Connected')
}

/** Writes the status of a Workspace that waits. Its phase stays. */
export function sayWaiting(ctx: Run, message = ''): void {
  ctx.status.phase ??= 'installing'
  ctx.status.ready = false
  ctx.status.message = message
  ctx.condition('Ready', false, 'NotReady', message)
}

/** Writes the status of a Workspace whose run has failed. */
export function sayFailed(ctx: Run, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  ctx.status.phase = 'failed'
  ctx.status.ready = false
  ctx.status.message = message
  ctx.condition('Ready', false, 'Failed', message)
}

/** Writes the status of a Workspace that is being deleted, with what it waits for. */
export function sayTerminating(ctx: Run, message: string): void {
  ctx.status.phase = 'terminating'
  ctx.status.ready = false
  ctx.status.message = message
  ctx.condition('Ready', false, 'Terminating', message)
}
