import { flipPhases, type InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import { type AnyScenario, runScenario, type ScenarioRun } from '../scenario/run-scenario.js'

/** A change of a user that is taken back at a write, and made again. */
export type Flip = Extract<InjectedFault, { type: 'flip' }>

/**
 * A user takes the step's change of the primary objects back before each write, and makes it again in each phase: then
 * the clusters must first be as they were before the step. Only steps that change the `spec` of primary objects are
 * disturbed: at other writes there is nothing to take back.
 */
export async function flipSchedules({ writes }: ScenarioRun, scenario: AnyScenario): Promise<Flip[][]> {
  const { disturbable } = await runScenario(scenario, { observesUsers: true })
  return writes
    .filter(({ n, cluster }) => cluster !== outside && disturbable?.flips.has(n))
    .flatMap(({ n }) => flipPhases.map((when): Flip[] => [{ type: 'flip', write: n, when }]))
}
