import { InvalidResultError } from './check-result.js'
import { HookDenialError } from './hook-denial-error.js'

/** A hook took too long. */
export class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError'
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`it did not answer within ${limitMs / 1000} s; pass ctx.signal to calls that wait`)
    this.limitMs = limitMs
  }
}

/** vcluster no longer waited for the call, or the plugin stopped. */
export class HookCancelledError extends Error {
  override readonly name = 'HookCancelledError'
}

/** How a failed call of a hook is counted, logged and reported. */
export interface HookFailure {
  /** The label of the metric. */
  readonly result: 'denied' | 'timeout' | 'cancelled' | 'failed'
  readonly logText: string
  /** The message for vcluster, which writes it to its log and to an Event that users of the virtual cluster read. */
  readonly text: string
}

/**
 * Describes the error of a hook. The message for vcluster quotes only errors that are meant for it: a denial and an
 * invalid result. Any other error may contain a secret of the plugin.
 */
export function describeFailure(error: unknown, { hook, call }: { hook: string; call: string }): HookFailure {
  if (error instanceof HookDenialError)
    return {
      result: 'denied',
      logText: 'a hook denied',
      text: `hook ${hook} denied ${call}: ${error.message}`,
    }
  if (error instanceof HookTimeoutError) {
    const text = `hook ${hook} did not answer ${call} within ${error.limitMs / 1000} s`
    return { result: 'timeout', logText: 'a hook did not answer in time', text }
  }
  if (error instanceof HookCancelledError) {
    const text = `hook ${hook} was cancelled in ${call}`
    return { result: 'cancelled', logText: 'a hook was cancelled', text }
  }
  const reason = error instanceof InvalidResultError ? `: ${error.message}` : "; the plugin's log says why"
  return { result: 'failed', logText: 'a hook failed', text: `hook ${hook} failed on ${call}${reason}` }
}
