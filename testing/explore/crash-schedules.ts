import { crashPhases, type InjectedFault } from '../faults/injected-fault.js'
import type { AnyScenario, ScenarioRun } from '../scenario/run-scenario.js'

/**
 * Kills and restarts the program at every write, in each phase, and after every step, and runs every step once while
 * the program is down. Each run has one crash. The method is that of Sieve's intermediate states (OSDI '22).
 */
export function crashSchedules({ writes }: ScenarioRun, { steps }: AnyScenario): InjectedFault[][] {
  const crashes = writes.flatMap(({ n }) =>
    crashPhases.map((when): InjectedFault[] => [{ type: 'crash', write: n, when }]),
  )
  const restarts = Object.keys(steps).flatMap((_, index): InjectedFault[][] => [
    [{ type: 'restart', step: index + 1 }],
    [{ type: 'down', step: index + 1 }],
  ])
  return [...crashes, ...restarts]
}
