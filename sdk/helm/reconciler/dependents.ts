import { Subject, type Subscription } from 'rxjs'
import type { Cluster } from '../../cluster/cluster.js'
import { formatKey, type Key } from '../../kube/key.js'
import { formatResource, type Resource } from '../../kube/resource.js'
import { ofReleases, type ReleaseObject, releaseOf } from './release-object.js'

/** A watch of one kind in one namespace, and the keys that need it. */
interface SharedWatch {
  readonly subscription: Subscription
  readonly keys: Map<string, Key>
  /** Whether the API server does not allow it. */
  isForbidden: boolean
  /** Whether that was reported. */
  isTold: boolean
}

/**
 * Watches the objects of releases, by their metadata alone: one watch for each kind and namespace, from the first release that has
 * such an object until the last one is gone. A change triggers the key of the release.
 */
export class Dependents {
  /** The keys whose objects changed. */
  readonly triggers$ = new Subject<Key>()
  readonly #watches = new Map<string, SharedWatch>()
  /** The key of each release, by the release's namespace and name, which the annotations of its objects name. */
  readonly #keys = new Map<string, Key>()

  /**
   * Watches the objects of the release of a key. Watches that the key needed before and no longer needs end, unless another key needs them.
   * Returns the kinds that the API server does not allow to watch, each one once.
   */
  follow(cluster: Cluster, { key, release, objects }: FollowedRelease): ForbiddenWatch[] {
    this.#keys.set(`${release.namespace}/${release.name}`, key)
    const wanted = new Map(objects.map((object) => [watchOf(object), object]))
    for (const [id, { resource, key: at }] of wanted)
      this.#join(id, cluster, { resource, namespace: at.namespace, key })
    this.#leave(key, (id) => !wanted.has(id))
    return [...wanted].flatMap(([id, { resource, key: at }]) =>
      this.#isNewlyForbidden(id) ? [{ resource, namespace: at.namespace }] : [],
    )
  }

  #isNewlyForbidden(id: string): boolean {
    const watch = this.#watches.get(id)
    if (!watch?.isForbidden || watch.isTold) return false
    watch.isTold = true
    return true
  }

  /** Ends the watches that only this key needs. */
  forget({ key, release }: Omit<FollowedRelease, 'objects'>): void {
    this.#keys.delete(`${release.namespace}/${release.name}`)
    this.#leave(key, () => true)
  }

  /** Ends all watches. */
  close(): void {
    for (const { subscription } of this.#watches.values()) subscription.unsubscribe()
    this.#watches.clear()
    this.#keys.clear()
  }

  /** How many watches there are. */
  get count(): number {
    return this.#watches.size
  }

  #join(
    id: string,
    cluster: Cluster,
    { resource, namespace, key }: { resource: Resource; namespace: string; key: Key },
  ) {
    const known = this.#watches.get(id) ?? this.#watch(id, cluster, { resource, namespace })
    known.keys.set(formatKey(key), key)
  }

  #watch(
    id: string,
    cluster: Cluster,
    { resource, namespace }: { resource: Resource; namespace: string },
  ): SharedWatch {
    const scope = { resource, labelSelector: ofReleases, metadataOnly: true, ...(namespace && { namespace }) }
    const subscription = cluster.watch$(scope).subscribe((event) => {
      if (event.type === 'forbidden') this.#forbidden(id)
      if (event.type === 'listDone') this.#allowed(id)
      if (event.type !== 'applied' && event.type !== 'deleted') return
      const key = this.#keys.get(releaseOf(event.object))
      if (key) this.triggers$.next(key)
    })
    const watch = { subscription, keys: new Map<string, Key>(), isForbidden: false, isTold: false }
    this.#watches.set(id, watch)
    return watch
  }

  /** One key of a watch that is not allowed runs, to report it. */
  #forbidden(id: string): void {
    const watch = this.#watches.get(id)
    if (!watch || watch.isForbidden) return
    watch.isForbidden = true
    const [key] = watch.keys.values()
    if (key) this.triggers$.next(key)
  }

  #allowed(id: string): void {
    const watch = this.#watches.get(id)
    if (watch) Object.assign(watch, { isForbidden: false, isTold: false })
  }

  #leave(key: Key, isUnused: (id: string) => boolean): void {
    for (const [id, { keys, subscription }] of this.#watches) {
      if (!isUnused(id) || !keys.delete(formatKey(key)) || keys.size > 0) continue
      subscription.unsubscribe()
      this.#watches.delete(id)
    }
  }
}

/** A kind in a namespace that the program may not watch. */
export interface ForbiddenWatch {
  readonly resource: Resource
  readonly namespace: string
}

/** A release and its objects. */
export interface FollowedRelease {
  readonly key: Key
  readonly release: { readonly name: string; readonly namespace: string }
  readonly objects: readonly ReleaseObject[]
}

const watchOf = ({ resource, key }: ReleaseObject) => `${formatResource(resource)} ${key.namespace}`
