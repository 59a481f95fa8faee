import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/** The rules by which a syncer decides which host objects are its copies, and of which originals. */
export interface CopyRules<T extends KubeObject = KubeObject> {
  /** The syncer's name. */
  readonly name: string
  readonly resource: Resource<T>
  /** The host namespaces of the syncer's host objects, `''` for all; undefined means the target namespace. */
  readonly hostNamespaces: readonly string[] | undefined
  /**
   * The key of the virtual object of which a host object is provably the copy; undefined if there is none.
   */
  sourceOf(host: T): Key | undefined
}
