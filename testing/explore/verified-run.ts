import { stateDifferences } from '../compare/state-differences.js'
import type { InjectedFault } from '../faults/injected-fault.js'
import {
  type AnyScenario,
  isOperatorScenario,
  type RunOptions,
  runScenario,
  type ScenarioRun,
} from '../scenario/run-scenario.js'
import { verifyReference, verifyRun } from '../verify/verify-run.js'
import { ScenarioFailure } from './scenario-failure.js'

/** The time in which an idle operator may write nothing, in milliseconds of virtual time. */
const longQuietMs = 24 * 3_600_000

/** Runs a scenario twice without faults. Both runs must end in the same state to be a reference for other runs. */
export async function referenceRun(
  scenario: AnyScenario,
  { kindsOf = [] }: Pick<RunOptions, 'kindsOf'> = {},
): Promise<ScenarioRun> {
  const reference = await runScenario(scenario, {
    kindsOf,
    ...(isOperatorScenario(scenario) && { quietMs: longQuietMs }),
  })
  const second = await runScenario(scenario, { kindsOf })
  const changed = stateDifferences(second.state, reference.state).map(
    (problem) => `a second run ends in another state: ${problem}`,
  )
  const problems = [...verifyReference(reference, scenario), ...changed]
  if (problems.length > 0) throw new ScenarioFailure([{ faults: [], problems }])
  return reference
}

/** The reference runs of the two releases of an operator. */
export interface ReleaseReferences {
  readonly first: ScenarioRun
  readonly next: ScenarioRun
}

/** Runs a scenario with each release of its operator. */
export async function releaseReferences(
  scenario: AnyScenario & { nextRelease?: unknown },
): Promise<ReleaseReferences> {
  if (!isOperatorScenario(scenario) || !scenario.nextRelease)
    throw new TypeError('the scenario has no nextRelease: the controllers of the release to upgrade to')
  const upgraded = { ...scenario, register: scenario.nextRelease }
  // Each end state has the kinds that only the other release writes.
  const { writes } = await runScenario(upgraded)
  const first = await referenceRun(scenario, { kindsOf: writes })
  return { first, next: await referenceRun(upgraded, { kindsOf: first.writes }) }
}

/** The result of {@link verifiedRun}. */
export interface VerifiedRun {
  /** The problems, one sentence each. */
  problems: string[]
  /** The faults that were not injected, because the run did not come to their place. */
  missed: readonly InjectedFault[]
}

/** Runs a scenario with faults and verifies the run. A run that throws is a problem, too. */
export async function verifiedRun(
  scenario: AnyScenario,
  faults: readonly InjectedFault[],
  reference: ScenarioRun | ReleaseReferences,
): Promise<VerifiedRun> {
  const { first, next } = 'first' in reference ? reference : { first: reference, next: reference }
  try {
    const kindsOf = first === next ? first.writes : [...first.writes, ...next.writes]
    const run = await runScenario(scenario, { faults, kindsOf })
    const expected = run.isUpgraded ? next : first
    return {
      problems: verifyRun(run, { scenario, reference: expected, faults }),
      missed: run.missed,
    }
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)], missed: [] }
  }
}
