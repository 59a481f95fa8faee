import { concatMap, type Observable } from 'rxjs'
import { type Pod, pods } from '../../sdk/engine/kube/builtin.js'
import { formatKey, type Key } from '../../sdk/engine/kube/key.js'
import type { Store } from '../../sdk/engine/store/store.js'
import type { Stores } from '../../sdk/engine/store/stores.js'
import { objectsUsedByPod, type UsedKind } from './objects-used-by-pod.js'

const usedKinds: readonly UsedKind[] = ['ConfigMap', 'Secret']

/**
 * Tracks which ConfigMaps and Secrets the Pods of the virtual cluster use. By default vcluster syncs only
 * these.
 */
export class UsedObjects {
  readonly #stores: Stores
  readonly #pods: Store<Pod>

  /** Creates the store of Pods, which must be started afterwards. */
  constructor(virtual: Stores) {
    this.#stores = virtual
    this.#pods = virtual.store(pods)
    for (const kind of usedKinds)
      this.#pods.addIndex(indexOf(kind), (pod) => objectsUsedByPod(pod, kind).map(formatKey))
  }

  /** Whether a Pod uses the object. */
  has(kind: string, key: Key): boolean {
    return isUsedKind(kind) && this.#pods.byIndex(indexOf(kind), formatKey(key)).length > 0
  }

  /** The objects that Pods start to use, or no longer use. */
  changes$(kind: string): Observable<Key> {
    const usedBy = (pod: Pod | undefined) => (pod && isUsedKind(kind) ? objectsUsedByPod(pod, kind) : [])
    return this.#stores
      .changes$(pods)
      .pipe(concatMap(({ object, previous }) => [...usedBy(object), ...usedBy(previous)]))
  }
}

const indexOf = (kind: UsedKind) => `${kind}s that Pods use`
const isUsedKind = (kind: string): kind is UsedKind => usedKinds.some((candidate) => candidate === kind)
