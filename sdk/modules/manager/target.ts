import type { Key } from '../../kube/key.js'
import type { Resource } from '../../kube/resource.js'

/** An object that is named, with its resource. */
export interface Target {
  readonly resource: Resource
  readonly key: Key
}
