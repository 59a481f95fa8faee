import { seededRandom } from '../../apiserver/faults/seeded-random.js'
import {
  crashPhases,
  type Disturbance,
  formatDisturbances,
  parseDisturbances,
} from '../faults/injected-fault.js'
import { describeWrite } from '../requests/request-target.js'
import type { Playthrough } from '../scenario/run-scenario.js'
import type { Scenario } from '../scenario/scenario.js'
import { playJudged, referenceOf, type ScenarioReport } from './exhaust.js'
import { ScenarioFailure } from './scenario-failure.js'

/** Options of {@link perturb}. */
export interface PerturbOptions {
  /** Where the chance comes from: the same seed disturbs the same way; default 1. */
  seed?: number
  /** How often the scenario is played; default 50. */
  runs?: number
  /** How many things go wrong in a run at most; default 4. */
  disturbances?: number
}

/**
 * Plays a scenario with several things going wrong at a time, by chance: crashes, lost answers, refused calls, watches
 * that lag, lose their history or repeat themselves. Throws `ScenarioFailure` with the smallest schedule it could find
 * that still fails, and the seed.
 */
export async function perturb(scenario: Scenario, options: PerturbOptions = {}): Promise<ScenarioReport> {
  const { seed = 1, runs = 50, disturbances: most = 4 } = options
  const reference = await referenceOf(scenario)
  const next = seededRandom(seed)
  const random = (below: number) => Math.floor(next() * below)
  const schedules: string[] = []
  const missed: string[] = []
  for (let run = 0; run < runs; run++) {
    const chosen = choose(random, { most, reference, steps: Object.keys(scenario.steps).length })
    const { problems, wasDisturbed } = await playJudged(scenario, chosen, reference)
    if (problems.length > 0) throw await smallest(scenario, chosen, { reference, seed })
    schedules.push(formatDisturbances(chosen))
    if (!wasDisturbed) missed.push(formatDisturbances(chosen))
  }
  return { runs, writes: reference.writes.map(describeWrite), schedules, missed, pathChecked: false }
}

/**
 * Plays a scenario once with what a failure has printed, for example `crash:3:unanswered`. Throws the same
 * `ScenarioFailure` again, or resolves where it no longer fails.
 */
export async function replay(scenario: Scenario, schedule: string): Promise<void> {
  const disturbances = parseDisturbances(schedule)
  const reference = await referenceOf(scenario)
  const { problems } = await playJudged(scenario, disturbances, reference)
  if (problems.length > 0) throw new ScenarioFailure([{ disturbances, problems }])
}

/** Leaves out one thing after the other for as long as the rest still fails. */
async function smallest(
  scenario: Scenario,
  chosen: readonly Disturbance[],
  { reference, seed }: { reference: Playthrough; seed: number },
): Promise<ScenarioFailure> {
  let disturbances = [...chosen]
  let problems: string[] = []
  for (const one of [undefined, ...chosen]) {
    const fewer = disturbances.filter((other) => other !== one)
    if (fewer.length === 0) continue
    const result = await playJudged(scenario, fewer, reference)
    if (result.problems.length === 0) continue
    disturbances = fewer
    problems = result.problems
  }
  return new ScenarioFailure(
    [{ disturbances, problems }],
    `found with seed ${seed} as ${formatDisturbances(chosen)}`,
  )
}

interface ChooseOptions {
  most: number
  reference: Playthrough
  steps: number
}

const codes = [403, 409, 410, 429, 500, 503, 504]

function choose(random: (below: number) => number, { most, reference, steps }: ChooseOptions): Disturbance[] {
  const { writes, calls } = reference
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const write = () => 1 + random(Math.max(writes.length, 1))
  const kinds: (() => Disturbance)[] = [
    () => ({ type: 'crash', write: write(), when: pick(crashPhases) }),
    () => ({ type: 'drop', write: write() }),
    () => ({ type: 'refuse', call: 1 + random(calls), code: pick(codes) }),
    () => ({ type: pick(['restart', 'down'] as const), step: 1 + random(steps) }),
    () => ({
      type: pick(['late', 'lost', 'repeated'] as const),
      cluster: pick(['virtual', 'host'] as const),
      step: 1 + random(steps),
    }),
  ]
  return Array.from({ length: 1 + random(most) }, () => pick(kinds)())
}
