// The status of a Module during an operation and after it.
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { ControllerContext } from '../../../operator/controller/context.js'
import { requeue } from '../../../operator/controller/definition.js'
import { timeText } from '../../kinds/fields.js'
import type { Module, ModulePhase, OperationRecord } from '../../kinds/module.js'
import type { OperationContext } from '../../manager/manager.js'
import type { MadeCall } from '../call/module-call.js'
import type { ModuleOfRun } from '../connection/target-cluster.js'
import { sourceOf } from '../definition/definition.js'
import { eventAfter, phaseAfter, phaseDuring, progressOf, type StepKind } from '../record/decide.js'
import {
  type AttemptFailure,
  attemptsBeforeFailed,
  dueInMs,
  failedAttempt,
} from '../record/operation-record.js'
import { programOf } from './program-of.js'

type Ctx = ControllerContext<Module>

/** The annotation that ends the deletion of a Module whose manager cannot uninstall it. */
export const forceDeleteAnnotation = 'forkspacer.com/force-delete'

/** Sets the phase of a Module, and the time of its last activity if the phase is another one. */
export function setPhase({ status, clock }: Pick<Ctx, 'status' | 'clock'>, phase: ModulePhase): void {
  if (status.phase === phase) return
  status.phase = phase
  status.lastActivity = timeText(clock.date())
}

/** Records an attempt of an operation. */
export function reportAttempt(
  ctx: Ctx,
  operation: OperationRecord,
  reason: OperationContext['reason'],
): void {
  const isRetried = reason === 'retry' && operation.attempt > attemptsBeforeFailed
  setPhase(ctx, isRetried ? 'failed' : phaseDuring[operation.kind])
  ctx.status.operation = operation
  const { lastError: message = '' } = operation
  ctx.condition('Ready', false, 'InProgress')
  ctx.condition('Progressing', true, progressOf[operation.kind])
  ctx.condition('Degraded', message !== '', message === '' ? 'AsExpected' : 'Retrying', message)
}

/** Writes the status and the Event of an operation that has succeeded. */
export function reportSuccess({ ctx, module }: ModuleOfRun, kind: StepKind, call: MadeCall): void {
  const { status, events } = ctx
  events.normal(eventAfter[kind], `${kind} has succeeded`)
  status.operation = undefined
  status.message = undefined
  status.source = sourceOf(call.definition)
  status.program = programOf(call, module)
  setPhase(ctx, phaseAfter[kind])
}

const forceDeleteHint = `It is tried again; the annotation ${forceDeleteAnnotation}: "true" lets the Module go without that.`

/** An attempt that has failed. */
export interface OperationFailure {
  readonly operation: OperationRecord
  readonly failure: AttemptFailure
  /** The revisions of the ConfigMaps that the Module named when the attempt began. */
  readonly inputs: string | undefined
}

/** Writes the status and the Event of a failed attempt, and returns when the next attempt is due. */
export function reportFailedAttempt(
  { ctx, module }: ModuleOfRun,
  { operation, failure, inputs }: OperationFailure,
): ReconcileResult | undefined {
  const { status, events, clock, logger } = ctx
  const { kind, attempt } = operation
  const { message, reason, isPermanent } = failure
  const next = failedAttempt(operation, failure, { now: clock.date(), module, inputs })
  const isFailed = isPermanent || attempt >= attemptsBeforeFailed
  status.operation = next
  status.message = kind === 'uninstall' && isFailed ? `${message}. ${forceDeleteHint}` : message
  setPhase(ctx, isFailed ? 'failed' : phaseDuring[kind])
  logger.warn({ operation: kind, attempt, error: message }, 'an operation of a Module failed')
  events.warning(reason, message)
  ctx.condition('Ready', false, reason, message)
  ctx.condition('Progressing', !isFailed, reason)
  ctx.condition('Degraded', true, reason, message)
  const leftMs = dueInMs(next, { now: clock.date(), module })
  return Number.isFinite(leftMs) ? requeue({ afterMs: leftMs, exact: true }) : undefined
}
