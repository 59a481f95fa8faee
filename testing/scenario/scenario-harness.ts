import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { RequestRecorder } from '../recorder/request-recorder.js'
import type { DisturbableWrites } from './disturbable-writes.js'
import type { ExternalResources } from './external-resources.js'
import type { Replicas } from './replicas.js'
import type { RunLog } from './run-log.js'

/** One run's clusters and its program. */
export interface ScenarioHarness {
  readonly recorder: Omit<RequestRecorder, 'userTransport' | 'programTransport'>
  readonly replicas: Replicas
  readonly log: RunLog
  /** The writes at which a user can disturb an operator, if the run looked for them. */
  readonly disturbable?: DisturbableWrites | undefined
  /** Performs a step of the scenario, by its name. */
  perform(step: string): Promise<unknown>
  /** Resolves when the program is idle. */
  settle(): Promise<void>
  /** Discards the watch history of a cluster. */
  compact(cluster: string): void
  /** The data about the end of the run that the rules need. */
  verification(): Promise<Verification>
  close(): Promise<void>
}

/** The data that the rules need, by the sort of the program. */
export type Verification = PluginVerification | OperatorVerification

/** The data that the rules of a plugin need. */
export interface PluginVerification {
  readonly program: 'plugin'
  /** The host objects at the end, of every kind that was written. */
  readonly hostObjects: readonly (readonly KubeObject[])[]
  readonly vclusterName: string
  readonly targetNamespace: string
}

/** The data that the rules of an operator need. */
export interface OperatorVerification {
  readonly program: 'operator'
  /** The kinds of the registered controllers. */
  readonly primaries: readonly Resource[]
  /** The resources that the effects created. */
  readonly externalResources: ExternalResources
}
