import type { Subscription } from 'rxjs'
import type { Cluster } from '../../cluster/cluster.js'
import { formatKey, type Key } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import type { Clock } from '../../time/clock.js'
import type { Lacking } from './lacking.js'

/** The time between two questions whether something is there, in milliseconds, and how often it is asked after an event. */
const askAgainMs = 250
const mostQuestions = 20

/** A watch for one thing that a cluster lacks, and the keys that need it. */
interface LackingWatch {
  readonly lacking: Lacking
  readonly cluster: Cluster
  readonly keys: Map<string, Key>
  subscription: Subscription | undefined
  /** How often it is still asked whether it is there. */
  questions: number
  /** Whether it is being asked, and whether an event came meanwhile. */
  isAsked: boolean
  isAskedAgain: boolean
  /** Cancels the next question. */
  cancel: (() => void) | undefined
  isForbidden: boolean
  isTold: boolean
}

/**
 * Watches for what releases lack, usually by metadata alone: from the first run that fails or waits for it until no key needs it. When it
 * is there, the keys run. Without the permission for the watch they run again with their backoff, or after a time.
 */
export class LackingWatches {
  readonly #clock: Clock
  readonly #onThere: (key: Key) => void
  readonly #watches = new Map<string, LackingWatch>()

  constructor(clock: Clock, onThere: (key: Key) => void) {
    this.#clock = clock
    this.#onThere = onThere
  }

  /**
   * Watches for what a key lacks now, and for nothing else; undefined for nothing. Returns whether the API server does not allow that, once
   * for each watch.
   */
  lacks(key: Key, cluster: Cluster, lacking: Lacking | undefined): boolean {
    const id = lacking && `${cluster.name} ${lacking.what}`
    const watch = id === undefined ? undefined : (this.#watches.get(id) ?? this.#open(id, cluster, lacking))
    watch?.keys.set(formatKey(key), key)
    this.#leave(key, id)
    if (!watch?.isForbidden || watch.isTold) return false
    watch.isTold = true
    return true
  }

  /** Whether the API server allows the watch for something that a cluster lacks; true until it has answered. */
  mayWatch({ name }: Cluster, { what }: Lacking): boolean {
    return this.#watches.get(`${name} ${what}`)?.isForbidden !== true
  }

  /** Forgets a key that is gone. */
  forget(key: Key): void {
    this.#leave(key, undefined)
  }

  #leave(key: Key, except: string | undefined): void {
    for (const [id, { keys }] of this.#watches)
      if (id !== except && keys.delete(formatKey(key)) && keys.size === 0) this.#end(id)
  }

  /** Ends all watches. */
  close(): void {
    for (const id of this.#watches.keys()) this.#end(id)
  }

  /** How many watches there are. */
  get count(): number {
    return this.#watches.size
  }

  #open(id: string, cluster: Cluster, lacking: Lacking | undefined): LackingWatch | undefined {
    if (!lacking) return undefined
    const watch: LackingWatch = {
      ...{ lacking, cluster, keys: new Map(), subscription: undefined, questions: 0, cancel: undefined },
      ...{ isAsked: false, isAskedAgain: false, isForbidden: false, isTold: false },
    }
    this.#watches.set(id, watch)
    const { resource, fieldSelector, needsStatus = false } = lacking
    const scope = {
      ...{ resource, metadataOnly: !needsStatus },
      ...(fieldSelector !== undefined && { fieldSelector }),
    }
    watch.subscription = cluster.watch$(scope).subscribe((event) => {
      if (event.type === 'forbidden') this.#forbidden(watch)
      if (event.type === 'listDone') watch.isForbidden = false
      if (event.type === 'listed' || event.type === 'applied' || event.type === 'deleted')
        this.#sees(watch, event.object, event.type === 'deleted')
    })
    return watch
  }

  #sees(watch: LackingWatch, object: KubeObject, isGone: boolean): void {
    const says = watch.lacking.saysOf(object, isGone)
    if (says === 'run') this.#there(watch)
    if (says === 'ask') this.#ask(watch)
  }

  #end(id: string): void {
    const watch = this.#watches.get(id)
    this.#watches.delete(id)
    watch?.subscription?.unsubscribe()
    watch?.cancel?.()
    watch?.keys.clear()
  }

  /** One key runs, to report it. */
  #forbidden(watch: LackingWatch): void {
    if (watch.isForbidden) return
    watch.isForbidden = true
    const [key] = watch.keys.values()
    if (key) this.#onThere(key)
  }

  /** Asks until it is there, or too often since the last event. */
  #ask(watch: LackingWatch): void {
    watch.questions = mostQuestions
    watch.cancel?.()
    watch.cancel = undefined
    watch.isAskedAgain = watch.isAsked
    if (!watch.isAsked) void this.#question(watch)
  }

  async #question(watch: LackingWatch): Promise<void> {
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

  #there(watch: LackingWatch): void {
    for (const key of watch.keys.values()) this.#onThere(key)
  }
}

/** If the question fails, it is asked again. */
const asked = ({ lacking, cluster }: LackingWatch) => lacking.isThere(cluster).catch(() => false)
