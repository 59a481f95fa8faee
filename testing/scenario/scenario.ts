import type { ApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { LabelMode } from '../../sdk/vcluster/context/register-context.js'
import type { TestEnvironment } from '../environment/test-environment.js'
import type { Register } from '../plugin/test-plugin.js'

/** Both clusters of a scenario, for its steps. */
export interface ScenarioClusters {
  /** A client of the virtual cluster's users. The plugin's write gate does not apply. */
  readonly virtual: Client
  /** A client of the host cluster's administrator. */
  readonly host: Client
  /** The virtual cluster's embedded API server. Throws on other clusters. */
  readonly virtualServer: ApiServer
  /** The host cluster's embedded API server. Throws on other clusters. */
  readonly hostServer: ApiServer
  /** The host namespace of the copies. */
  readonly targetNamespace: string
}

/** One action of users or administrators on the clusters. */
export type ScenarioStep = (clusters: ScenarioClusters) => Promise<unknown>

/**
 * A plugin and a list of steps, which the kit runs many times with different faults. Every run must make the same
 * requests: a scenario may not use random names or a clock of its own.
 */
export interface Scenario {
  /** Only the scenario of an operator has it; see `operatorScenario`. */
  readonly program?: undefined
  /** Registers the plugin's syncers. Called for each process of the plugin. */
  readonly register: Register
  /** Creates the objects that exist before the plugin starts; default none. */
  readonly before?: ScenarioStep
  /** The steps by name. Failures name the step. The plugin settles before the next step. */
  readonly steps: Readonly<Record<string, ScenarioStep>>
  /** The vcluster's name, part of every host name; default `vc`. */
  readonly vclusterName?: string
  /** The host namespace of the copies; default `vcluster-vc`. */
  readonly targetNamespace?: string
  /** How label keys are written on the host; default `reserved`. */
  readonly labelMode?: LabelMode
  /** Whether the plugin may change a host object; default objects with vcluster's `managed-by` label. */
  readonly owns?: (host: KubeObject) => boolean
  /** The maximum number of the plugin's writes per change by a user; default 3. */
  readonly writesPerChange?: number
  /** The clusters to run on; default two embedded clusters, new for each run. See {@link realClusters}. */
  readonly environment?: TestEnvironment
  /** The number of failed runs after which an exploration stops, from 1; default 10. */
  readonly maxFailures?: number
}
