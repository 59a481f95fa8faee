import { filter, type Observable } from 'rxjs'
import { type KeyMapping, keysOfObject } from '../../../engine/controller/keys-of-change.js'
import { namespaces } from '../../../engine/kube/builtin.js'
import type { Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { lazyLogger } from '../../../engine/observe/lazy-logger.js'
import { flattenMap } from '../../../engine/store/flatten-map.js'
import type { Change } from '../../../engine/store/store.js'
import type { RegisterContext } from '../../context/register-context.js'
import { knownHosts } from '../../ownership/host-objects.js'
import type { Syncer } from '../syncer.js'

/**
 * Emits the keys of the copies in each virtual namespace that is created or deleted, because they must be created
 * again with it. It looks at all host objects for each such namespace, so other changes of a namespace, which tenants
 * may make as often as they like, are ignored.
 */
export function keysOfReplacedNamespaces$<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: RegisterContext,
): Observable<Key> {
  const logger = lazyLogger(() => ctx.logger.child({ controller: syncer.name }))
  const keysIn = (namespace: string) => {
    const keysOf: KeyMapping<T>['keysOf'] = (host) => {
      const key = syncer.sourceOf(host)
      return key?.namespace === namespace ? [key] : []
    }
    return knownHosts(syncer, ctx).flatMap((host) => keysOfObject(host, { logger, keysOf }))
  }
  return ctx.virtual.changes$(namespaces).pipe(
    filter(isReplaced),
    flattenMap(({ key }) => keysIn(key.name)),
  )
}

/** Whether an object was created, is being deleted, or is gone. */
function isReplaced({ object, previous, gone }: Change<KubeObject>): boolean {
  const [before, after] = [previous?.metadata, object.metadata]
  return gone || before?.uid !== after.uid || before?.deletionTimestamp !== after.deletionTimestamp
}
