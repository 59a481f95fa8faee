import { stateDifferences } from '../compare/state-differences.js'
import { formatFaults, type InjectedFault } from '../faults/injected-fault.js'
import { describeWrite } from '../recorder/recorded-write.js'
import { type AnyScenario, runWithLateStart, type ScenarioRun } from '../scenario/run-scenario.js'
import { withoutGenerations } from '../scenario/state-without-generations.js'
import { withoutLeftovers } from '../scenario/state-without-leftovers.js'
import { type FailedRun, ScenarioFailure } from './scenario-failure.js'
import type { ScenarioReport } from './scenario-report.js'
import { type ReleaseReferences, referenceRun, verifiedRun } from './verified-run.js'

type Faults = readonly InjectedFault[]

const defaultMaxFailures = 10

/**
 * Runs a scenario without faults to get the reference, then once with each list of faults. Throws `ScenarioFailure`
 * with the runs that failed.
 */
export async function exploreSchedules(
  scenario: AnyScenario,
  faultsFor: (reference: ScenarioRun) => readonly Faults[] | Promise<readonly Faults[]>,
): Promise<ScenarioReport> {
  const reference = await referenceRun(scenario)
  const lateStartChecked = await checkLateStart(scenario, reference)
  const runs = await faultsFor(reference)
  const missed = await runAll(scenario, reference, runs)
  return {
    runs: runs.length,
    writes: reference.writes.map(describeWrite),
    schedules: runs.map(formatFaults),
    changes: [],
    missed,
    lateStartChecked,
  }
}

/**
 * Whether the scenario can run without a plugin. If so, a plugin that starts after the last step must reach the same
 * state.
 */
async function checkLateStart(scenario: AnyScenario, reference: ScenarioRun): Promise<boolean> {
  const late = await runWithLateStart(scenario, reference)
  if (!late) return false
  // An object that is made in one go has other generations than one that was changed.
  const actual = withoutGenerations(late.state)
  const expected = withoutLeftovers(withoutGenerations(reference.state), actual)
  const problems = stateDifferences(actual, expected).map(
    (problem) => `a plugin that starts after the last step ends in another state: ${problem}`,
  )
  if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
  return true
}

/** Runs with each list of faults. Returns the schedules whose faults were not all injected. */
export async function runAll(
  scenario: AnyScenario,
  reference: ScenarioRun | ReleaseReferences,
  runs: readonly Faults[],
): Promise<string[]> {
  const { maxFailures = defaultMaxFailures } = scenario
  const failed: FailedRun[] = []
  const missed: string[] = []
  for (const faults of runs) {
    const result = await verifiedRun(scenario, faults, reference)
    if (result.problems.length > 0) failed.push({ faults, problems: result.problems })
    else if (result.missed.length > 0) missed.push(formatFaults(faults))
    if (failed.length >= maxFailures) break
  }
  if (failed.length > 0) throw new ScenarioFailure(failed)
  return missed
}
