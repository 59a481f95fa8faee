import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../engine/kube/object.js'

/** The location of the release of an object. A member that is left out is as without the function. */
export interface TargetAnswer {
  /** One of `targets`. Default the cluster of the objects, or the only one of `targets`. */
  readonly cluster?: string
  /** A namespace of `allow.namespaces`, or the default: `targetNamespace`, or that of the object. */
  readonly namespace?: string
  /** A name that Helm accepts, of at most 53 characters. */
  readonly releaseName?: string
}

/** Chooses the location of the release of an object. It must return the same for the same object. */
export type TargetFunction<T extends KubeObject = KubeObject> = (object: DeepReadonly<T>) => TargetAnswer

/** Names the release of an object. It must return the same name for the same object. */
export type ReleaseNameFunction<T extends KubeObject = KubeObject> = (object: DeepReadonly<T>) => string
