import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'

/** The operations that webhooks know. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** A question of a write to admission. Objects have the kind and version of their resource. */
export interface Admission {
  readonly request: ResourceRequest
  /** A delete asks both types of webhooks at once. */
  readonly phase: 'Mutating' | 'Validating' | 'Both'
  readonly operation: Operation
  /** `''` if the server generates the name. */
  readonly name: string
  readonly dryRun: boolean
  /** The options of a delete, as a review shows them; those of other operations are in the query. */
  readonly options?: object
  /** The kind of the objects if it is not that of the resource, for example a Scale. */
  readonly kind?: ServedResource
  /** The object to write; not called unless a webhook is. Absent for a delete. */
  object?(): KubeObject
  /** The stored object; absent for a create. */
  oldObject?(): KubeObject
  /** Reads a patched object, with its defaults. Throws if it does not fit its kind. Only for mutations. */
  read?(patched: unknown): KubeObject
}

/** The answer of admission, if any webhook was called. Other requests may have changed the store meanwhile. */
export interface Admitted {
  /** The object that webhooks made; absent if they changed nothing. */
  readonly object?: KubeObject
}

/** The conversion of an object before it is stored. */
export interface Preparation {
  readonly prepare: () => Promise<void>
}

/** A write that stops where admission decides, and before it stores; it gets `undefined` if no webhook was called. */
export type Admitting<Result> = Generator<Admission | Preparation, Result, Admitted | undefined>

/**
 * Runs a write without admission. The server's own controllers write this way, because their steps are synchronous; the
 * writes of a real kube-controller-manager pass webhooks.
 */
export function withoutAdmission<Result>(steps: Admitting<Result>): Result {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
