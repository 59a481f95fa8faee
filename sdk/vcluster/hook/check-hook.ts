import { PluginError } from '../../engine/kube/error.js'
import { nearestName } from '../../engine/kube/nearest-name.js'
import { type ClientHook, hookTypes, methodOf } from './client-hook.js'

const methods = hookTypes.map((type) => `mutate${type}`)

/** The maximum number of wrong letters in a misspelt method; a method that differs more is not taken for a hook. */
const slipDistance = 2

/**
 * Throws `PluginError` `INVALID_HOOK` for a hook that vcluster would never call: a hook without any hook method, or
 * with a method whose name is almost that of a hook method.
 */
export function checkHook(hook: ClientHook): void {
  const others = methodNames(hook).filter((name) => /^mutate/i.test(name) && !methods.includes(name))
  const slip = others.find((name) => (nearestName(name, methods)?.distance ?? Infinity) <= slipDistance)
  const hasMethod = hookTypes.some((type) => methodOf(hook, type))
  if (hasMethod && slip === undefined) return
  const named = slip ?? others[0]
  const why = named === undefined ? noMethod : didYouMean(named)
  const message = `Hook ${hook.name} has ${why} The methods of a hook are ${methods.join(', ')}.`
  throw new PluginError('INVALID_HOOK', message)
}

const noMethod = 'no method that vcluster calls.'

const didYouMean = (name: string) =>
  `${name}, which vcluster never calls; did you mean ${nearestName(name, methods)?.name}?`

/** The methods of an object and of its classes. */
function methodNames(hook: object): string[] {
  const names: string[] = []
  for (let at: object | null = hook; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function') names.push(name)
  }
  return names
}
