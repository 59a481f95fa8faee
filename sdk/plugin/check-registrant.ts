import { checkHook } from '../hook/check-hook.js'
import { ClientHook } from '../hook/client-hook.js'
import { PluginError } from '../kube/error.js'
import type { Registrant } from '../syncer/registrant.js'

/** Throws `PluginError` `INVALID_REGISTRATION` for what is no registrant, and `INVALID_HOOK` for a hook without a method. */
export function checkRegistrant(registrant: unknown): asserts registrant is Registrant {
  const problem = problemOf(registrant)
  if (problem) throw new PluginError('INVALID_REGISTRATION', `plugin.register() was given ${problem}`)
  if (registrant instanceof ClientHook) checkHook(registrant)
}

function problemOf(registrant: unknown): string | undefined {
  if (typeof registrant === 'function') return functionProblem(registrant)
  if (typeof registrant !== 'object' || registrant === null)
    return `${registrant === null ? 'null' : typeof registrant}; give it a syncer, a hook or an interceptor`
  if (registrant instanceof Promise) return 'a promise; await it and register what it resolves to'
  const { name } = registrant as { name?: unknown }
  if (typeof name === 'string' && name !== '') return undefined
  return `an object without a name; give each syncer, hook and interceptor a name of its own`
}

function functionProblem(given: { name: string }): string {
  const name = given.name || 'without a name'
  if (!/^class\b/.test(Function.prototype.toString.call(given)))
    return `the function ${name}; call it, and register what it returns`
  const example = given.name || 'MySyncer'
  return `the class ${name} and not an instance of it: plugin.register(new ${example}(ctx))`
}
