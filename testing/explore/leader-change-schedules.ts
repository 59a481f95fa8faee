import { handoverPhases, type InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import type { ScenarioRun } from '../scenario/run-scenario.js'

/**
 * The second of two replicas becomes the leader at every write, in each phase. The old leader may send nothing once the
 * new one writes.
 */
export function leaderChangeSchedules({ writes }: ScenarioRun): InjectedFault[][] {
  return writes.flatMap(({ n, cluster }) =>
    handoverPhases
      // The gate cannot hold back a call to another system, and a late one is the other system's to refuse.
      .filter((when) => when === 'running' || cluster !== outside)
      .map((when): InjectedFault[] => [{ type: 'handover', write: n, when }]),
  )
}
