import type { ApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/client/client.js'
import type { LabelMode } from '../../sdk/context/register-context.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Ground } from '../environment/test-environment.js'
import type { Register } from '../plugin/test-plugin.js'

/** Both clusters of a scenario, as their users have them. */
export interface Clusters {
  /** Writes to the virtual cluster as its user would: not through the plugin's write gate. */
  readonly virtual: Client
  /** Writes to the host cluster as its administrator would. */
  readonly host: Client
  /** The embedded servers; on other clusters asking for them throws. */
  readonly virtualServer: ApiServer
  readonly hostServer: ApiServer
  /** The host namespace that copies are written to. */
  readonly targetNamespace: string
}

/** Something that users do to the clusters. */
export type Step = (clusters: Clusters) => Promise<unknown>

/**
 * A story of two clusters and a plugin between them, played again and again with something going wrong at another
 * place each time. It must tell the same story each time: no random names, no clock of its own.
 */
export interface Scenario {
  /** Registers the plugin's syncers; called anew for each life of the plugin. */
  readonly register: Register
  /** What the clusters hold before the plugin starts; default nothing. */
  readonly before?: Step
  /** What happens then, by a name that stands in failures. Before the next step the plugin comes to rest. */
  readonly steps: Readonly<Record<string, Step>>
  /** The vcluster's name, part of every host name; default `vc`. */
  readonly vclusterName?: string
  /** The host namespace that copies are written to; default `vcluster-vc`. */
  readonly targetNamespace?: string
  /** How label keys are written on the host; default `reserved`. */
  readonly labelMode?: LabelMode
  /** Whether a host object may be changed by the plugin; default those that carry vcluster's marker label. */
  readonly owns?: (host: KubeObject) => boolean
  /** How many writes of the plugin a change by a user may cause; default 3. */
  readonly writesPerChange?: number
  /** The clusters it is played on; default embedded ones, new for each run. See `realClusters`. */
  readonly ground?: Ground
  /** After how many schedules that fail the rest is not played; default 10. */
  readonly failuresEnough?: number
}
