import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { ReconcileReturn } from '../../../operator/controller/definition.js'
import type { JsonObject } from '../../chart/json-object.js'
import { OperationError } from '../problem/problem.js'
import type { ValuesContext } from './values-context.js'

/** The context of `preHooks`. */
export interface PreHookContext extends ValuesContext {
  /** The values for rendering the chart; a hook may change this object. */
  readonly values: JsonObject
}

/** The context of `postHooks`. */
export interface PostHookContext extends ValuesContext {
  /** The user's values of the release. */
  readonly values: JsonObject
  /** The deployed revision. */
  readonly release: DeployedRevision
}

/** A deployed revision, for code. */
export interface DeployedRevision {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  /** The `Chart.yaml` of the chart. */
  readonly chart: JsonObject
  /** The text of `NOTES.txt`; `''` if there is none. */
  readonly notes: string
  /** The objects as YAML documents. */
  readonly manifest: string
}

/** A function of a hook; a result ends the run, and the key runs again. */
export type CodeHookFunction<Context> = (context: Context) => ReconcileReturn

/**
 * Code around an operation. With `onError: 'continue'`, an error is reported by the Event `HookFailed`, and the next
 * hook runs; default `fail`: the run ends, and the key runs again with backoff.
 *
 * @example
 * ```ts
 * const waitForImage: CodeHook<PreHookContext> = ({ values }) =>
 *   values.image === undefined ? { requeueAfterMs: 5_000 } : undefined
 * ```
 */
export type CodeHook<Context> =
  | CodeHookFunction<Context>
  | { readonly run: CodeHookFunction<Context>; readonly onError?: 'fail' | 'continue' }

/** Options of {@link runCodeHooks}. */
export interface CodeHookRow<Context> {
  /** The name of the option, for messages. */
  readonly name: string
  readonly hooks: readonly CodeHook<Context>[] | undefined
  readonly context: Context
}

/** Runs hooks one after the other, until one returns a result. Returns this result. */
export async function runCodeHooks<Context extends ValuesContext>({
  name,
  hooks = [],
  context,
}: CodeHookRow<Context>): Promise<ReconcileResult | undefined> {
  for (const [index, hook] of hooks.entries()) {
    const { run, onError = 'fail' } = typeof hook === 'function' ? { run: hook } : hook
    try {
      const result = await run(context)
      if (result) return result
    } catch (error) {
      reportHook(`${name}[${index}]`, { error, onError, context })
    }
  }
  return undefined
}

/** Handles the error of a hook: throws it, or with `onError: 'continue'` reports it. */
function reportHook(
  name: string,
  { error, onError, context: { ctx } }: { error: unknown; onError: string; context: ValuesContext },
): void {
  if (ctx.signal.aborted || error instanceof PermanentError) throw error
  const message = `${name} failed: ${error instanceof Error ? error.message : String(error)}`
  if (onError === 'fail') throw new OperationError(message, { reason: 'HookError', cause: error })
  ctx.logger.warn({ error }, `${name} failed; going on`)
  ctx.events.warning('HookFailed', message)
}
