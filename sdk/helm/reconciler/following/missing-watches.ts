import type { Subscription } from 'rxjs'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { MissingDependency } from '../problem/missing-dependency.js'

/**
 * The time between two questions whether something is there, in milliseconds, and how often it is asked after an event.
 */
const askAgainMs = 250
const maxQuestions = 20

/** A watch for one thing that a cluster lacks, and the keys that need it. */
interface MissingWatch {
  readonly missing: MissingDependency
  readonly cluster: Cluster
  readonly keys: Map<string, Key>
  subscription: Subscription | undefined
  /** How many more times the cluster is asked whether the thing exists. */
  questions: number
  /** Whether a question is open, and whether an event came meanwhile. */
  isAsked: boolean
  isAskedAgain: boolean
  /** Cancels the next question. */
  cancel: (() => void) | undefined
  isForbidden: boolean
  isReported: boolean
  /** Whether a list has shown an object. */
  isFound: boolean
  /** The time of the last runs. */
  ranMs: number
  /** Cancels the runs that wait for the least time between two. */
  cancelRun: (() => void) | undefined
}

/**
 * Watches for what releases lack, usually by metadata alone: from the first run that fails or waits for it until no key
 * needs it. When it is there, the keys run. Without the permission for the watch they run again with their backoff, or
 * after a time.
 */
export class MissingWatches {
  readonly #clock: Clock
  readonly #onThere: (key: Key) => void
  readonly #watches = new Map<string, MissingWatch>()

  constructor(clock: Clock, onThere: (key: Key) => void) {
    this.#clock = clock
    this.#onThere = onThere
  }

  /**
   * Watches for everything that a key lacks now, and for nothing else. Returns those for which the API server does not
   * allow that, once for each watch.
   */
  lacks(key: Key, cluster: Cluster, all: readonly MissingDependency[]): MissingDependency[] {
    const wanted = all.map((missing) => {
      const id = `${(missing.cluster ?? cluster).name} ${missing.what}`
      return { id, watch: this.#watches.get(id) ?? this.#open(id, missing.cluster ?? cluster, missing) }
    })
    for (const { watch } of wanted) watch.keys.set(formatKey(key), key)
    this.#leave(key, new Set(wanted.map(({ id }) => id)))
    const news = wanted
      .map(({ watch }) => watch)
      .filter(({ isForbidden, isReported }) => isForbidden && !isReported)
    for (const watch of news) watch.isReported = true
    return news.map(({ missing }) => missing)
  }

  /** Whether the API server allows the watch for something that a cluster lacks; true until it has answered. */
  mayWatch({ name }: Cluster, { what }: MissingDependency): boolean {
    return this.#watches.get(`${name} ${what}`)?.isForbidden !== true
  }

  /** Forgets a key that is gone. */
  forget(key: Key): void {
    this.#leave(key, new Set())
  }

  #leave(key: Key, except: ReadonlySet<string>): void {
    for (const [id, { keys }] of this.#watches)
      if (!except.has(id) && keys.delete(formatKey(key)) && keys.size === 0) this.#end(id)
  }

  /** Ends all watches. */
  close(): void {
    for (const id of this.#watches.keys()) this.#end(id)
  }

  /** How many watches there are. */
  get count(): number {
    return this.#watches.size
  }

  #open(id: string, cluster: Cluster, missing: MissingDependency): MissingWatch {
    const watch: MissingWatch = {
      missing,
      cluster,
      keys: new Map(),
      subscription: undefined,
      questions: 0,
      cancel: undefined,
      isAsked: false,
      isAskedAgain: false,
      isForbidden: false,
      isReported: false,
      isFound: false,
      ranMs: Number.NEGATIVE_INFINITY,
      cancelRun: undefined,
    }
    this.#watches.set(id, watch)
    watch.subscription = cluster.watch$(scopeOf(missing)).subscribe((event) => {
      if (event.type === 'forbidden') this.#forbidden(watch)
      if (event.type === 'listDone') this.#listed(watch)
      if (event.type === 'listed') watch.isFound = true
      if (event.type === 'listed' || event.type === 'applied' || event.type === 'deleted')
        this.#sees(watch, event.object, event.type === 'deleted')
    })
    return watch
  }

  #listed(watch: MissingWatch): void {
    watch.isForbidden = false
    if (watch.missing.runsIfAbsent && !watch.isFound) this.#there(watch)
    watch.isFound = false
  }

  #sees(watch: MissingWatch, object: KubeObject, isGone: boolean): void {
    const says = watch.missing.reactionTo(object, isGone)
    if (says === 'run') this.#there(watch)
    if (says === 'ask') this.#ask(watch)
  }

  #end(id: string): void {
    const watch = this.#watches.get(id)
    this.#watches.delete(id)
    watch?.subscription?.unsubscribe()
    watch?.cancel?.()
    watch?.cancelRun?.()
    watch?.keys.clear()
  }

  /** One key runs, to report it. */
  #forbidden(watch: MissingWatch): void {
    if (watch.isForbidden) return
    watch.isForbidden = true
    const [key] = watch.keys.values()
    if (key && !watch.missing.isOptional) this.#onThere(key)
  }

  /** Asks until it is there, or too often since the last event. */
  #ask(watch: MissingWatch): void {
    watch.questions = maxQuestions
    watch.cancel?.()
    watch.cancel = undefined
    watch.isAskedAgain = watch.isAsked
    if (!watch.isAsked) void this.#question(watch)
  }

  async #question(watch: MissingWatch): Promise<void> {
    watch.isAsked = true
    const isThere = await asked(watch)
    watch.isAsked = false
    watch.questions -= 1
    if (watch.keys.size === 0) return
    if (isThere) return this.#there(watch)
    const again = () => void this.#question(watch)
    if (watch.isAskedAgain) return this.#ask(watch)
    if (watch.questions > 0) watch.cancel = this.#clock.schedule(askAgainMs, again)
  }

  #there(watch: MissingWatch): void {
    if (watch.cancelRun) return
    const waitMs = watch.ranMs + (watch.missing.leastMs ?? 0) - this.#clock.now()
    if (waitMs > 0) watch.cancelRun = this.#clock.schedule(waitMs, () => this.#run(watch))
    else this.#run(watch)
  }

  #run(watch: MissingWatch): void {
    watch.cancelRun = undefined
    watch.ranMs = this.#clock.now()
    for (const key of watch.keys.values()) this.#onThere(key)
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

/** If the question fails, it is asked again. */
const asked = ({ missing, cluster }: MissingWatch) => missing.isThere(cluster).catch(() => false)
