import { PermanentError } from '../../engine/kube/error.js'

/** A schedule that cannot be read, that never comes due, or contradicts another one. Only a change helps. */
export class ScheduleError extends PermanentError {
  override readonly name: string = 'ScheduleError'

  constructor(schedule: string, problem: string) {
    super(`schedule ${JSON.stringify(schedule)}: ${problem}`)
  }
}

/** A mistake in a part of a schedule; {@link ScheduleError} adds the schedule to the message. */
export class ScheduleProblem extends Error {
  override readonly name = 'ScheduleProblem'
}
