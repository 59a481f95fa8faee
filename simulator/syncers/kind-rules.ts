import type { Key } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { ObjectPair } from './bidirectional-update.js'
import type { FieldPath } from './field-path.js'
import type { LabelTranslator } from './labels.js'

/** Translates what refers to other objects. */
export interface ReferenceTranslator {
  /** The name of the other object's copy. */
  hostName(key: Key): string
  readonly labels: LabelTranslator
}

/** How vcluster's own syncer of a kind treats its objects. */
export interface KindRules<T extends KubeObject> {
  /** vcluster's name for the syncer. */
  readonly name: string
  readonly resource: Resource<T>
  /** Fields that the users of both clusters may change, since 0.21. */
  readonly bidirectional: readonly FieldPath[]
  /** The status that the virtual object gets. Left out for a kind without a status. */
  readonly virtualStatus?: (host: T, virtual: T) => object | undefined
  /** Whether an object is synced only when a Pod uses it, or its annotation `force-sync` says so. */
  readonly onlyUsed: boolean
  /** An object that is never synced: the API server's own Service. */
  readonly exempt?: Key
  /** Whether a copy is kept when its original was deleted and created again (`DisableUIDDeletion`). */
  readonly updatesOnNewUid: boolean
  /** What refers to other objects, translated for the host. Left out for a kind without references. */
  readonly translated?: (object: T, translator: ReferenceTranslator) => T
  /** A new copy as it is created, from the translated original. */
  created(copy: T, vclusterName: string): T
  /** An existing copy as it is updated, from a new copy of the original. */
  updated(host: T, copy: T): T
  /** Whether vcluster writes neither object for now, because one is between two states. */
  readonly isWaiting?: (pair: ObjectPair<T>) => boolean
  /**
   * The virtual object that replaces the present one, which is deleted first: the copy has what no update can give the
   * virtual object. `undefined` when the object stays.
   */
  readonly recreated?: (pair: ObjectPair<T>) => T | undefined
  /** Up to 0.19: the virtual object with the fields that only the host decides. It is written first. */
  readonly virtualUpdate?: (pair: ObjectPair<T>) => T
  /** Up to 0.19: the copy with the fields that only the virtual object decides; default {@link bidirectional}. */
  readonly hostUpdate?: (pair: ObjectPair<T>) => T
}
