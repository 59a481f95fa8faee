import type { Cluster } from '../../engine/cluster/cluster.js'
import type { Clock } from '../../engine/time/clock.js'
import type { LocationFinder } from '../target/location-finder.js'
import type { ReleaseWatches } from './following/release-watches.js'
import type { TargetCluster } from './run/target-clusters.js'

/** The members of a `ReleaseController` that exist only while its program runs. */
export interface RunningParts {
  /** The cluster of the custom resources. */
  readonly cluster: Cluster
  /** The clusters that releases go to, by name. */
  readonly targets: ReadonlyMap<string, TargetCluster>
  readonly locations: LocationFinder
  readonly watches: ReleaseWatches
  readonly clock: Clock
}
