import { type Disturbance, formatDisturbances } from '../faults/injected-fault.js'

/** A run of a scenario that ended wrongly. */
export interface FailedRun {
  /** What went wrong in it on purpose; none for the undisturbed run. */
  readonly disturbances: readonly Disturbance[]
  /** What came out wrong, a sentence each. */
  readonly problems: readonly string[]
}

/** How many problems, and how many further runs, a message tells. */
const told = 8

/** A scenario does not end as it must under every disturbance. Its message says how to play the first failure again. */
export class ScenarioFailure extends Error {
  override readonly name = 'ScenarioFailure'
  /** Every run that failed. */
  readonly runs: readonly FailedRun[]

  constructor(runs: readonly FailedRun[], note = '') {
    super(
      [headline(runs), ...problemsOf(runs[0]), ...others(runs), ...(note === '' ? [] : [note])].join('\n'),
    )
    this.runs = runs
  }
}

function headline([first]: readonly FailedRun[]): string {
  const schedule = formatDisturbances(first?.disturbances ?? [])
  if (schedule === '') return 'the scenario fails with nothing disturbed:'
  return `the scenario fails with ${schedule} (play it again: replay(scenario, '${schedule}')):`
}

function problemsOf(run: FailedRun | undefined): string[] {
  const problems = run?.problems ?? []
  const more = problems.length > told ? [`  and ${problems.length - told} more`] : []
  return [...problems.slice(0, told).map((problem) => `  ${problem}`), ...more]
}

function others([, ...rest]: readonly FailedRun[]): string[] {
  if (rest.length === 0) return []
  const schedules = rest.slice(0, told).map(({ disturbances }) => formatDisturbances(disturbances))
  const more = rest.length > told ? ` and ${rest.length - told} more` : ''
  return [`it fails as well with ${schedules.join('  ')}${more}`]
}
