// The status of a Workspace at the end of a run.
import type { ControllerContext } from '../../operator/controller/context.js'
import { timeText } from '../kinds/fields.js'
import type { Workspace } from '../kinds/workspace.js'
import type { DeepSleep } from './deep-sleep.js'
import { type ModulesByPhase, messageOf } from './workspace-modules.js'

/** The context of a run of a Workspace. */
type Run = ControllerContext<Workspace>

/** The facts that the status of a Workspace says. */
export interface WorkspaceFacts {
  readonly counts: ModulesByPhase
  readonly deep: DeepSleep | undefined
  /** Whether the Workspace is a fork whose data is copied. */
  readonly isCopying: boolean
}

/** The reason of the condition Ready in each phase. */
const reasonOf = { ready: 'Connected', hibernated: 'Hibernated', installing: 'CopyingData' } as const

/** Writes the status of a Workspace that is ready, hibernated, or a fork whose data is copied. */
export function reportReady(
  ctx: Run,
  { spec, status }: Workspace,
  { counts, deep, isCopying }: WorkspaceFacts,
): void {
  const areAsleep = spec.hibernated && counts.modules.total === counts.modules.sleeped && !isCopying
  const isAsleep = deep ? deep.state === 'asleep' : areAsleep
  const awakePhase = isCopying ? 'installing' : 'ready'
  const phase = isAsleep ? 'hibernated' : awakePhase
  if (status?.phase !== phase) {
    const now = timeText(ctx.clock.date())
    ctx.status.lastActivity = now
    ctx.status.hibernatedAt = isAsleep ? now : undefined
  }
  ctx.status.phase = phase
  ctx.status.ready = phase === 'ready'
  ctx.status.message = deep?.message ?? messageOf(counts)
  ctx.condition('Ready', phase === 'ready', reasonOf[phase])
}

/** Reports what a fork waits for while its data is copied. */
export function reportCopying(ctx: Run, message: string): void {
  ctx.status.message = message
  ctx.condition('Ready', false, reasonOf.installing, message)
}

/** Writes the status of a Workspace that waits. Its phase stays. */
export function reportWaiting(ctx: Run, message = ''): void {
  ctx.status.phase ??= 'installing'
  ctx.status.ready = false
  ctx.status.message = message
  ctx.condition('Ready', false, 'NotReady', message)
}

/** Writes the status of a Workspace whose run has failed. */
export function reportFailed(ctx: Run, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  ctx.status.phase = 'failed'
  ctx.status.ready = false
  ctx.status.message = message
  ctx.condition('Ready', false, 'Failed', message)
}

/** Writes the status of a Workspace that is being deleted, with what it waits for. */
export function reportTerminating(ctx: Run, message: string): void {
  ctx.status.phase = 'terminating'
  ctx.status.ready = false
  ctx.status.message = message
  ctx.condition('Ready', false, 'Terminating', message)
}
