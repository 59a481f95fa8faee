import type { Key } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { References } from '../../sdk/syncer/references/reference-rules.js'
import type { PlainPair as Pair } from '../../sdk/syncer/syncer.js'
import type { FieldPath } from './field-path.js'

/** How vcluster's own syncer of a kind treats its objects. */
export interface KindRules<T extends KubeObject> {
  /** vcluster's name for the syncer. */
  readonly name: string
  readonly resource: Resource<T>
  /** What refers to other objects, where that is not what the translators know of the kind. */
  readonly references?: References
  /** Fields that the users of both clusters may change, since 0.21. */
  readonly twoWay: readonly FieldPath[]
  /** The status that the original gets; none where the kind has none to bring up. */
  readonly statusUp?: (host: T, virtual: T) => object | undefined
  /** Whether only those are mirrored that a Pod refers to, or whose user asks for it. */
  readonly onlyWanted: boolean
  /** An object that is never mirrored: the API server's own Service. */
  readonly exempt?: Key
  /** Whether a copy stays when its original was made anew. */
  readonly keepsCopy: boolean
  /** A new copy, from the translated original. */
  created(copy: T, vclusterName: string): T
  /** What an existing copy becomes, from a new one as it would be made now. */
  updated(host: T, copy: T): T
  /** Whether vcluster leaves both objects as they are for now, because one is between two states. */
  readonly isWaiting?: (pair: Pair<T>) => boolean
  /**
   * The virtual object that vcluster creates after it deleted the one that is there, because the host's object has what
   * no update can give the virtual one. `undefined` when the object stays.
   */
  readonly recreated?: (pair: Pair<T>) => T | undefined
  /** Up to 0.19: the virtual object with what only the host decides, which is written before anything else. */
  readonly upFirst?: (pair: Pair<T>) => T
  /** Up to 0.19: the host's object with the fields that the virtual one decides; default those of {@link twoWay}. */
  readonly downAlone?: (pair: Pair<T>) => T
}
