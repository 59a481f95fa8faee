import { differences } from '../compare/differences.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import {
  type AnyScenario,
  isOperatorScenario,
  runScenario,
  type ScenarioRun,
} from '../scenario/run-scenario.js'
import { verifyReference, verifyRun } from '../verify/verify-run.js'
import { ScenarioFailure } from './scenario-failure.js'

/** The time in which an operator at rest may write nothing, in milliseconds of virtual time. */
const longQuietMs = 24 * 3_600_000

/** Runs a scenario twice without faults. Both runs must end in the same state to be a reference for other runs. */
export async function referenceRun(scenario: AnyScenario): Promise<ScenarioRun> {
  const reference = isOperatorScenario(scenario)
    ? await runScenario(scenario, [], longQuietMs)
    : await runScenario(scenario)
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
  scenario: AnyScenario,
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
