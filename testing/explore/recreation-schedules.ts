import type { InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import type { ScenarioRun } from '../scenario/run-scenario.js'

/**
 * A user deletes the primary objects that have no finalizer before each write, and creates them again under the same
 * names. Nothing may keep the UID of the former object.
 */
export function recreationSchedules({ writes }: ScenarioRun): InjectedFault[][] {
  return writes
    .filter(({ cluster }) => cluster !== outside)
    .map(({ n }): InjectedFault[] => [{ type: 'recreate', write: n }])
}
