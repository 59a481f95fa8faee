import { PluginError } from '../../engine/kube/error.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { isUnitSource } from '../../engine/manager/unit-source.js'
import { ClientHook } from '../hook/client-hook.js'
import { Interceptor } from '../hook/interceptor.js'
import type { Runnable } from '../syncer/runnable.js'

/** The error about two registered objects that have the same name, with the kind of each. */
export function sameNameError(earlier: Runnable, later: Runnable): PluginError {
  return new PluginError(
    'DUPLICATE_NAME',
    `${sortOf(earlier)} and ${sortOf(later)} are both named ${later.name}: give one of them another name, ` +
      'in the option name or in its constructor',
  )
}

/** The type of a registered object and its kind, such as `a syncer of configmaps`. */
function sortOf(runnable: Runnable): string {
  if (runnable instanceof Interceptor) return 'an interceptor'
  const { resource } = runnable as { readonly resource?: Resource }
  if (!resource) return 'a registered object'
  const sort = runnable instanceof ClientHook ? 'hook' : isUnitSource(runnable) ? 'controller' : 'syncer'
  return `a ${sort} of ${formatResource(resource)}`
}
