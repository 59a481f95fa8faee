import type { Key } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { ObjectPair } from './bidirectional-update.js'
import type { FieldPath } from './field-path.js'
import type { LabelTranslator } from './labels.js'

/** Translates references to other objects. */
export interface ReferenceTranslator {
  /** The name of the other object's copy. */
  hostName(key: Key): string
  readonly labels: LabelTranslator
}

/** The rules of vcluster's own syncer of a kind. */
export interface KindRules<T extends KubeObject> {
  /** vcluster's name for the syncer. */
  readonly name: string
  readonly resource: Resource<T>
  /** Fields that the users of both clusters may change, since 0.21. */
  readonly bidirectional: readonly FieldPath[]
  /** The status for the virtual object. Not set for a kind without a status. */
  readonly virtualStatus?: (host: T, virtual: T) => object | undefined
  /** Whether an object is synced only when a Pod uses it, or its annotation `force-sync` says so. */
  readonly onlyUsed: boolean
  /** An object that is never synced: the API server's own Service. */
  readonly exempt?: Key
  /** Whether a copy is kept when its original was deleted and created again (`DisableUIDDeletion`). */
  readonly updatesOnNewUid: boolean
  /** Translates the references of an object for the host. Not set for a kind without references. */
  readonly translated?: (object: T, translator: ReferenceTranslator) => T
  /** A new copy to create, from the translated original. */
  created(copy: T, vclusterName: string): T
  /** The update of an existing copy, from a new copy of the original. */
  updated(host: T, copy: T): T
  /** Whether vcluster writes neither object for now, because one is in transition. */
  readonly isWaiting?: (pair: ObjectPair<T>) => boolean
  /**
   * The virtual object that replaces the present one, which is deleted first, because no update can give it
   * the values of the copy. `undefined` if the object is kept.
   */
  readonly recreated?: (pair: ObjectPair<T>) => T | undefined
  /** Up to 0.19: the virtual object with the fields that only the host decides. It is written first. */
  readonly virtualUpdate?: (pair: ObjectPair<T>) => T
  /** Up to 0.19: the copy with the fields that only the virtual object decides; default {@link bidirectional}. */
  readonly hostUpdate?: (pair: ObjectPair<T>) => T
}
