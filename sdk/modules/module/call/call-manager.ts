// One call of a manager: its time limit, its signal, and the time that it gets to end after an abort.
import type { Logger } from '../../../engine/observe/logger.js'
import type { Clock } from '../../../engine/time/clock.js'
import { withOwnSignal } from '../../../engine/time/own-signal.js'
import type { OperationContext, OperationKind } from '../../manager/manager.js'
import type { ManagerSession } from '../../manager/program-runner.js'
import { until } from '../../manager/until.js'
import type { MetaData } from '../../metadata/metadata.js'

/** The time from an abort until a call is given up, in milliseconds. */
const abortGraceMs = 10_000
/** The same when the process is about to end: the metadata of the call must still be stored afterwards. */
const stopGraceMs = 500

/** A call took longer than its time limit. */
class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError'
}

/** A call was aborted because the intended state of the Module changed. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

/** A call goes on after it was aborted. `ended` resolves when it has ended. */
export class HangingCallError extends Error {
  override readonly name = 'HangingCallError'
  readonly ended: Promise<void>

  constructor(message: string, ended: Promise<void>, options: ErrorOptions) {
    super(message, options)
    this.ended = ended
  }
}

/** One call of a method of a manager. */
export interface ManagerCall {
  readonly operation: { readonly id: string; readonly kind: OperationKind; readonly attempt: number }
  readonly reason: OperationContext['reason']
  /** The time limit, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Aborts when the process is about to end. */
  readonly ending: AbortSignal
  readonly clock: Clock
  readonly logger: Logger
  readonly metaData: MetaData
  /** The former configuration, for an upgrade. */
  readonly before?: unknown
}

/**
 * Calls a method of a manager; `ModuleCall` does so once for each attempt. Rejects with the error of the manager; after
 * an abort with its reason, or with a {@link
 * HangingCallError} if the call goes on for 10 s.
 */
export function callManager(session: ManagerSession, call: ManagerCall): Promise<boolean | undefined> {
  const { operation, timeoutMs, clock } = call
  return withOwnSignal(call.signal, async (abortController) => {
    abortController.signal.throwIfAborted()
    const timeoutMessage = `${operation.kind} took longer than ${timeoutMs / 1000} s; make it quicker, or set spec.timeout`
    const cancel = clock.schedule(timeoutMs, () =>
      abortController.abort(new CallTimeoutError(timeoutMessage)),
    )
    try {
      const running = session.call(
        operation.kind,
        contextOf(call, abortController.signal),
        call.metaData,
        call.before,
      )
      return await waitForEnd(running, abortController.signal, call)
    } catch (error) {
      if (error instanceof HangingCallError) throw error
      throw abortController.signal.aborted ? abortController.signal.reason : error
    } finally {
      cancel()
    }
  })
}

/** The context that the manager gets as the argument of its method. */
function contextOf(
  { operation, reason, timeoutMs, clock, logger }: ManagerCall,
  signal: AbortSignal,
): OperationContext {
  const { id, attempt, kind } = operation
  return {
    signal,
    deadlineMs: timeoutMs,
    attempt,
    operationId: id,
    reason,
    logger: logger.child({ operation: kind, attempt }),
    until: (condition, options) => until(condition, options, { clock, signal }),
  }
}

/** Waits for the end of a call. Rejects with a {@link HangingCallError} if the call goes on after an abort. */
async function waitForEnd<T>(
  running: Promise<T>,
  signal: AbortSignal,
  { clock, operation, ending }: ManagerCall,
): Promise<T> {
  const ended = running.then(
    () => {},
    () => {},
  )
  const timers = new AbortController()
  const hanging = Promise.race([
    waitAfterAbort(signal, abortGraceMs, { clock, end: timers.signal }),
    waitAfterAbort(ending, stopGraceMs, { clock, end: timers.signal }),
  ]).then((ms) => {
    const message = `${operation.kind} goes on ${ms / 1000} s after its signal was aborted; pass ctx.signal to every call that waits`
    throw new HangingCallError(message, ended, { cause: signal.reason })
  })
  return Promise.race([running, hanging]).finally(() => timers.abort())
}

/** Resolves `ms` milliseconds after a signal was aborted; never if `end` aborts before. */
function waitAfterAbort(
  signal: AbortSignal,
  ms: number,
  { clock, end }: { readonly clock: Clock; readonly end: AbortSignal },
): Promise<number> {
  return new Promise((resolve) => {
    const onAbort = () => {
      const cancel = clock.schedule(ms, () => resolve(ms))
      end.addEventListener('abort', cancel, { once: true })
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    end.addEventListener('abort', () => signal.removeEventListener('abort', onAbort), { once: true })
  })
}
