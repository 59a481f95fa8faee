import { flipPhases, type InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import type { ScenarioRun } from '../scenario/run-scenario.js'

/**
 * A user takes the step's change of the primary objects back before each write, and makes it again in each phase: then
 * the clusters must first be as they were before the step. Only steps that change the `spec` of primary objects are
 * disturbed.
 */
export function flipSchedules({ writes }: ScenarioRun): InjectedFault[][] {
  return writes
    .filter(({ cluster }) => cluster !== outside)
    .flatMap(({ n }) => flipPhases.map((when): InjectedFault[] => [{ type: 'flip', write: n, when }]))
}
