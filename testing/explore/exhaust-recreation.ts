import type { InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Within each run of the operator, just before each of its writes is sent, a user deletes the primary objects that have
 * no finalizer and creates them again under the same names. The clusters must end as in the reference run, so nothing
 * may keep the UID of the former object. Throws {@link ScenarioFailure} with the runs that failed.
 *
 * Give the scenario a `simulate` that makes new Deployments ready, or their status differs.
 *
 * @example
 * ```ts
 * const { runs } = await exhaustRecreation(
 *   operatorScenario({
 *     register: (operator) => operator.register(backupController),
 *     definitions: [crdOf(backups)],
 *     steps: { 'a backup is created': ({ client }) => client.create(backups, backup) },
 *     simulate: ({ setAllReady }) => setAllReady(),
 *   }),
 * )
 * console.log(`${runs} runs`)
 * ```
 */
export function exhaustRecreation(scenario: OperatorScenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ writes }) =>
    writes
      .filter(({ cluster }) => cluster !== outside)
      .map(({ n }): InjectedFault[] => [{ type: 'recreate', write: n }]),
  )
}
