import { PermanentError } from '../../engine/kube/error.js'

/** A schedule that cannot be read, that never comes due, or that contradicts another one. Only a change of it helps. */
export class ScheduleError extends PermanentError {
  override readonly name: string = 'ScheduleError'

  constructor(schedule: string, problem: string) {
    super(`schedule ${JSON.stringify(schedule)}: ${problem}`)
  }
}

/** A part of a schedule that is wrong; {@link ScheduleError} adds the schedule. */
export class ScheduleProblem extends Error {
  override readonly name = 'ScheduleProblem'
}
