import { formatKey, type Key } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ObjectPair } from './bidirectional-update.js'

/**
 * Both objects of each key after the last run, before the hooks. They distinguish a deleted copy from one that does
 * not exist yet, and show which side has changed.
 */
export class LastSyncedStates<T extends KubeObject> {
  readonly #byKey = new Map<string, ObjectPair<T>>()

  /** The state of a key; `undefined` if there is none, or if it is that of an earlier object of the same name. */
  get(key: Key, virtual: T): ObjectPair<T> | undefined {
    const state = this.#byKey.get(formatKey(key))
    return state?.virtual.metadata.uid === virtual.metadata.uid ? state : undefined
  }

  set(key: Key, state: ObjectPair<T>): void {
    this.#byKey.set(formatKey(key), state)
  }

  /** Moves the state of a virtual object to the one that vcluster created to replace it. */
  carryOver(key: Key, from: T, to: T): void {
    const state = this.get(key, from)
    const { uid } = to.metadata
    if (!state || uid === undefined) return
    const metadata = { ...state.virtual.metadata, uid }
    this.set(key, { ...state, virtual: { ...state.virtual, metadata } })
  }

  delete(key: Key): void {
    this.#byKey.delete(formatKey(key))
  }
}
