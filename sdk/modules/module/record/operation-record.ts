// The record of an operation in the status of a Module: each attempt is recorded before it is made.
import { randomUUID } from 'node:crypto'
import { withJitter } from '../../../engine/time/jitter.js'
import { timeUntil } from '../../../engine/time/recorded-time.js'
import { parseGoDuration } from '../../../helm/values/go-duration.js'
import type { Module, OperationRecord } from '../../kinds/module.js'
import type { StepKind } from './decide.js'

/** A change of this annotation starts the next attempt of a failed operation at once. */
export const retryAnnotation = 'forkspacer.com/retry'

/** The number of attempts after which a Module counts as failed. It is still tried again. */
export const attemptsBeforeFailed = 3

const firstBackoffMs = 1_000
const maxBackoffMs = 300_000

/** A new operation, with its first attempt. */
export function beginOperation(kind: StepKind, now: Date, target?: string): OperationRecord {
  const wanted = target !== undefined && { target }
  return { id: randomUUID(), kind, ...wanted, attempt: 1, startedAt: now.toISOString() }
}

/** The same operation, with its next attempt. */
export function nextAttempt(
  { lastError, ...operation }: OperationRecord,
  { now, isChanged = false }: { now: Date; isChanged?: boolean },
): OperationRecord {
  return {
    ...sharedFields({ ...operation, changed: isChanged || operation.changed }),
    attempt: operation.attempt + 1,
    startedAt: now.toISOString(),
    ...(lastError !== undefined && { lastError }),
  }
}

/** The parts of a record that all attempts of an operation have. */
const sharedFields = ({ id, kind, target, changed }: OperationRecord) => ({
  id,
  kind,
  ...(target !== undefined && { target }),
  ...(changed && { changed }),
})

/** The end of an attempt that failed. */
export interface AttemptFailure {
  readonly message: string
  readonly reason: string
  /** Whether another attempt is useless until something changes. */
  readonly isPermanent: boolean
}

/** The operation after an attempt that failed. */
export function failedAttempt(
  operation: OperationRecord,
  { message, reason, isPermanent }: AttemptFailure,
  {
    now,
    module,
    inputs,
  }: { now: Date; module: Pick<Module, 'metadata' | 'spec'>; inputs: string | undefined },
): OperationRecord {
  const { attempt, startedAt } = operation
  const retry = module.metadata.annotations?.[retryAnnotation]
  const nextAttemptAt = new Date(now.getTime() + withJitter(backoffOf(attempt, module))).toISOString()
  return {
    ...sharedFields(operation),
    attempt,
    startedAt,
    lastError: message,
    reason,
    ...(isPermanent ? { permanent: true } : { nextAttemptAt }),
    ...(inputs !== undefined && { inputs }),
    ...(retry !== undefined && { retry }),
  }
}

/** The delay after an attempt, without jitter: 1 s, 2 s, 4 s and so on. */
function backoffOf(attempt: number, { spec }: Pick<Module, 'spec'>): number {
  const { maxBackoff } = spec.retry ?? {}
  const maxMs =
    maxBackoff === undefined ? maxBackoffMs : Math.max(firstBackoffMs, parseDurationMs(maxBackoff))
  return Math.min(maxMs, firstBackoffMs * 2 ** Math.min(attempt - 1, 30))
}

/** Milliseconds of a duration such as `1h30m`. */
export const parseDurationMs = (text: string): number => Math.max(0, parseGoDuration(text) ?? 0)

/** Whether an attempt that was recorded has failed and waits. */
export const hasFailed = (operation: OperationRecord): boolean =>
  operation.nextAttemptAt !== undefined || operation.permanent === true

/** The milliseconds until the next attempt is due; 0 if it is due, `Infinity` if it waits for a change. */
export function dueInMs(
  { permanent, nextAttemptAt, attempt }: OperationRecord,
  { now, module }: { readonly now: Date; readonly module: Pick<Module, 'spec'> },
): number {
  if (permanent) return Number.POSITIVE_INFINITY
  if (nextAttemptAt === undefined) return 0
  return timeUntil(Date.parse(nextAttemptAt), now, { waitMs: backoffOf(attempt, module) })
}

/** Whether the Module or a ConfigMap of it changed since an attempt failed, so that the next one need not wait. */
export function hasInputChanged(
  operation: OperationRecord,
  { metadata, status }: Module,
  inputs: string | undefined,
): boolean {
  if (operation.inputs !== undefined && operation.inputs !== inputs) return true
  if (operation.retry !== metadata.annotations?.[retryAnnotation]) return true
  return status?.observedGeneration !== undefined && status.observedGeneration !== metadata.generation
}
