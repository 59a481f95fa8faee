import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { ResourceRequest } from '../server/context.js'

/** The operations that webhooks know. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/**
 * The facts about a write by which webhooks and policies decide, as `admission.Attributes` of k8s.io/apiserver. Objects
 * have the kind and version of their resource.
 */
export interface AdmissionAttributes {
  readonly request: ResourceRequest
  /** The types of webhooks and policies that decide; a delete has no object to mutate, so both are called at once. */
  readonly phase: 'Mutating' | 'Validating' | 'Both'
  readonly operation: Operation
  /** `''` if the server generates the name. */
  readonly name: string
  readonly dryRun: boolean
  /** The options of a delete in the format of a review. Other operations have their options in the query. */
  readonly options?: object
  /** The kind of the objects if it is not that of the resource, for example a Scale. */
  readonly kind?: ServedResource
  /** Returns the object to write. Called only if a webhook or policy needs the object. Absent for a delete. */
  object?(): KubeObject
  /** Returns the stored object. Absent for a create. */
  oldObject?(): KubeObject
  /** Reads a patched object and sets its defaults. Throws if the object does not fit its kind. Only for mutations. */
  read?(patched: unknown): KubeObject
}

/**
 * The result of webhooks and policies that allow a write. Other requests may have changed the store while webhooks were
 * called.
 */
export interface AdmissionResult {
  /** The object as the webhooks changed it; absent if no webhook changed anything. */
  readonly object?: KubeObject
}

/** A step that waits for the conversion of the object, before it is stored. */
export interface ConversionStep {
  readonly prepare: () => Promise<void>
}

/**
 * The steps of a write. It yields its attributes where admission decides, and resumes with the result; with `undefined`
 * if no webhook or policy matches.
 */
export type AdmissionSteps<Result> = Generator<
  AdmissionAttributes | ConversionStep,
  Result,
  AdmissionResult | undefined
>

/**
 * Runs a write without admission. The server's own controllers write this way, because their steps are synchronous; the
 * writes of a real kube-controller-manager pass webhooks.
 */
export function withoutAdmission<Result>(steps: AdmissionSteps<Result>): Result {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
