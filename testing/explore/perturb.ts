import { seededRandom } from '../../apiserver/faults/seeded-random.js'
import { crashPhases, formatFaults, type InjectedFault } from '../faults/injected-fault.js'
import { describeWrite } from '../recorder/recorded-write.js'
import type { AnyScenario, ScenarioRun } from '../scenario/run-scenario.js'
import { checkCount } from './check-count.js'
import { type FailedRun, ScenarioFailure } from './scenario-failure.js'
import type { ScenarioReport } from './scenario-report.js'
import { referenceRun, verifiedRun } from './verified-run.js'

/** Options of {@link perturb}. */
export interface PerturbOptions {
  /** Seed of the random choices. The same seed gives the same faults; default 1. */
  seed?: number
  /** The number of runs with faults, from 1; default 50. */
  runs?: number
  /** The maximum number of faults in one run, from 1; default 4. */
  maxFaults?: number
}

/**
 * Runs a scenario with several random faults at a time: crashes, lost answers, refused calls, and watches that lag,
 * lose their history or repeat events. Throws {@link ScenarioFailure} with the smallest schedule it could find that
 * still fails, and the seed.
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * const scenario: Scenario = {
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * }
 * await perturb(scenario, { seed: 7, runs: 100 })
 * ```
 */
export async function perturb(scenario: AnyScenario, options: PerturbOptions = {}): Promise<ScenarioReport> {
  const { seed = 1, runs = 50, maxFaults = 4 } = options
  checkCount('perturb: runs', runs)
  checkCount('perturb: maxFaults', maxFaults)
  const reference = await referenceRun(scenario)
  const next = seededRandom(seed)
  const random = (below: number) => Math.floor(next() * below)
  const steps = Object.keys(scenario.steps).length
  const schedules: string[] = []
  const missed: string[] = []
  for (let run = 0; run < runs; run++) {
    const faults = randomFaults(random, { maxFaults, reference, steps })
    const result = await verifiedRun(scenario, faults, reference)
    if (result.problems.length > 0)
      throw await smallestFailure(scenario, { faults, problems: result.problems }, { reference, seed })
    schedules.push(formatFaults(faults))
    if (result.missed.length > 0) missed.push(formatFaults(faults))
  }
  return {
    runs,
    writes: reference.writes.map(describeWrite),
    schedules,
    changes: [],
    missed,
    lateStartChecked: false,
  }
}

/**
 * Removes one fault after the other for as long as the rest still fails. If no other run fails, the failure is that of
 * the run which was found.
 */
async function smallestFailure(
  scenario: AnyScenario,
  found: FailedRun,
  { reference, seed }: { reference: ScenarioRun; seed: number },
): Promise<ScenarioFailure> {
  let { faults, problems } = found
  for (const omitted of found.faults) {
    const fewer = faults.filter((other) => other !== omitted)
    if (fewer.length === 0) continue
    const result = await verifiedRun(scenario, fewer, reference)
    if (result.problems.length === 0) continue
    faults = fewer
    problems = result.problems
  }
  return new ScenarioFailure(
    [{ faults, problems }],
    `found with seed ${seed} as ${formatFaults(found.faults)}`,
  )
}

interface RandomFaultsOptions {
  maxFaults: number
  reference: ScenarioRun
  steps: number
}

const codes = [403, 409, 410, 429, 500, 503, 504]

function randomFaults(
  random: (below: number) => number,
  { maxFaults, reference, steps }: RandomFaultsOptions,
): InjectedFault[] {
  const { writes, calls } = reference
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const write = () => 1 + random(Math.max(writes.length, 1))
  const kinds: (() => InjectedFault)[] = [
    () => ({ type: 'crash', write: write(), when: pick(crashPhases) }),
    () => ({ type: 'drop', write: write() }),
    () => ({ type: 'refuse', call: 1 + random(calls), code: pick(codes) }),
    () => ({ type: pick(['restart', 'down'] as const), step: 1 + random(steps) }),
    () => ({
      type: pick(['late', 'lost', 'repeated'] as const),
      cluster: pick(reference.watchScopes),
      step: 1 + random(steps),
    }),
  ]
  return Array.from({ length: 1 + random(maxFaults) }, () => pick(kinds)())
}
