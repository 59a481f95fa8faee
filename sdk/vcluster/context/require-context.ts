import { PluginError } from '../../engine/kube/error.js'
import type { RegisterContext } from './register-context.js'

/**
 * Throws a `PluginError` `INVALID_REGISTRATION` unless `ctx` is the context that `plugin.init()` resolves with, as in a
 * program whose types are not checked. `user` is what was made with it, such as `the syncer web`.
 */
export function requireContext(user: string, ctx: Partial<RegisterContext> | undefined): void {
  if (ctx?.metrics && ctx.clock && ctx.vclusterName !== undefined) return
  // Not the value itself, which may be large, or refer to itself.
  const given = isPromise(ctx) ? 'a promise, which needs await' : 'not the context of a plugin'
  throw new PluginError(
    'INVALID_REGISTRATION',
    `${user} has no context: its first argument is ${ctx === undefined ? 'undefined' : given}; pass ctx from const ctx = await plugin.init()`,
  )
}

const isPromise = (value: unknown) => typeof (value as { then?: unknown } | null)?.then === 'function'
