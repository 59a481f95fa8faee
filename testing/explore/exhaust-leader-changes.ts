import { handoverPhases, type InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Makes the second of two replicas the leader at every write of the operator, while the old leader still runs: once
 * because it cannot renew its Lease from that write on, and once with the write held up on the network until the new
 * leader has come to rest. The clusters must end as in the reference run, and the old leader may send nothing once the
 * new one writes. Throws {@link ScenarioFailure} with the runs that failed.
 *
 * @example
 * ```ts
 * const { runs } = await exhaustLeaderChanges(
 *   operatorScenario({
 *     register: (operator) => operator.register(backupController),
 *     definitions: [crdOf(backups)],
 *     steps: { 'a backup is created': ({ client }) => client.create(backups, backup) },
 *   }),
 * )
 * console.log(`${runs} leader changes`)
 * ```
 */
export function exhaustLeaderChanges(scenario: OperatorScenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ writes }) =>
    writes.flatMap(({ n, cluster }) =>
      handoverPhases
        // The gate cannot hold back a call to another system, and a late one is the other system's to refuse.
        .filter((when) => when === 'running' || cluster !== outside)
        .map((when): InjectedFault[] => [{ type: 'handover', write: n, when }]),
    ),
  )
}
