import type { InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import { type AnyScenario, runScenario, type ScenarioRun } from '../scenario/run-scenario.js'

/**
 * A user deletes the primary objects that have no finalizer before each write, and creates them again under the same
 * names. Nothing may keep the UID of the former object. Writes before which there is no such object are left alone.
 */
export async function recreationSchedules(
  { writes }: ScenarioRun,
  scenario: AnyScenario,
): Promise<InjectedFault[][]> {
  const { disturbable } = await runScenario(scenario, { observesUsers: true })
  return writes
    .filter(({ n, cluster }) => cluster !== outside && disturbable?.recreations.has(n))
    .map(({ n }): InjectedFault[] => [{ type: 'recreate', write: n }])
}
