import type { KubeObject, ObjectMeta } from '../kube/object.js'
import { isEarlier, isLater, laterOf } from '../kube/resource-version.js'
import type { Clock } from '../time/clock.js'
import type { EventHead } from '../watch/event-head.js'

/** An own write that the watch has not confirmed yet, and the latest state that the watch has delivered since. */
export interface OwnWrite<T extends KubeObject> {
  /** The UID of the object that was written or deleted. */
  readonly uid: string | undefined
  /** The resourceVersion of the written object; `undefined` for a delete, whose answer has none. */
  readonly resourceVersion: string | undefined
  /** The number of lists that had begun when the write was noted; a later list includes the write. */
  readonly listsBegun: number
  /** The last state of the key from the watch; readers see it once the write is settled. */
  seen: T | undefined
  /** The metadata of the answers to this and earlier writes that no event has repeated yet, by resourceVersion. */
  readonly answers: ReadonlyMap<string, ObjectMeta>
  /** Whether the write hides another writer's change: then the event of the write is a change for readers. */
  hidesOthers: boolean
  /** When the write was noted, in the clock's milliseconds. */
  readonly sinceMs: number
}

/** The maximum number of answers of one object that wait for their events. */
const maxAnswers = 8

/** Options of {@link OwnWrites}. */
export interface OwnWritesOptions {
  clock: Clock
  /** Called with the time that the watch took to confirm an own write, in milliseconds. */
  onConfirmed: (tookMs: number) => void
}

/**
 * The own writes that the watch of a store has not confirmed yet, by `formatKey`. `StoreWriter` notes each write when
 * the API server has answered it, and confirms it when the watch has delivered its result.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #clock: Clock
  readonly #onConfirmed: (tookMs: number) => void
  readonly #writes = new Map<string, OwnWrite<T>>()

  constructor({ clock, onConfirmed }: OwnWritesOptions) {
    this.#clock = clock
    this.#onConfirmed = onConfirmed
  }

  get size(): number {
    return this.#writes.size
  }

  /** The age of the oldest write, in milliseconds; 0 if there is none. */
  get oldestMs(): number {
    const nowMs = this.#clock.now()
    return [...this.#writes.values()].reduce((oldest, { sinceMs }) => Math.max(oldest, nowMs - sinceMs), 0)
  }

  /** The latest resourceVersion of these writes. */
  get resourceVersion(): string | undefined {
    const versions = [...this.#writes.values()].map((write) => write.resourceVersion)
    return versions.reduce(laterOf, undefined)
  }

  get(id: string): OwnWrite<T> | undefined {
    return this.#writes.get(id)
  }

  has(id: string): boolean {
    return this.#writes.has(id)
  }

  keys(): Iterable<string> {
    return this.#writes.keys()
  }

  [Symbol.iterator](): Iterator<[string, OwnWrite<T>]> {
    return this.#writes[Symbol.iterator]()
  }

  /** Remembers a write; it replaces an earlier write of the same key. */
  note(
    id: string,
    write: Pick<OwnWrite<T>, 'uid' | 'resourceVersion' | 'listsBegun' | 'seen'>,
    answer?: ObjectMeta,
  ): void {
    const earlierWrite = this.#writes.get(id)
    const answers = [...(earlierWrite?.answers ?? []), ...(answer ? [answerEntry(answer)] : [])]
    this.#writes.set(id, {
      ...write,
      answers: new Map(answers.slice(-maxAnswers)),
      hidesOthers: earlierWrite?.hidesOthers ?? false,
      sinceMs: this.#clock.now(),
    })
  }

  /**
   * The metadata of the answer that an event repeats; `undefined` if the event is new to readers. A deletion is always
   * new.
   */
  answerTo(id: string, { type, uid, resourceVersion }: EventHead): ObjectMeta | undefined {
    const ownWrite = this.#writes.get(id)
    if (ownWrite === undefined || ownWrite.uid !== uid || type === 'DELETED') return undefined
    if (ownWrite.hidesOthers && ownWrite.resourceVersion === resourceVersion) return undefined
    return ownWrite.answers.get(resourceVersion)
  }

  /** Forgets the write of a key: readers see the state from the watch again. */
  confirm(id: string): void {
    const write = this.#writes.get(id)
    if (write === undefined) return
    this.#writes.delete(id)
    this.#onConfirmed(this.#clock.now() - write.sinceMs)
  }
}

/** The metadata of an answer as an entry of {@link OwnWrite.answers}. */
function answerEntry(answer: ObjectMeta): [string, ObjectMeta] {
  return [answer.resourceVersion ?? '', answer]
}

/** Whether an object from the watch is older than the own write, so that readers must not see it. */
export function hides<T extends KubeObject>(ownWrite: OwnWrite<T>, object: T): boolean {
  const { uid, resourceVersion } = object.metadata
  return ownWrite.resourceVersion === undefined
    ? uid === ownWrite.uid
    : isEarlier(resourceVersion, ownWrite.resourceVersion)
}

/** Whether a deletion from the watch concerns an earlier object of the same name. */
export function outlives<T extends KubeObject>(ownWrite: OwnWrite<T>, deleted: T): boolean {
  const { uid, resourceVersion } = deleted.metadata
  if (uid === ownWrite.uid) return false
  return ownWrite.resourceVersion === undefined || isEarlier(resourceVersion, ownWrite.resourceVersion)
}

/** Whether a watch that has delivered everything up to `resourceVersion` has delivered the write. */
export function isSettledAt<T extends KubeObject>(ownWrite: OwnWrite<T>, resourceVersion: string): boolean {
  return ownWrite.resourceVersion !== undefined && !isLater(ownWrite.resourceVersion, resourceVersion)
}
