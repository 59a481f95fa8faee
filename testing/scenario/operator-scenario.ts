import type { ApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { OperatorEnvironment } from '../environment/test-environment.js'
import type { RegisterControllers } from '../operator/test-operator.js'

/** The clusters of an operator, for the steps of a scenario. */
export interface OperatorClusters {
  /** A client of the administrator of the first cluster. The operator's write gate does not apply. */
  readonly client: Client
  /** The first cluster's embedded API server. Throws on other clusters. */
  readonly server: ApiServer
  /** A client of the administrator of a cluster. */
  readonly clientOf: (cluster: string) => Client
  /** The embedded API server of a cluster. Throws on other clusters. */
  readonly serverOf: (cluster: string) => ApiServer
  /**
   * Simulates the controllers of workloads: the Deployment, StatefulSet and DaemonSet of a name get the status of ready
   * ones, and the Job of that name succeeds, unless their status says so already.
   */
  readonly setReady: (object: Pick<KubeObject, 'metadata'>) => Promise<void>
  /** Calls {@link setReady} for every Deployment, StatefulSet, DaemonSet and Job of the first cluster. */
  readonly setAllReady: () => Promise<void>
}

/** One action of users or administrators on the clusters. */
export type OperatorStep = (clusters: OperatorClusters) => Promise<unknown>

/** Options of {@link operatorScenario}. */
export interface OperatorScenarioOptions {
  /** Registers the operator's controllers. Called for each process of the operator. */
  register: RegisterControllers
  /** The definitions of its kinds, which are served before it starts; default none. */
  definitions?: readonly CustomResourceDefinition[]
  /** Registers the controllers of the next release of the operator; see `exhaust`, `upgrades`. Default none. */
  nextRelease?: RegisterControllers
  /** The names of its clusters; default one, named `main`. */
  clusters?: readonly string[]
  /** The clusters to run on; default embedded clusters, new for each run. See {@link realOperatorClusters}. */
  environment?: OperatorEnvironment
  /** Restricts the operator to one namespace; default all. */
  namespace?: string
  /**
   * Creates the objects that exist before the operator starts, and resets what is outside the clusters; default
   * nothing.
   */
  before?: OperatorStep
  /** The steps by name. Failures name the step. The operator settles before the next step. */
  steps: Readonly<Record<string, OperatorStep>>
  /**
   * Simulates the controllers that embedded clusters lack, for example `({ setAllReady }) => setAllReady()`. Called
   * each time the operator has come to rest, until it changes nothing. Default nothing.
   */
  simulate?: OperatorStep
  /** Whether the operator may change a foreign object; default none but its primary objects. */
  owns?: (object: KubeObject) => boolean
  /** The maximum number of the operator's writes per change by a user; default 3. */
  writesPerChange?: number
  /** The number of failed runs after which an exploration stops, from 1; default 10. */
  maxFailures?: number
}

/**
 * An operator and a list of steps, which the kit runs many times with different faults; see {@link operatorScenario}.
 */
export interface OperatorScenario extends Readonly<OperatorScenarioOptions> {
  readonly program: 'operator'
}

/**
 * A scenario for the explorations of an operator. Every run must make the same requests: a scenario may not use random
 * names or a clock of its own.
 *
 * @example
 * ```ts
 * const backup = { metadata: { namespace: 'default', name: 'daily' }, spec: { size: 2 } }
 * const scenario = operatorScenario({
 *   register: (operator) => operator.register(backupController),
 *   definitions: [crdOf(backups)],
 *   steps: { 'a backup is created': ({ client }) => client.create(backups, backup) },
 *   simulate: ({ setAllReady }) => setAllReady(),
 * })
 * const { runs } = await exhaust(scenario, { faults: ['crashes'] })
 * console.log(`${runs} runs`)
 * ```
 */
export function operatorScenario(options: OperatorScenarioOptions): OperatorScenario {
  return { program: 'operator', ...options }
}
