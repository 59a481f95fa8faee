import { PluginError } from '../../engine/kube/error.js'
import { nearestName } from '../../engine/kube/nearest-name.js'
import { type ClientHook, hookTypes, methodOf } from './client-hook.js'

const hookMethods = hookTypes.map((type) => `mutate${type}`)

/** The maximum number of wrong letters in a misspelt method; a method that differs more is not taken for a hook. */
const maxTypos = 2

/**
 * Throws `PluginError` `INVALID_HOOK` for a hook that vcluster would never call: a hook without any hook method, or
 * with a method whose name is almost that of a hook method. Called when a plugin registers a hook.
 */
export function checkHook(hook: ClientHook): void {
  const unknownMethods = methodNames(hook).filter(
    (name) => /^mutate/i.test(name) && !hookMethods.includes(name),
  )
  const misspelt = unknownMethods.find(
    (name) => (nearestName(name, hookMethods)?.distance ?? Infinity) <= maxTypos,
  )
  const hasMethod = hookTypes.some((type) => methodOf(hook, type))
  if (hasMethod && misspelt === undefined) return
  const wrongName = misspelt ?? unknownMethods[0]
  const why = wrongName === undefined ? noMethod : didYouMean(wrongName)
  const message = `Hook ${hook.name} has ${why} The methods of a hook are ${hookMethods.join(', ')}.`
  throw new PluginError('INVALID_HOOK', message)
}

const noMethod = 'no method that vcluster calls.'

const didYouMean = (name: string) =>
  `${name}, which vcluster never calls; did you mean ${nearestName(name, hookMethods)?.name}?`

/** The methods of an object and of its classes. */
function methodNames(hook: object): string[] {
  const names: string[] = []
  for (
    let level: object | null = hook;
    level && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level)))
      if (typeof value === 'function') names.push(name)
  }
  return names
}
