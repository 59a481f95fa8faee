import { formatFaults, type InjectedFault } from '../faults/injected-fault.js'

/** A run of a scenario that failed. */
export interface FailedRun {
  /** The faults of the run; none for the reference run. */
  readonly faults: readonly InjectedFault[]
  /** The problems, one sentence each. */
  readonly problems: readonly string[]
}

/** The maximum number of problems, and of further runs, in a message. */
const maxListed = 8

/**
 * Error for a scenario that fails with or without faults. Its message lists the problems of the first failed run and
 * the schedule that repeats it.
 *
 * @example
 * ```ts
 * try {
 *   const faults = ['crashes'] as const
 *   await exhaust({ register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)), steps: {} }, { faults })
 * } catch (error) {
 *   if (!(error instanceof ScenarioFailure)) throw error
 *   for (const { faults, problems } of error.runs) console.error(faults, problems)
 * }
 * ```
 */
export class ScenarioFailure extends Error {
  override readonly name = 'ScenarioFailure'
  /** Every run that failed. */
  readonly runs: readonly FailedRun[]

  constructor(runs: readonly FailedRun[], note = '') {
    super(
      [headline(runs), ...problemsOf(runs[0]), ...otherRuns(runs), ...(note === '' ? [] : [note])].join('\n'),
    )
    this.runs = runs
  }
}

function headline([first]: readonly FailedRun[]): string {
  const schedule = formatFaults(first?.faults ?? [])
  if (schedule === '') return 'the scenario fails without any fault:'
  return `the scenario fails with ${schedule} (repeat this run with replay(scenario, '${schedule}')):`
}

function problemsOf(run: FailedRun | undefined): string[] {
  const problems = run?.problems ?? []
  const moreText = problems.length > maxListed ? [`  and ${problems.length - maxListed} more`] : []
  return [...problems.slice(0, maxListed).map((problem) => `  ${problem}`), ...moreText]
}

function otherRuns([, ...rest]: readonly FailedRun[]): string[] {
  if (rest.length === 0) return []
  const schedules = rest.slice(0, maxListed).map(({ faults }) => formatFaults(faults))
  const moreText = rest.length > maxListed ? ` and ${rest.length - maxListed} more` : ''
  return [`it also fails with ${schedules.join('  ')}${moreText}`]
}
