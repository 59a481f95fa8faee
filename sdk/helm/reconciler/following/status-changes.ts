import { createHash } from 'node:crypto'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { WatchEvent } from '../../../engine/watch/event.js'

/**
 * Distinguishes changes of a status from other changes, by the metadata of the objects of one watch. For a kind with a
 * status, the API server increases the generation with each change outside the status. An object without a generation
 * may have changed anywhere.
 */
export class StatusChanges {
  /** The last state of each object, by its UID, as {@link stateOf} returns it. */
  readonly #states = new Map<string, string>()

  /** Remembers the state of an object. Returns whether an event says that nothing but a status changed. */
  noteEvent(event: WatchEvent): boolean {
    if (event.type === 'listStarted') this.#states.clear()
    if (!('object' in event)) return false
    const { uid = '' } = event.object.metadata
    if (event.type === 'deleted') {
      this.#states.delete(uid)
      return false
    }
    const state = stateOf(event.object)
    const isSame = state !== undefined && this.#states.get(uid) === state
    if (state !== undefined) this.#states.set(uid, state)
    return event.type === 'applied' && isSame
  }
}

/** A hash of the metadata that clients write, and the generation; undefined without one. */
function stateOf({ metadata }: KubeObject): string | undefined {
  const { generation, labels, annotations, ownerReferences, finalizers, deletionTimestamp } = metadata
  if (generation === undefined) return undefined
  const written = [generation, labels, annotations, ownerReferences, finalizers, deletionTimestamp]
  return createHash('sha1')
    .update(JSON.stringify(written, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .digest('base64')
}
