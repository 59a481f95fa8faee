import { Subject, type Subscription } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { ofReleases, type ReleaseObject } from '../objects/release-object.js'
import { type FollowedKind, idOfFollowed, kindOfHook, kindOfObject, recordsIn } from './followed-kinds.js'
import { StatusChanges } from './status-changes.js'

/** Called with a release, as `main team/web` (cluster, namespace and name), and the metadata of one of its objects. */
type OnSeen = (release: string, resource: Resource, object: KubeObject) => void

/** A watch of one kind in one namespace, and the keys that need it. */
interface SharedWatch {
  readonly kind: FollowedKind
  readonly subscription: Subscription
  readonly keys: Map<string, Key>
  /** Whether the API server forbids the watch. */
  isForbidden: boolean
  /** Whether a run has reported that the watch is forbidden. */
  isReported: boolean
}

/**
 * Watches what releases depend on, by its metadata alone: their objects, the hooks that run, and their records. There
 * is one watch for each kind and namespace, from the first release that has such an object until the last one is gone.
 * A change triggers the key of the release. `ReleaseWatches` calls `follow` after each run, and `forget` when an object
 * is gone.
 */
export class Dependents {
  /** The keys of releases with a change. */
  readonly triggers$ = new Subject<Key>()
  readonly #watches = new Map<string, SharedWatch>()
  /** The key of each release, by the release's cluster, namespace and name. */
  readonly #keys = new Map<string, Key>()
  /** The release of each key. */
  readonly #releases = new Map<string, string>()
  /** The keys that wait for the name of a release of another key. */
  readonly #waitingForName = new Map<string, Map<string, Key>>()
  /** The keys whose releases wait for a status. */
  readonly #waitingForStatus = new Set<string>()
  readonly #onSeen: OnSeen

  /** `onSeen` is called for each object of a release that a watch lists or applies; default nothing. */
  constructor(onSeen: OnSeen = () => {}) {
    this.#onSeen = onSeen
  }

