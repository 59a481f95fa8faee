import type { KubeObject } from '../../engine/kube/object.js'
import type { ObjectContext } from '../context/contexts.js'
import type { Optional } from './optional.js'

/** A hook: edits the draft, or returns another object. The difference is sent to the operator as a patch. */
export type ObjectHandler<T extends KubeObject, P> = (ctx: ObjectContext<P>, draft: T) => Optional<T>

/**
 * Hooks for the objects of one kind. The plugin declares the verb of each hook that is set. A hook must change nothing
 * in its own output, and must return the same for the same input: `EVALUATE` runs in each reconciliation, and a
 * difference restarts Pods.
 */
export interface ObjectHook<T extends KubeObject, P = Record<string, string>> {
  create?: ObjectHandler<T, P>
  update?: ObjectHandler<T, P>
  patch?: ObjectHandler<T, P>
  delete?: ObjectHandler<T, P>
  evaluate?: ObjectHandler<T, P>
}

/** Hooks for Pods of instances. */
export interface PodHook<T extends KubeObject, P = Record<string, string>> extends ObjectHook<T, P> {
  /**
   * Runs for `CREATE` and for `EVALUATE`, because both must make the same Pod; not together with `create` or
   * `evaluate`.
   */
  instance?: ObjectHandler<T, P>
}
