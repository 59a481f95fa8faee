import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import type { ValidationError } from '../../sdk/cnpg/proto/gen/operator.js'

/** A refusal of a Cluster, in the form in which a user reads it. */
export interface AdmissionRefusal {
  /** For example `spec.plugins.0.parameters.labels`. */
  readonly path: string
  readonly value: string
  readonly message: string
}

/** A Cluster that a plugin does not admit. The message lists all refusals. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** A Cluster after admission. */
export interface AdmittedCluster {
  /** With the defaults of the plugin. */
  readonly cluster: CnpgCluster
  /** Empty if it is admitted. */
  readonly refusals: readonly AdmissionRefusal[]
}

/** The end of one reconciliation. */
export interface Reconciliation {
  /** The phase of the Cluster: `Cluster in healthy state`, or what stopped it. */
  readonly phase: string
  /** The text of the plugin or the operator, if it stopped. */
  readonly phaseReason: string | undefined
  /** Seconds until the operator reconciles again by itself: a plugin requeued, or failed. */
  readonly requeueAfterSeconds: number | undefined
}

/** A restart of a Pod. */
export interface Rollout {
  readonly pod: string
  /** The part of the spec that differs, for example `init-containers`. */
  readonly part: string
}

/** The phases of a Cluster that the operator writes. */
export const phases = {
  healthy: 'Cluster in healthy state',
  waiting: 'Waiting for the instances to become active',
  unknownPlugin: 'Cluster cannot proceed to reconciliation due to an unknown plugin being required',
  failedPlugin: 'Cluster cannot proceed to reconciliation due to an error while interacting with plugins',
} as const

/** The end of a reconciliation. */
export function endedIn(
  phase: string,
  { phaseReason, requeueAfterSeconds }: Partial<Omit<Reconciliation, 'phase'>> = {},
): Reconciliation {
  return { phase, phaseReason, requeueAfterSeconds }
}

/** A refusal as users read it. */
export const refusalOf = ({ pathComponents, value, message }: ValidationError): AdmissionRefusal => ({
  path: pathComponents.join('.'),
  value,
  message,
})
