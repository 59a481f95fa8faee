import { crashPhases, formatFaults, type InjectedFault } from '../faults/injected-fault.js'
import { describeWrite } from '../recorder/recorded-write.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { runAll } from './explore-schedules.js'
import type { ScenarioReport } from './scenario-report.js'
import { releaseReferences } from './verified-run.js'

/**
 * Upgrades the operator to `nextRelease` of the scenario at every write of the first release, which dies before, during
 * and after that write. The run then goes on with the next release to its end; or the next release dies at one of its
 * first writes, or after one of the steps, and the first release returns. The clusters must end as in a run that has
 * only the release that ends it. Throws {@link ScenarioFailure} with the runs that failed.
 */
export async function exploreUpgrades(scenario: OperatorScenario): Promise<ScenarioReport> {
  const references = await releaseReferences(scenario)
  const { writes } = references.first
  const steps = Object.keys(scenario.steps).length
  const runs = writes.flatMap(({ n }) => schedulesAt(n, steps))
  const missed = await runAll(scenario, references, runs)
  return {
    runs: runs.length,
    writes: writes.map(describeWrite),
    schedules: runs.map(formatFaults),
    changes: [],
    missed,
    lateStartChecked: false,
  }
}

/** The writes of the next release, after its start, at which it dies. */
const firstWrites = [1, 2]

function schedulesAt(write: number, steps: number): InjectedFault[][] {
  return crashPhases.flatMap((when) => {
    const upgrade: InjectedFault = { type: 'upgrade', write, when }
    const died = firstWrites.map((later): InjectedFault[] => [
      upgrade,
      { type: 'downgrade', write: write + later, when },
    ])
    return [[upgrade], ...died, [upgrade, { type: 'rollback', step: steps }]]
  })
}
