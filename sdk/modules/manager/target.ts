import type { Key } from '../../engine/kube/key.js'
import type { Resource } from '../../engine/kube/resource.js'

/** An object that is named, with its resource. */
export interface Target {
  readonly resource: Resource
  readonly key: Key
}
