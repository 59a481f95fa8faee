// The checks of Modules whose managers have the method `check`. The results are in memory; only the condition Ready is
// stored.
import { randomUUID } from 'node:crypto'
import { NotReadyError } from '../../manager/not-ready-error.js'
import { HangingCallError, InterruptedError } from '../call/call-manager.js'
import { ModuleCall } from '../call/module-call.js'
import type { ModuleOfRun } from '../connection/target-cluster.js'
import { attemptFailure } from '../record/failure.js'
import type { CheckVerdict } from '../record/idle-memory.js'

/** The time from the start of one check to the start of the next one, in milliseconds. */
const intervalMs = 60_000
/** The time limit of a check, in milliseconds. */
const maxTimeoutMs = 30_000

/**
 * Whether a Module works, by a check in the last minute. Undefined if its manager has no method `check`; `interrupted`
 * if the Module changed during the check, which is then repeated.
 */
export async function checkIsReady(run: ModuleOfRun): Promise<CheckVerdict | 'interrupted' | undefined> {
  const { module, environment, ctx } = run
  const { uid = '' } = module.metadata
  if (!module.status?.program?.methods?.includes('check')) return undefined
  const lastVerdict = environment.checks.get(uid)
  if (lastVerdict && (ctx.clock.now() < lastVerdict.dueMs || environment.hanging.has(uid))) return lastVerdict
  const dueMs = ctx.clock.now() + intervalMs
  const verdict = await callCheck(run)
  if (verdict === 'interrupted') return verdict
  environment.checks.set(uid, { ...verdict, dueMs })
  return { ...verdict, dueMs }
}

/** Calls the method `check` of the manager. */
async function callCheck(run: ModuleOfRun): Promise<Omit<CheckVerdict, 'dueMs'> | 'interrupted'> {
  const { environment, ctx } = run
  const operation = { id: randomUUID(), kind: 'check', attempt: 1 } as const
  const call = new ModuleCall({ ...run, operation, reason: 'first', maxTimeoutMs })
  try {
    const { answer } = await call.make()
    if (answer) return { isReady: true }
    return {
      isReady: false,
      reason: 'NotReady',
      message:
        'the check of the manager says that it is not ready; to say why, let it throw an error with a message',
    }
  } catch (error) {
    if (environment.stop.aborted || ctx.signal.aborted) throw error
    const cause = error instanceof HangingCallError ? error.cause : error
    if (cause instanceof InterruptedError) return 'interrupted'
    if (error instanceof NotReadyError) return { isReady: false, reason: 'NotReady', message: error.message }
    return { isReady: false, ...attemptFailure(error, 'check', call.secretTexts) }
  }
}
