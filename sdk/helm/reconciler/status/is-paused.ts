import type { PauseFunction, PauseReason } from '../options/pause.js'
import type { ValuesContext } from '../options/values-context.js'
import type { ReconcileRun } from '../run/release-run.js'

const defaultReason: PauseReason = { message: 'the program says so' }

/**
 * Whether the release of an object is left as it is, by the option `paused`. If the function fails, the release is
 * paused, because a reason for a pause may exist. The condition `Paused` says why.
 */
export async function isPaused(
  { ctx, options }: Pick<ReconcileRun, 'ctx' | 'options'>,
  context: ValuesContext,
): Promise<boolean> {
  if (!options.paused) return false
  const answer = await askWhether(options.paused, context)
  ctx.signal.throwIfAborted()
  if (answer === false) {
    ctx.condition('Paused', false, 'Reconciled')
    return false
  }
  const { reason = 'Paused', message } = answer === true ? defaultReason : answer
  ctx.condition('Paused', true, reason, message)
  return true
}

async function askWhether(paused: PauseFunction, context: ValuesContext): Promise<boolean | PauseReason> {
  try {
    return await paused(context)
  } catch (error) {
    const message = `paused failed: ${error instanceof Error ? error.message : String(error)}`
    context.ctx.events.warning('PauseFailed', message)
    return { reason: 'PauseFailed', message }
  }
}
