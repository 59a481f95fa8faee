import { formatKey, type Key } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'

/** Both sides as a run left them, before the hooks. */
export type Left<T> = Readonly<{ virtual: T; host: T }>

/** What the runs of a syncer left: how it tells a deletion on the host from a copy that is still to be made, and who changed what. */
export class LastSyncedStates<T extends KubeObject> {
  readonly #byKey = new Map<string, Left<T>>()

  /** What is known of an earlier object of that name counts for nothing. */
  of(key: Key, virtual: T): Left<T> | undefined {
    const left = this.#byKey.get(formatKey(key))
    return left?.virtual.metadata.uid === virtual.metadata.uid ? left : undefined
  }

  set(key: Key, left: Left<T>): void {
    this.#byKey.set(formatKey(key), left)
  }

  /** What is known of a virtual object holds for the one that vcluster itself created in its place. */
  carryOver(key: Key, from: T, to: T): void {
    const left = this.of(key, from)
    const { uid } = to.metadata
    if (!left || uid === undefined) return
    const metadata = { ...left.virtual.metadata, uid }
    this.set(key, { ...left, virtual: { ...left.virtual, metadata } })
  }

  delete(key: Key): void {
    this.#byKey.delete(formatKey(key))
  }
}
