import { type Disturbance, formatDisturbances } from '../faults/injected-fault.js'
import { describeWrite } from '../requests/request-target.js'
import { differences } from '../scenario/end-state.js'
import { type Playthrough, play, playLate } from '../scenario/run-scenario.js'
import type { Scenario } from '../scenario/scenario.js'
import { judge, judgeAlone } from '../verify/verify-run.js'
import { type FailedRun, ScenarioFailure } from './scenario-failure.js'

/** What was tried, for those who want to know how much was. */
export interface ScenarioReport {
  /** How often the scenario was played with something going wrong. */
  readonly runs: number
  /** The plugin's writes in the undisturbed run, in words. */
  readonly writes: readonly string[]
  /** What went wrong in each run, as text for `replay`. */
  readonly schedules: readonly string[]
  /** Schedules whose moment did not come, because the run took another way before it; they prove nothing. */
  readonly missed: readonly string[]
  /** Whether the end was held against that of a plugin that came when all was over; not where a step needs the plugin. */
  readonly pathChecked: boolean
}

/**
 * Plays a scenario undisturbed, to know what must come out, then once for each schedule. Throws `ScenarioFailure` with
 * the first schedules that end otherwise.
 */
export async function exhaust(
  scenario: Scenario,
  schedulesFor: (reference: Playthrough) => readonly (readonly Disturbance[])[],
): Promise<ScenarioReport> {
  const reference = await referenceOf(scenario)
  const late = await playLate(scenario)
  const pathProblems = late ? differences(late.state, reference.state) : []
  if (pathProblems.length > 0)
    throw new ScenarioFailure([{ disturbances: [], problems: pathProblems.map(pathDependent) }])
  const schedules = schedulesFor(reference)
  const failed: FailedRun[] = []
  const missed: string[] = []
  for (const disturbances of schedules) {
    const { problems, wasDisturbed } = await playJudged(scenario, disturbances, reference)
    if (problems.length > 0) failed.push({ disturbances, problems })
    else if (!wasDisturbed) missed.push(formatDisturbances(disturbances))
    if (failed.length === (scenario.failuresEnough ?? 10)) break
  }
  if (failed.length > 0) throw new ScenarioFailure(failed)
  return {
    runs: schedules.length,
    writes: reference.writes.map(describeWrite),
    schedules: schedules.map(formatDisturbances),
    missed,
    pathChecked: late !== undefined,
  }
}

const pathDependent = (problem: string) => `a plugin that comes when all is over ends otherwise: ${problem}`

/** Plays a scenario undisturbed, twice, because only what comes out the same twice can be compared with. */
export async function referenceOf(scenario: Scenario): Promise<Playthrough> {
  const reference = await play(scenario)
  const again = await play(scenario)
  const changed = differences(again.state, reference.state).map(
    (problem) => `it ends otherwise the second time: ${problem}`,
  )
  const problems = [...judgeAlone(reference, scenario), ...changed]
  if (problems.length > 0) throw new ScenarioFailure([{ disturbances: [], problems }])
  return reference
}

/** Plays a scenario disturbed and says what is wrong with what came out. A run that breaks off is wrong, too. */
export async function playJudged(
  scenario: Scenario,
  disturbances: readonly Disturbance[],
  reference: Playthrough,
): Promise<{ problems: string[]; wasDisturbed: boolean }> {
  try {
    const run = await play(scenario, disturbances)
    return { problems: judge(run, reference, disturbances), wasDisturbed: run.wasDisturbed }
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)], wasDisturbed: true }
  }
}
