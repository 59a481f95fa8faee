import { flipPhases, type InjectedFault } from '../faults/injected-fault.js'
import { outside } from '../recorder/recorded-write.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'
import type { ScenarioReport } from './scenario-report.js'

/**
 * Within each run of the operator, just before each of its writes is sent, a user takes the step's change of the
 * primary objects back: their `spec` is what it was before the step. The user makes the change again before the next
 * write, or once the operator has settled; then the clusters must first be as they were before the step. The clusters
 * must end as in the reference run. Throws {@link ScenarioFailure} with the runs that failed.
 *
 * Only steps that change the `spec` of primary objects are disturbed.
 *
 * @example
 * ```ts
 * const key = { namespace: 'default', name: 'daily' }
 * const grow = { type: 'merge', body: { spec: { size: 3 } } } as const
 * const scenario = operatorScenario({
 *   register: (operator) => operator.register(backupController),
 *   definitions: [crdOf(backups)],
 *   before: ({ client }) => client.create(backups, { metadata: key, spec: { size: 2 } }),
 *   steps: { 'it grows': ({ client }) => client.patch(backups, key, grow) },
 * })
 * const { runs } = await exhaustFlips(scenario)
 * console.log(`${runs} runs`)
 * ```
 */
export function exhaustFlips(scenario: OperatorScenario): Promise<ScenarioReport> {
  return exhaust(scenario, ({ writes }) =>
    writes
      .filter(({ cluster }) => cluster !== outside)
      .flatMap(({ n }) => flipPhases.map((when): InjectedFault[] => [{ type: 'flip', write: n, when }])),
  )
}
