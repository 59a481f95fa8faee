import { parseGoBoolean } from '../annotations/go-boolean.js'
import type { ReconcileRun } from './release-run.js'
import type { ValuesContext } from './values-context.js'

/** Why a release is paused, for the condition `Paused`. */
export interface PauseReason {
  /** The reason, in CamelCase; default `Paused`. */
  readonly reason?: string
  readonly message: string
}

/** Says whether the release of an object is paused. */
export type PauseFunction = (context: ValuesContext) => boolean | PauseReason | Promise<boolean | PauseReason>

/**
 * Pauses releases by an annotation of their objects, such as `cache.example.com/pause: "true"`, for the option `paused`.
 *
 * @example
 * ```ts
 * const paused: HelmReconcilerOptions['paused'] = pausedByAnnotation('cache.example.com/pause')
 * ```
 */
export function pausedByAnnotation(name: string): PauseFunction {
  return ({ resource }) => {
    const text = resource.metadata.annotations?.[name]
    if (text === undefined || parseGoBoolean(text) === false) return false
    if (parseGoBoolean(text))
      return { reason: 'PauseReconcileAnnotationTrue', message: `the annotation ${name} is ${text}` }
    throw new Error(`the annotation ${name} has the value ${JSON.stringify(text)}; use "true" or "false"`)
  }
}

const unnamed: PauseReason = { message: 'the program says so' }

/**
 * Whether the release of an object is left as it is, by the option `paused`. A function that fails pauses it: the reason for a pause may
 * be there. The condition `Paused` says why.
 */
export async function isPaused({ ctx, options }: ReconcileRun, context: ValuesContext): Promise<boolean> {
  if (!options.paused) return false
  const answer = await askWhether(options.paused, context)
  ctx.signal.throwIfAborted()
  if (answer === false) {
    ctx.condition('Paused', false, 'Reconciled')
    return false
  }
  const { reason = 'Paused', message } = answer === true ? unnamed : answer
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
