import type { KubeObject } from '../kube/object.js'
import { isEarlier, isLater, laterOf } from '../kube/resource-version.js'
import type { Clock } from '../time/clock.js'

/** A write of ours that the watch has not confirmed yet, and what the watch says in the meantime. */
export interface OwnWrite<T extends KubeObject> {
  /** The object we wrote or deleted. */
  readonly uid: string | undefined
  /** The resourceVersion of what we wrote; `undefined` for a delete, whose answer names none. */
  readonly resourceVersion: string | undefined
  /** How many lists had begun when it was noted: one that began later knows of it. */
  readonly listsBegun: number
  /** What the watch last said about the key; shown once the write is settled. */
  seen: T | undefined
  /** When it was noted, in the clock's milliseconds. */
  readonly sinceMs: number
}

/** Options of {@link OwnWrites}. */
export interface OwnWritesOptions {
  clock: Clock
  /** Told how long the watch took to tell of a write of ours, in milliseconds. */
  onConfirmed: (tookMs: number) => void
}

/** The writes of ours that the watch of a store has not confirmed yet, by `formatKey`. */
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

  /** How long the oldest has been waited for, in milliseconds; 0 when there is none. */
  get oldestMs(): number {
    const nowMs = this.#clock.now()
    return [...this.#writes.values()].reduce((oldest, { sinceMs }) => Math.max(oldest, nowMs - sinceMs), 0)
  }

  /** The latest resourceVersion among them. */
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

  /** The newest write of a key is the one that counts. */
  note(id: string, write: Omit<OwnWrite<T>, 'sinceMs'>): void {
    this.#writes.set(id, { ...write, sinceMs: this.#clock.now() })
  }

  /** What the watch says of the key counts from now on. */
  confirm(id: string): void {
    const write = this.#writes.get(id)
    if (write === undefined) return
    this.#writes.delete(id)
    this.#onConfirmed(this.#clock.now() - write.sinceMs)
  }
}

/** Whether what the watch says about a key is older than our own write, so that readers must not see it. */
export function hides<T extends KubeObject>(own: OwnWrite<T>, object: T): boolean {
  const { uid, resourceVersion } = object.metadata
  return own.resourceVersion === undefined ? uid === own.uid : isEarlier(resourceVersion, own.resourceVersion)
}

/** Whether a deletion that the watch reports is of an earlier object of the same name. */
export function outlives<T extends KubeObject>(own: OwnWrite<T>, deleted: T): boolean {
  const { uid, resourceVersion } = deleted.metadata
  if (uid === own.uid) return false
  return own.resourceVersion === undefined || isEarlier(resourceVersion, own.resourceVersion)
}

/** Whether a watch that has delivered everything up to `resourceVersion` has taken the write into account. */
export function isSettledAt<T extends KubeObject>(own: OwnWrite<T>, resourceVersion: string): boolean {
  return own.resourceVersion !== undefined && !isLater(own.resourceVersion, resourceVersion)
}
