import type { Client } from '../../../engine/client/client.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import { LiveObjects } from '../objects/live-objects.js'
import { type CheckedObject, isRunning } from '../objects/readiness.js'
import { idOf } from '../objects/release-object.js'

/** The shortest time between two reads of the objects of one release, in milliseconds. */
const minReadIntervalMs = 1_000

/** A release whose objects may change. */
export interface CheckedRelease {
  readonly key: Key
  /** The cluster, namespace and name of the release, as `main team/web`. */
  readonly release: string
  /** Reads the objects of the release. */
  readonly client: Client
}

/** The state of a release since a run checked the readiness of its objects. */
interface FollowedState extends CheckedRelease {
  checked: ReadonlyMap<string, CheckedObject>
  /** The versions of objects that changed since, by their ids. */
  readonly changed: Map<string, string>
  /** Whether a run of the key reads the objects now. */
  isRead: boolean
  readMs: number
  /** Cancels the next read. */
  cancel: (() => void) | undefined
}

/**
 * Finds objects of deployed releases that stop or begin to run. Watches show metadata alone, so an object that changed
 * is read, at most once a second for each release, and the key runs only if the readiness has changed: most changes of
 * a status do not change it.
 */
export class ReadinessChanges {
  readonly #clock: Clock
  readonly #onChange: (key: Key) => void
  readonly #releases = new Map<string, FollowedState>()
  /** The release of each key. */
  readonly #ids = new Map<string, string>()
  readonly #stop = new AbortController()

  constructor(clock: Clock, onChange: (key: Key) => void) {
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Called before a run of the key. Drops the changes so far, because the run reads newer states of the objects. */
  begin(release: CheckedRelease): void {
    if (this.#ids.get(formatKey(release.key)) !== release.release) this.forget(release.key)
    const known = this.#releases.get(release.release) ?? this.#add(release)
    known.isRead = true
    known.changed.clear()
    this.#cancel(known)
  }

  /** Called after a run, with the objects that it checked; none if changes do not matter until the next run. */
  end(release: string, checked: readonly CheckedObject[]): void {
    const known = this.#releases.get(release)
    if (!known) return
    known.isRead = false
    known.checked = new Map(checked.map((one) => [idOf(one), one]))
    for (const [id, version] of known.changed)
      if ([undefined, version].includes(known.checked.get(id)?.version)) known.changed.delete(id)
    if (checked.length === 0) this.forget(known.key)
    else this.#plan(known)
  }

  /** Called for each object that a watch lists or applies, with the release that it names. */
  noteObject(release: string, resource: Resource, object: KubeObject): void {
    const known = this.#releases.get(release)
    if (!known) return
    const id = idOf({ resource, key: keyOf(object) })
    const { resourceVersion = '' } = object.metadata
    const before = known.checked.get(id)
    if (!known.isRead && (!before || before.version === resourceVersion)) return
    known.changed.set(id, resourceVersion)
    if (!known.isRead) this.#plan(known)
  }

  /** Forgets the release of a key, which is gone or does not matter until its next run. */
  forget(key: Key): void {
    const id = this.#ids.get(formatKey(key))
    this.#ids.delete(formatKey(key))
    const known = id === undefined ? undefined : this.#releases.get(id)
    if (!known || formatKey(known.key) !== formatKey(key)) return
    this.#cancel(known)
    this.#releases.delete(known.release)
  }

  /** Stops all reads. */
  close(): void {
    this.#stop.abort()
    for (const { key } of this.#releases.values()) this.forget(key)
  }

  /** The number of followed releases. */
  get count(): number {
    return this.#releases.size
  }

  #add(release: CheckedRelease): FollowedState {
    const known: FollowedState = {
      ...release,
      checked: new Map(),
      changed: new Map(),
      isRead: false,
      readMs: Number.NEGATIVE_INFINITY,
      cancel: undefined,
    }
    this.#releases.set(release.release, known)
    this.#ids.set(formatKey(release.key), release.release)
    return known
  }

  #cancel(known: FollowedState): void {
    known.cancel?.()
    known.cancel = undefined
  }

  #plan(known: FollowedState): void {
    if (known.cancel || known.changed.size === 0) return
    const waitMs = known.readMs + minReadIntervalMs - this.#clock.now()
    const read = () => void this.#readChanged(known)
    known.cancel = waitMs > 0 ? this.#clock.schedule(waitMs, read) : afterEnqueuedRuns(read)
  }

  async #readChanged(known: FollowedState): Promise<void> {
    known.cancel = undefined
    known.readMs = this.#clock.now()
    const ids = [...known.changed.keys()]
    known.changed.clear()
    const live = new LiveObjects(known.client, this.#stop.signal)
    // An error counts as a change: the run meets the same error, and reports it.
    const hasChanged = await Promise.all(ids.map((id) => this.#hasChanged(known, id, live))).then(
      (all) => all.includes(true),
      () => true,
    )
    const isCurrent = this.#releases.get(known.release) === known && !known.isRead
    if (hasChanged && isCurrent) this.#onChange(known.key)
  }

  async #hasChanged(known: FollowedState, id: string, live: LiveObjects): Promise<boolean> {
    const checked = known.checked.get(id)
    if (!checked) return false
    return isRunning(checked, await live.read(checked)) !== checked.isRunning
  }
}

/** Calls back after the runs that the same event has enqueued have begun. */
function afterEnqueuedRuns(callback: () => void): () => void {
  const handle = setImmediate(callback)
  return () => clearImmediate(handle)
}