  /**
   * Watches the dependents of the release of a key. Ends watches that no key needs any more. Returns the kinds whose
   * watch the API server forbids, each kind once.
   */
  follow(cluster: Cluster, { key, release, objects, hook, isWaiting }: FollowedRelease): FollowedKind[] {
    this.#assignName(key, `${cluster.name} ${release.namespace}/${release.name}`)
    if (isWaiting) this.#waitingForStatus.add(formatKey(key))
    else this.#waitingForStatus.delete(formatKey(key))
    const kinds = [recordsIn(release.namespace), ...(hook ? [kindOfHook(hook)] : [])]
    const wanted = new Map(
      [...kinds, ...(objects ?? []).map(kindOfObject)].map((kind) => [
        `${cluster.name} ${idOfFollowed(kind)}`,
        kind,
      ]),
    )
    for (const [id, kind] of wanted) this.#ensureWatch(id, cluster, kind).keys.set(formatKey(key), key)
    this.#removeKey(key, (id, kind) => {
      const isUnknown = objects === undefined && kind.labelSelector === ofReleases
      return !isUnknown && !wanted.has(id)
    })
    return [...wanted].flatMap(([id, kind]) => (this.#isNewlyForbidden(id) ? [kind] : []))
  }

  #isNewlyForbidden(id: string): boolean {
    const watch = this.#watches.get(id)
    if (!watch?.isForbidden || watch.isReported) return false
    watch.isReported = true
    return true
  }

  /** Ends the watches that only this key needs, and triggers the keys that wait for the name of its release. */
  forget({ key }: Pick<FollowedRelease, 'key'>): void {
    this.#freeName(key)
    this.#waitingForStatus.delete(formatKey(key))
    this.#removeKey(key, () => true)
  }

  /** Triggers a key once when the release of another one has given up its name. */
  awaitName(
    cluster: Pick<Cluster, 'name'>,
    { key, release }: Pick<FollowedRelease, 'key' | 'release'>,
  ): void {
    this.#freeName(key)
    const id = `${cluster.name} ${release.namespace}/${release.name}`
    const waiting = this.#waitingForName.get(id) ?? new Map<string, Key>()
    this.#waitingForName.set(id, waiting.set(formatKey(key), key))
    this.#releases.set(formatKey(key), id)
  }

  /** Records that the release of a key has this name, given as cluster, namespace and name. */
  #assignName(key: Key, id: string): void {
    const holder = this.#keys.get(id)
    if (holder && formatKey(holder) === formatKey(key)) return
    this.#freeName(key)
    this.#keys.set(id, key)
    this.#releases.set(formatKey(key), id)
  }

  /** Records that a key has, or waits for, no name any more. Triggers the keys that wait for the name. */
  #freeName(key: Key): void {
    const keyText = formatKey(key)
    const id = this.#releases.get(keyText)
    this.#releases.delete(keyText)
    if (id === undefined) return
    const waiting = this.#waitingForName.get(id)
    waiting?.delete(keyText)
    if (waiting?.size === 0) this.#waitingForName.delete(id)
    const holder = this.#keys.get(id)
    if (!holder || formatKey(holder) !== keyText) return
    this.#keys.delete(id)
    this.#waitingForName.delete(id)
    for (const waitingKey of waiting?.values() ?? []) this.triggers$.next(waitingKey)
  }

  /** Ends all watches. */
  close(): void {
    for (const { subscription } of this.#watches.values()) subscription.unsubscribe()
    this.#watches.clear()
    this.#keys.clear()
    this.#releases.clear()
    this.#waitingForName.clear()
    this.#waitingForStatus.clear()
  }

  /** The number of open watches. */
  get count(): number {
    return this.#watches.size
  }

  #ensureWatch(id: string, cluster: Cluster, kind: FollowedKind): SharedWatch {
    return this.#watches.get(id) ?? this.#watch(id, cluster, kind)
  }

  /** Opens the watch of a kind in a namespace. Its events trigger the keys of the releases that the objects name. */
  #watch(id: string, cluster: Cluster, kind: FollowedKind): SharedWatch {
    const { resource, namespace, labelSelector, releaseOf, matters = () => true, mayStop } = kind
    const scope = { resource, labelSelector, metadataOnly: true, ...(namespace && { namespace }) }
    const statusChanges = new StatusChanges()
    const subscription = cluster.watch$(scope).subscribe((event) => {
      if (event.type === 'forbidden') this.#noteForbidden(id)
      if (event.type === 'listDone') this.#noteAllowed(id)
      const isStatus = statusChanges.noteEvent(event)
      if (mayStop && (event.type === 'listed' || event.type === 'applied'))
        this.#onSeen(`${cluster.name} ${releaseOf(event.object)}`, resource, event.object)
      if (event.type !== 'applied' && event.type !== 'deleted') return
      const key =
        matters(event.object, event.type) && this.#keys.get(`${cluster.name} ${releaseOf(event.object)}`)
      if (key && (!isStatus || this.#waitingForStatus.has(formatKey(key)))) this.triggers$.next(key)
    })
    const watch = { kind, subscription, keys: new Map<string, Key>(), isForbidden: false, isReported: false }
    this.#watches.set(id, watch)
    return watch
  }

  /** Notes that a watch is forbidden, and triggers one key, whose run reports it. */
  #noteForbidden(id: string): void {
    const watch = this.#watches.get(id)
    if (!watch || watch.isForbidden) return
    watch.isForbidden = true
    const [key] = watch.keys.values()
    if (key) this.triggers$.next(key)
  }

  /** Notes that a watch is allowed, and triggers the waiting keys: a status may have changed before the list. */
  #noteAllowed(id: string): void {
    const watch = this.#watches.get(id)
    if (!watch) return
    Object.assign(watch, { isForbidden: false, isReported: false })
    for (const [name, key] of watch.keys) if (this.#waitingForStatus.has(name)) this.triggers$.next(key)
  }

  /** Removes a key from the watches that it does not use, and ends those that no key uses. */
  #removeKey(key: Key, isUnused: (id: string, kind: FollowedKind) => boolean): void {
    for (const [id, { kind, keys, subscription }] of this.#watches) {
      if (!isUnused(id, kind) || !keys.delete(formatKey(key)) || keys.size > 0) continue
      subscription.unsubscribe()
      this.#watches.delete(id)
    }
  }
}

/** A release, and what it depends on besides its records. */
export interface FollowedRelease {
  readonly key: Key
  readonly release: { readonly name: string; readonly namespace: string }
  /** The objects of the release; undefined if they are unknown: then the watched objects stay the same. */
  readonly objects?: readonly ReleaseObject[] | undefined
  /** The object of a hook that runs. */
  readonly hook?: ReleaseObject | undefined
  /**
   * Whether the release waits for a status of its objects or of its hook; default false: changes of a status alone do
   * not trigger its key.
   */
  readonly isWaiting?: boolean
}
