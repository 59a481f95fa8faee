import type { KubeObject } from '../../../engine/kube/object.js'
import { controlledByLabel } from '../../naming/ownership-keys.js'
import { isControlledByOther } from '../../ownership/ownership.js'
import type { Syncer } from '../syncer.js'
import type { StoredPair } from './read-pair.js'

/**
 * Whether another controller manages one of both objects, so that a syncer leaves them alone. A run asks this first.
 * The syncer's own `excludeVirtual` and `excludeHost` replace the check of the labels.
 */
export function isExcluded<T extends KubeObject>(
  syncer: Syncer<T>,
  { virtual, host, isPair }: StoredPair<T>,
): boolean {
  const isManagedByOther = (object: T) => isControlledByOther(object, syncer.name)
  if (virtual && (syncer.excludeVirtual ? syncer.excludeVirtual(virtual) : isManagedByOther(virtual)))
    return true
  if (!host || !isPair) return false
  if (syncer.excludeHost) return syncer.excludeHost(host)
  // A plugin may label its copies with its own syncer's name, to keep vcluster's own syncers away from them.
  return host.metadata.labels?.[controlledByLabel] !== syncer.name && isManagedByOther(host)
}
