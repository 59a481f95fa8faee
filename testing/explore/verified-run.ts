import { differences } from '../compare/differences.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import { runScenario, type ScenarioRun } from '../scenario/run-scenario.js'
import type { Scenario } from '../scenario/scenario.js'
import { verifyReference, verifyRun } from '../verify/verify-run.js'
import { ScenarioFailure } from './scenario-failure.js'

/** Runs a scenario twice without faults. Both runs must end in the same state to be a reference for other runs. */
export async function referenceRun(scenario: Scenario): Promise<ScenarioRun> {
  const reference = await runScenario(scenario)
  const second = await runScenario(scenario)
  const changed = differences(second.state, reference.state).map(
    (problem) => `a second run ends in another state: ${problem}`,
  )
  const problems = [...verifyReference(reference, scenario), ...changed]
  if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
  return reference
}

/** The result of {@link verifiedRun}. */
export interface VerifiedRun {
  /** The problems, one sentence each. */
  problems: string[]
  /** Whether every fault was injected. */
  injectedAll: boolean
}

/** Runs a scenario with faults and verifies the run. A run that throws is a problem, too. */
export async function verifiedRun(
  scenario: Scenario,
  faults: readonly InjectedFault[],
  reference: ScenarioRun,
): Promise<VerifiedRun> {
  try {
    const run = await runScenario(scenario, faults)
    return { problems: verifyRun(run, { scenario, reference, faults }), injectedAll: run.injectedAll }
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)], injectedAll: true }
  }
}
