import type { InjectedFault } from '../faults/injected-fault.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'
import { type AnyScenario, isOperatorScenario, type ScenarioRun } from '../scenario/run-scenario.js'
import type { Changes } from './changes.js'
import { checkCount } from './check-count.js'
import { crashSchedules } from './crash-schedules.js'
import { exploreDeletions } from './explore-deletions.js'
import { exploreEdits } from './explore-edits.js'
import { exploreReinstallation } from './explore-reinstallation.js'
import { exploreSchedules } from './explore-schedules.js'
import { exploreUpgrades } from './explore-upgrades.js'
import { flipSchedules } from './flip-schedules.js'
import { lateEventSchedules, lostEventSchedules } from './lag-schedules.js'
import { leaderChangeSchedules } from './leader-change-schedules.js'
import { checkPart, type ExplorationPart, itemsOfPart } from './part.js'
import { recreationSchedules } from './recreation-schedules.js'
import { refusalSchedules } from './refusal-schedules.js'
import type { OperatorFault, ScenarioFault } from './scenario-faults.js'
import type { ScenarioReport } from './scenario-report.js'

/** Options of {@link exhaust}. */
export interface ExhaustOptions<Fault extends OperatorFault> {
  /** The types of faults. Each is explored completely, with one fault in each run. */
  readonly faults: readonly Fault[]
  /**
   * Explores a part only, for example `{ index: 2, of: 3 }`: every third run. So several jobs of CI divide a long
   * exploration. The faults that change the scenario instead of its run (`upgrades`, `reinstallation`, `edits` and
   * `deletions`) belong to the first part. Default: all of it.
   */
  readonly part?: ExplorationPart | undefined
}

/** Makes the schedules of a type of fault, from a run without faults. */
type MakeSchedules = (
  reference: ScenarioRun,
  scenario: AnyScenario,
) => readonly InjectedFault[][] | Promise<readonly InjectedFault[][]>

const schedulesByFault = new Map<OperatorFault, MakeSchedules>([
  ['crashes', crashSchedules],
  ['late-events', lateEventSchedules],
  ['lost-events', lostEventSchedules],
  ['refusals', refusalSchedules],
  ['leader-changes', leaderChangeSchedules],
  ['flips', flipSchedules],
  ['recreation', recreationSchedules],
])

/** The faults that change the scenario instead of its run. */
const explorationsByFault = new Map<OperatorFault, (scenario: OperatorScenario) => Promise<Changes>>([
  ['reinstallation', exploreReinstallation],
  ['edits', exploreEdits],
  ['deletions', exploreDeletions],
])

const pluginFaults: readonly ScenarioFault[] = ['crashes', 'late-events', 'lost-events', 'refusals']

/** The faults that each type of program can be explored with. */
const faultsOfProgram: Readonly<Record<'a plugin' | 'an operator', readonly OperatorFault[]>> = {
  'a plugin': pluginFaults,
  'an operator': [...schedulesByFault.keys(), 'upgrades', ...explorationsByFault.keys()],
}

/**
 * Runs a scenario once without faults, and then once with each fault of the given kinds at every place where it can
 * happen. The clusters must end as in the run without faults, with every object created and deleted as often, and the
 * program may write only its own objects. Throws {@link ScenarioFailure} with the runs that failed.
 *
 * For `recreation`, `upgrades` and `reinstallation`, give the scenario a `simulate` that makes new Deployments ready,
 * or their status differs.
 *
 * @example
 * ```ts
 * const greeting = { metadata: { namespace: 'default', name: 'greeting' } }
 * const scenario: Scenario = {
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: { 'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting) },
 * }
 * const { runs, missed } = await exhaust(scenario, { faults: ['crashes', 'refusals'] })
 * console.log(`${runs} runs, ${missed.length} without their fault`)
 * ```
 */
export async function exhaust(
  scenario: OperatorScenario,
  options: ExhaustOptions<OperatorFault>,
): Promise<ScenarioReport>
export async function exhaust(
  scenario: AnyScenario,
  options: ExhaustOptions<ScenarioFault>,
): Promise<ScenarioReport>
export async function exhaust(
  scenario: AnyScenario,
  { faults, part = whole }: ExhaustOptions<OperatorFault>,
): Promise<ScenarioReport> {
  checkPart(part)
  if (scenario.maxFailures !== undefined)
    checkCount('exhaust: maxFailures of the scenario', scenario.maxFailures, { mayBeInfinite: true })
  checkFaults(isOperatorScenario(scenario) ? 'an operator' : 'a plugin', faults)
  const makers = faults.flatMap((fault) => schedulesByFault.get(fault) ?? [])
  const reports: ScenarioReport[] = []
  if (makers.length > 0)
    reports.push(
      await exploreSchedules(scenario, async (run) => {
        const schedules: InjectedFault[][] = []
        for (const make of makers) schedules.push(...(await make(run, scenario)))
        return itemsOfPart(schedules, part)
      }),
    )
  if (isOperatorScenario(scenario) && part.index === 1)
    reports.push(...(await exploreOperator(scenario, faults)))
  return mergeReports(reports)
}

const whole: ExplorationPart = { index: 1, of: 1 }

/**
 * Throws for an unknown fault, which a program in JavaScript can pass: a fault that is never injected would look like
 * one that the program survives.
 */
function checkFaults(program: keyof typeof faultsOfProgram, faults: readonly OperatorFault[]): void {
  const names = faultsOfProgram[program].join(', ')
  if (faults.length === 0) throw new TypeError(`exhaust: no faults are given; ${program} has ${names}`)
  const wrong = faults.filter((fault) => !faultsOfProgram[program].includes(fault))
  if (wrong.length > 0)
    throw new TypeError(`exhaust: ${program} has no fault ${wrong.join(', ')}; it has ${names}`)
}

async function exploreOperator(
  scenario: OperatorScenario,
  faults: readonly OperatorFault[],
): Promise<ScenarioReport[]> {
  const reports = faults.includes('upgrades') ? [await exploreUpgrades(scenario)] : []
  for (const fault of faults) {
    const explored = await explorationsByFault.get(fault)?.(scenario)
    if (explored) reports.push({ ...emptyReport, changes: explored.changes, missed: explored.refused })
  }
  return reports
}

const emptyReport: ScenarioReport = {
  runs: 0,
  writes: [],
  schedules: [],
  changes: [],
  missed: [],
  lateStartChecked: false,
}

/** Adds up the reports. The writes are those of the first run without faults: all such runs write the same. */
function mergeReports(reports: readonly ScenarioReport[]): ScenarioReport {
  return reports.reduce(
    (total, report) => ({
      runs: total.runs + report.runs,
      writes: total.writes.length > 0 ? total.writes : report.writes,
      schedules: [...total.schedules, ...report.schedules],
      changes: [...total.changes, ...report.changes],
      missed: [...total.missed, ...report.missed],
      lateStartChecked: total.lateStartChecked || report.lateStartChecked,
    }),
    emptyReport,
  )
}
