import type { Subscription } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { MissingDependency } from '../problem/missing-dependency.js'

/**
 * The time between two checks whether a missing thing exists, in milliseconds, and the number of checks after an event.
 */
const recheckIntervalMs = 250
const maxChecks = 20

/** A watch for one thing that a cluster lacks, and the keys that need it. */
interface MissingWatch {
  readonly missing: MissingDependency
  readonly cluster: Cluster
  readonly keys: Map<string, Key>
  subscription: Subscription | undefined
  /** The number of checks that remain after the last event. */
  checksLeft: number
  /** Whether a check is running, and whether an event came during the check. */
  isChecking: boolean
  mustCheckAgain: boolean
  /** Cancels the next check. */
  cancel: (() => void) | undefined
  isForbidden: boolean
  isReported: boolean
  /** Whether a list has shown an object. */
  isFound: boolean
  /** The time of the last runs, in milliseconds. */
  ranMs: number
  /** Cancels the runs that wait for the shortest time between two runs. */
  cancelRun: (() => void) | undefined
}

/**
 * Watches for things that releases lack, usually by metadata alone. A watch is open from the first run that fails or
 * waits for the thing until no key needs it. Once the thing exists, the keys run. Without the permission for the watch,
 * the keys run with their backoff or after a time. `ReleaseWatches` calls `watchFor` after each run.
 */
export class MissingWatches {
  readonly #clock: Clock
  readonly #onExists: (key: Key) => void
  readonly #watches = new Map<string, MissingWatch>()

  constructor(clock: Clock, onExists: (key: Key) => void) {
    this.#clock = clock
    this.#onExists = onExists
  }

  /**
   * Watches for exactly the things that a key lacks now. Returns the things whose watch the API server forbids, once
   * for each watch.
   */
  watchFor(key: Key, cluster: Cluster, dependencies: readonly MissingDependency[]): MissingDependency[] {
    const wanted = dependencies.map((missing) => {
      const id = `${(missing.cluster ?? cluster).name} ${missing.what}`
      return { id, watch: this.#watches.get(id) ?? this.#openWatch(id, missing.cluster ?? cluster, missing) }
    })
    for (const { watch } of wanted) watch.keys.set(formatKey(key), key)
    this.#removeKey(key, new Set(wanted.map(({ id }) => id)))
    const newlyForbidden = wanted
      .map(({ watch }) => watch)
      .filter(({ isForbidden, isReported }) => isForbidden && !isReported)
    for (const watch of newlyForbidden) watch.isReported = true
    return newlyForbidden.map(({ missing }) => missing)
  }

  /** Whether the API server allows the watch for something that a cluster lacks; true until it has answered. */
  mayWatch({ name }: Cluster, { what }: MissingDependency): boolean {
    return this.#watches.get(`${name} ${what}`)?.isForbidden !== true
  }

  /** Forgets a key that is gone. */
  forget(key: Key): void {
    this.#removeKey(key, new Set())
  }

  #removeKey(key: Key, except: ReadonlySet<string>): void {
    for (const [id, { keys }] of this.#watches)
      if (!except.has(id) && keys.delete(formatKey(key)) && keys.size === 0) this.#end(id)
  }

  /** Ends all watches. */
  close(): void {
    for (const id of this.#watches.keys()) this.#end(id)
  }

  /** The number of open watches. */
  get count(): number {
    return this.#watches.size
  }

  #openWatch(id: string, cluster: Cluster, missing: MissingDependency): MissingWatch {
    const watch: MissingWatch = {
      missing,
      cluster,
      keys: new Map(),
      subscription: undefined,
      checksLeft: 0,
      cancel: undefined,
      isChecking: false,
      mustCheckAgain: false,
      isForbidden: false,
      isReported: false,
      isFound: false,
      ranMs: Number.NEGATIVE_INFINITY,
      cancelRun: undefined,
    }
    this.#watches.set(id, watch)
    watch.subscription = cluster.watch$(scopeOf(missing)).subscribe((event) => {
      if (event.type === 'forbidden') this.#noteForbidden(watch)
      if (event.type === 'listDone') this.#noteListed(watch)
      if (event.type === 'listed') watch.isFound = true
      if (event.type === 'listed' || event.type === 'applied' || event.type === 'deleted')
        this.#noteEvent(watch, event.object, event.type === 'deleted')
    })
    return watch
  }

  /** Called when a list is complete. */
  #noteListed(watch: MissingWatch): void {
    watch.isForbidden = false
    if (watch.missing.runsIfAbsent && !watch.isFound) this.#scheduleRun(watch)
    watch.isFound = false
  }

  /** Called for each listed, changed or deleted object. */
  #noteEvent(watch: MissingWatch, object: KubeObject, isGone: boolean): void {
    const reaction = watch.missing.reactionTo(object, isGone)
    if (reaction === 'run') this.#scheduleRun(watch)
    if (reaction === 'ask') this.#startChecks(watch)
  }

  #end(id: string): void {
    const watch = this.#watches.get(id)
    this.#watches.delete(id)
    watch?.subscription?.unsubscribe()
    watch?.cancel?.()
    watch?.cancelRun?.()
    watch?.keys.clear()
  }

  /** Notes that a watch is forbidden. One key runs, to report it. */
  #noteForbidden(watch: MissingWatch): void {
    if (watch.isForbidden) return
    watch.isForbidden = true
    const [key] = watch.keys.values()
    if (key && !watch.missing.isOptional) this.#onExists(key)
  }

  /** Checks repeatedly whether the thing exists, up to the limit of checks after an event. */
  #startChecks(watch: MissingWatch): void {
    watch.checksLeft = maxChecks
    watch.cancel?.()
    watch.cancel = undefined
    watch.mustCheckAgain = watch.isChecking
    if (!watch.isChecking) void this.#checkOnce(watch)
  }

  /** Checks whether the thing exists. Then runs the keys, or plans the next check. */
  async #checkOnce(watch: MissingWatch): Promise<void> {
    watch.isChecking = true
    const exists = await existsNow(watch)
    watch.isChecking = false
    watch.checksLeft -= 1
    if (watch.keys.size === 0) return
    if (exists) return this.#scheduleRun(watch)
    const checkAgain = () => void this.#checkOnce(watch)
    if (watch.mustCheckAgain) return this.#startChecks(watch)
    if (watch.checksLeft > 0) watch.cancel = this.#clock.schedule(recheckIntervalMs, checkAgain)
  }

  /** Runs the keys now, or when the minimum time since their last runs is over. */
  #scheduleRun(watch: MissingWatch): void {
    if (watch.cancelRun) return
    const waitMs = watch.ranMs + (watch.missing.leastMs ?? 0) - this.#clock.now()
    if (waitMs > 0) watch.cancelRun = this.#clock.schedule(waitMs, () => this.#run(watch))
    else this.#run(watch)
  }

  #run(watch: MissingWatch): void {
    watch.cancelRun = undefined
    watch.ranMs = this.#clock.now()
    for (const key of watch.keys.values()) this.#onExists(key)
  }
}

const scopeOf = ({
  resource,
  namespace,
  fieldSelector,
  labelSelector,
  needsStatus = false,
}: MissingDependency) => ({
  resource,
  metadataOnly: !needsStatus,
  ...(namespace !== undefined && { namespace }),
  ...(fieldSelector !== undefined && { fieldSelector }),
  ...(labelSelector !== undefined && { labelSelector }),
})

/** Whether the thing exists; false if the check fails, so that it is repeated. */
const existsNow = ({ missing, cluster }: MissingWatch) => missing.isThere(cluster).catch(() => false)
