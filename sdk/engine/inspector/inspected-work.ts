import type { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { ProgramManager } from '../manager/program-manager.js'
import type { Clock } from '../time/clock.js'
import type { InspectedWork } from './inspected.js'
import { leadershipView, shardView } from './leadership-view.js'

/** Options of {@link inspectedWork}. */
export interface InspectedWorkOptions {
  manager: ProgramManager
  clock: Clock
  /** The one of the users first. */
  clusters: readonly ClusterRuntime[]
}

/** The work of a program that a manager runs. */
export function inspectedWork({ manager, clock, clusters }: InspectedWorkOptions): InspectedWork {
  return {
    leadership: () => leadershipView(manager.leadership, clock, manager.isRunning),
    progress: () => manager.progress.view(),
    stores: () => clusters.flatMap(({ watched }) => watched),
    shardOf: (key) => shardView(manager.leadership ?? {}, key),
    otherNames: async (resource) => clusters[0]?.otherNames(resource) ?? [],
  }
}
