import difference from 'lodash/difference.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { allChangedFields, changedFields } from './changed-fields.js'

/** A copy as it is, and the wanted copy. */
export interface CopyChange {
  readonly copy: KubeObject
  readonly wanted: KubeObject
}

/** A copy after its last write. */
interface WrittenCopy {
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  /**
   * The fields that the API server stored with other values than it was sent; undefined if that is not known, and if
   * the write has not changed the copy.
   */
  readonly altered?: readonly string[] | undefined
}

/**
 * The copies of a syncer after their last writes, by their originals. `CopyContest` asks it which fields of a copy
 * others have set.
 */
export class WrittenCopies {
  readonly #written = new WeakMap<KubeObject, WrittenCopy>()
  /** The changes of runs that write a copy again although its original is the same as at the last write. */
  readonly #again = new WeakMap<SyncContext, CopyChange>()

  get(original: KubeObject): WrittenCopy | undefined {
    return this.#written.get(original)
  }

  /** Forgets the copy of an original. */
  forget(original: KubeObject): void {
    this.#written.delete(original)
  }

  /** Keeps the last write although the original was written by the plugin itself. */
  move(from: KubeObject, to: KubeObject): void {
    const written = this.#written.get(from)
    if (written) this.#written.set(to, written)
  }

  /**
   * The fields that others have set to other values since the last write: other programs, or admission in each write.
   * Empty if the original has changed, or something else that a syncer makes copies from. The next write is compared
   * with its answer.
   */
  fieldsSetByOthers(ctx: SyncContext, original: KubeObject, change: CopyChange): readonly string[] {
    const written = this.#written.get(original)
    if (written?.resourceVersion === undefined) return []
    const fields = changedFields(change.copy, change.wanted)
    this.#again.set(ctx, change)
    if (written.resourceVersion !== change.copy.metadata.resourceVersion) return fields
    return difference(fields, written.altered ?? []).length === 0 ? fields : []
  }

  /** Records the copy after a write. Returns whether the write has changed it: admission may undo each change. */
  record(ctx: SyncContext, original: KubeObject, copy: KubeObject | undefined): boolean {
    const { uid, resourceVersion } = copy?.metadata ?? {}
    const again = this.#again.get(ctx)
    this.#again.delete(ctx)
    const isChanged = again === undefined || again.copy.metadata.resourceVersion !== resourceVersion
    // Admission gives this wanted copy the same result each time: the next write that changes the copy has another one.
    const altered = copy && again && isChanged ? allChangedFields(copy, again.wanted) : undefined
    this.#written.set(original, { uid, resourceVersion, altered })
    return isChanged
  }
}
