import type { Key } from '../../engine/kube/key.js'
import type { Resource } from '../../engine/kube/resource.js'

/** The resource and the key of an object. */
export interface Target {
  readonly resource: Resource
  readonly key: Key
}
