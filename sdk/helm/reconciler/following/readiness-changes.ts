import type { Client } from '../../../engine/client/client.js'
import { formatKey, type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import { LiveObjects } from '../objects/live-objects.js'
import { type CheckedObject, isRunning } from '../objects/readiness.js'
import { idOf } from '../objects/release-object.js'

/** The minimum time between two reads of the objects of one release, in milliseconds. */
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
  /** The objects that the last run checked, by their ids. */
  checked: ReadonlyMap<string, CheckedObject>
  /** The versions of objects that changed since, by their ids. */
  readonly changed: Map<string, string>
  /** Whether a run of the key is active, which reads the objects itself. */
  isRunActive: boolean
  /** The time of the last read, in milliseconds of the clock. */
  lastReadMs: number
  /** Cancels the next read. */
  cancel: (() => void) | undefined
}

/**
 * Finds objects of deployed releases that stop or begin to run. Watches show metadata alone, so an object that changed
 * is read, at most once a second for each release, and the key runs only if the readiness has changed: most changes of
 * a status do not change it. `ReleaseWatches` calls `begin` and `end` around each run.
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
    const state = this.#releases.get(release.release) ?? this.#add(release)
    state.isRunActive = true
    state.changed.clear()
    this.#cancel(state)
  }

  /** Called after a run, with the objects that it checked; none if changes do not matter until the next run. */
  end(release: string, checked: readonly CheckedObject[]): void {
    const state = this.#releases.get(release)
    if (!state) return
    state.isRunActive = false
    state.checked = new Map(checked.map((object) => [idOf(object), object]))
    for (const [id, version] of state.changed)
      if ([undefined, version].includes(state.checked.get(id)?.version)) state.changed.delete(id)
    if (checked.length === 0) this.forget(state.key)
    else this.#scheduleRead(state)
  }

  /** Called for each object that a watch lists or applies, with the release that it names. */
  noteObject(release: string, resource: Resource, object: KubeObject): void {
    const state = this.#releases.get(release)
    if (!state) return
    const id = idOf({ resource, key: keyOf(object) })
    const { resourceVersion = '' } = object.metadata
    const checkedBefore = state.checked.get(id)
    if (!state.isRunActive && (!checkedBefore || checkedBefore.version === resourceVersion)) return
    state.changed.set(id, resourceVersion)
    if (!state.isRunActive) this.#scheduleRead(state)
  }

  /** Forgets the release of a key, which is gone or does not matter until its next run. */
  forget(key: Key): void {
    const id = this.#ids.get(formatKey(key))
    this.#ids.delete(formatKey(key))
    const state = id === undefined ? undefined : this.#releases.get(id)
    if (!state || formatKey(state.key) !== formatKey(key)) return
    this.#cancel(state)
    this.#releases.delete(state.release)
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
    const state: FollowedState = {
      ...release,
      checked: new Map(),
      changed: new Map(),
      isRunActive: false,
      lastReadMs: Number.NEGATIVE_INFINITY,
      cancel: undefined,
    }
    this.#releases.set(release.release, state)
    this.#ids.set(formatKey(release.key), release.release)
    return state
  }

  #cancel(state: FollowedState): void {
    state.cancel?.()
    state.cancel = undefined
  }

  /** Plans a read of the changed objects, if there are any and no read is planned. */
  #scheduleRead(state: FollowedState): void {
    if (state.cancel || state.changed.size === 0) return
    const waitMs = state.lastReadMs + minReadIntervalMs - this.#clock.now()
    const read = () => void this.#readChanged(state)
    state.cancel = waitMs > 0 ? this.#clock.schedule(waitMs, read) : afterEnqueuedRuns(read)
  }

  /** Reads the changed objects, and triggers the key if the readiness of one has changed. */
  async #readChanged(state: FollowedState): Promise<void> {
    state.cancel = undefined
    state.lastReadMs = this.#clock.now()
    const ids = [...state.changed.keys()]
    state.changed.clear()
    const live = new LiveObjects(state.client, this.#stop.signal)
    // An error counts as a change: the run meets the same error, and reports it.
    const hasChanged = await Promise.all(ids.map((id) => this.#hasChanged(state, id, live))).then(
      (all) => all.includes(true),
      () => true,
    )
    const isCurrent = this.#releases.get(state.release) === state && !state.isRunActive
    if (hasChanged && isCurrent) this.#onChange(state.key)
  }

  async #hasChanged(state: FollowedState, id: string, live: LiveObjects): Promise<boolean> {
    const checked = state.checked.get(id)
    if (!checked) return false
    return isRunning(checked, await live.read(checked)) !== checked.isRunning
  }
}

/** Calls back after the runs that the same event has enqueued have begun. */
function afterEnqueuedRuns(callback: () => void): () => void {
  const handle = setImmediate(callback)
  return () => clearImmediate(handle)
}
