import { PluginError } from '../../engine/kube/error.js'
import { checkHook } from '../hook/check-hook.js'
import { ClientHook } from '../hook/client-hook.js'
import { FakeSyncer } from '../syncer/fake-syncer.js'
import type { Runnable } from '../syncer/runnable.js'
import { Syncer } from '../syncer/syncer.js'

/**
 * Throws `PluginError` `INVALID_REGISTRATION` for a value that is not a runnable, and `INVALID_HOOK` for a
 * hook without a method.
 */
export function checkRunnable(runnable: unknown): asserts runnable is Runnable {
  const problem = problemOf(runnable)
  if (problem) throw new PluginError('INVALID_REGISTRATION', `plugin.register() was given ${problem}`)
  const method = missingMethod(runnable)
  if (method !== undefined) {
    const { name } = runnable as Runnable
    throw new PluginError(
      'INVALID_REGISTRATION',
      `the syncer ${name} has no method ${method}; write it in its class`,
    )
  }
  if (runnable instanceof ClientHook) checkHook(runnable)
}

/** The method that a syncer must have and lacks; `dev` does not check types. */
function missingMethod(runnable: unknown): string | undefined {
  const needed =
    runnable instanceof Syncer
      ? ['syncDown', 'sync']
      : runnable instanceof FakeSyncer
        ? ['fakeSync', 'fakeSyncUp']
        : []
  return needed.find((method) => typeof Object(runnable)[method] !== 'function')
}

function problemOf(runnable: unknown): string | undefined {
  if (typeof runnable === 'function') return functionProblem(runnable)
  if (typeof runnable !== 'object' || runnable === null)
    return `${runnable === null ? 'null' : typeof runnable}; give it a syncer, a hook or an interceptor`
  if (runnable instanceof Promise) return 'a promise; await it and register what it resolves to'
  const { name } = runnable as { name?: unknown }
  if (typeof name === 'string' && name !== '') return undefined
  return `an object without a name; give each syncer, hook and interceptor a name of its own`
}

function functionProblem(runnable: { name: string }): string {
  const name = runnable.name || 'without a name'
  if (!/^class\b/.test(Function.prototype.toString.call(runnable)))
    return `the function ${name}; call it, and register what it returns`
  const example = runnable.name || 'MySyncer'
  return `the class ${name} and not an instance of it: plugin.register(new ${example}(ctx))`
}
