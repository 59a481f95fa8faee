import type { ApiServer } from '../../apiserver/api-server.js'
import type { Side } from '../../sdk/context/register-context.js'
import type { Transport } from '../../sdk/transport/transport.js'
import type { VirtualClock } from '../clock/virtual-clock.js'

/** Where scenarios are played; the default are embedded clusters, new ones for each run. */
export interface Ground {
  /** Both clusters as they are before a run. The plugin's time is that of `clock`. */
  open(clock: VirtualClock): Promise<Site>
}

/** The two clusters of one run. */
export interface Site {
  readonly clusters: Readonly<Record<Side, SiteCluster>>
  /** Lets a moment pass in which what is under way may go on. */
  moment(): Promise<void>
  /** How many moments in a row must pass without any change for nothing to be under way. */
  readonly quietMoments: number
  /** Leaves no trace of the run. */
  close(): Promise<void>
}

/** One of them. */
export interface SiteCluster {
  /** A new way to the cluster. */
  connect(): Transport
  /** Changes whenever something may have happened in the cluster that its watches tell of. */
  readonly pulse: string
  /** Forgets all history: whoever watches from before must list anew. */
  forget(): void
  /** The server itself, where it is an embedded one. */
  readonly server: ApiServer | undefined
}
