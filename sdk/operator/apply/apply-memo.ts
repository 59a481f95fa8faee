import { createHash } from 'node:crypto'
import { canonicalJson } from '../../engine/kube/canonical-json.js'
import { jsonEqual } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { changedPaths } from './changed-paths.js'
import { project } from './project.js'

/** The record of one applied object. */
interface ApplyRecord {
  /** Digest of the intent. */
  readonly digest: string
  /** The primary object of the last apply, by `formatKey`. */
  readonly primary: string
  /** The UID of the owner; undefined for a shared object. */
  readonly ownerUid: string | undefined
  readonly uid: string | undefined
  /** The values that the API server stored for the intended fields, after defaulting and admission. */
  readonly stored: unknown
  /**
   * Whether the creation that follows the deletion of the object is not counted: it was counted, or the controller
   * itself has deleted the object.
   */
  isDeletionExcused?: boolean
}

/** The arguments of {@link ApplyMemo.remember}. */
interface CompletedApply {
  readonly primary: string
  readonly ownerUid?: string | undefined
  readonly intent: object
  readonly answer: KubeObject
}

/**
 * The intents that were applied, and what the API server made of them. Comparing an intent with the live object would
 * take defaults, normalised quantities and admission for changes; comparing the live object with the answer to the last
 * apply does not.
 */
export class ApplyMemo {
  readonly #applied = new Map<string, ApplyRecord>()
  /** The ids of the objects that were applied for each primary object. */
  readonly #idsOf = new Map<string, Set<string>>()

  /** Whether the object with this id is remembered. */
  has(id: string): boolean {
    return this.#applied.has(id)
  }

  /**
   * Whether others have deleted an object that does not exist: this intent was applied for this owner, and {@link
   * excuseDeletion} was not called since then. The objects of an earlier owner of the same name were deleted with it.
   */
  isDeletedByOthers(id: string, intent: object, owner: { readonly uid: string } | undefined): boolean {
    const applied = this.#applied.get(id)
    if (!applied || applied.isDeletionExcused || applied.ownerUid !== owner?.uid) return false
    return applied.digest === digestOf(intent)
  }

  /** Records that the next creation of the object is not counted as one after a deletion by others. */
  excuseDeletion(id: string): void {
    const applied = this.#applied.get(id)
    if (applied) applied.isDeletionExcused = true
  }

  /** The same for all objects whose ids begin with this text. */
  excuseDeletionsIn(begin: string): void {
    for (const [id, applied] of this.#applied) if (id.startsWith(begin)) applied.isDeletionExcused = true
  }

  /**
   * Whether this process has applied exactly this object for the owner. Unlike labels and annotations, that cannot be
   * forged: UIDs are never used twice.
   */
  wasAppliedFor(id: string, live: KubeObject, owner: { readonly uid: string } | undefined): boolean {
    const applied = this.#applied.get(id)
    if (!applied || !owner || !live.metadata.uid) return false
    return applied.uid === live.metadata.uid && applied.ownerUid === owner.uid
  }

  /** Whether `intent` equals the last applied one, and no field of it has changed since. */
  isCurrent(id: string, intent: object, live: KubeObject): boolean {
    const applied = this.#applied.get(id)
    if (applied?.uid !== live.metadata.uid || applied?.digest !== digestOf(intent)) return false
    return jsonEqual(applied.stored, project(intent, live))
  }

  /**
   * The paths of the fields that others have changed since `intent` was applied; none if another intent was applied
   * last.
   */
  driftOf(id: string, intent: object, live: KubeObject): readonly string[] {
    const applied = this.#applied.get(id)
    if (applied?.uid !== live.metadata.uid || applied?.digest !== digestOf(intent)) return []
    return changedPaths(applied.stored, project(intent, live))
  }

  /** Remembers the answer to an apply of `intent` for a primary object. */
  remember(id: string, { primary, ownerUid, intent, answer }: CompletedApply): void {
    this.forget(id)
    const { uid } = answer.metadata
    const stored = project(intent, answer)
    this.#applied.set(id, { digest: digestOf(intent), primary, ownerUid, uid, stored })
    const ids = this.#idsOf.get(primary) ?? new Set()
    this.#idsOf.set(primary, ids.add(id))
  }

  forget(id: string): void {
    const { primary = '' } = this.#applied.get(id) ?? {}
    this.#applied.delete(id)
    const ids = this.#idsOf.get(primary)
    ids?.delete(id)
    if (ids?.size === 0) this.#idsOf.delete(primary)
  }

  /** Forgets all objects that were applied for a primary object, and returns their ids. */
  forgetPrimary(primary: string): ReadonlySet<string> {
    const ids = this.#idsOf.get(primary) ?? new Set()
    for (const id of ids) this.#applied.delete(id)
    this.#idsOf.delete(primary)
    return ids
  }
}

function digestOf(intent: object): string {
  return createHash('sha256').update(canonicalJson(intent)).digest('base64')
}
