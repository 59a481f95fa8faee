import { PluginError } from '../../engine/kube/error.js'
import { nearestName } from '../../engine/kube/nearest-name.js'

/** The largest number of letters in which a misspelt option differs from `reconcile`. */
const maxDistance = 3

/** Throws a `PluginError` `INVALID_REGISTRATION` for a controller without `reconcile`: `dev` does not check types. */
export function checkReconcile(name: string, options: object): void {
  const { reconcile, ...others } = options as { reconcile?: unknown }
  if (typeof reconcile === 'function') return
  const nearest = nearestName('reconcile', Object.keys(others))
  const isMisspelt = nearest && nearest.distance <= maxDistance
  const cure = isMisspelt
    ? `rename its option ${nearest.name}`
    : 'write reconcile(ctx, object) in its options'
  const message = `controller ${name} has no function reconcile; ${cure}`
  throw new PluginError('INVALID_REGISTRATION', message)
}
