import { parseSchedule, type Schedule } from './schedule.js'
import { ScheduleError } from './schedule-error.js'

/** When a Workspace goes to sleep and wakes, as `spec.autoHibernation` has it. */
export interface HibernationTimes {
  /** When the Workspace goes to sleep: a cron expression. */
  readonly schedule: string
  /** When the Workspace wakes. Without this, a user wakes the Workspace. */
  readonly wakeSchedule?: string
  /** The IANA name of the time zone of both; the default is UTC. */
  readonly timeZone?: string
}

/** Two schedules that were read, for {@link dueState}. */
export interface HibernationSchedules {
  readonly sleep: Schedule
  readonly wake: Schedule | undefined
}

/** The state that the schedules want now. */
export interface DueState {
  /** The newest time that came due, and what it wants; undefined if none came due. */
  readonly due: { readonly hibernated: boolean; readonly at: Date } | undefined
  /** When to ask again. */
  readonly nextAt: Date
}

/**
 * Reads the schedules of a Workspace. Throws a {@link ScheduleError} for one that cannot be read, for a wake schedule
 * without a sleep schedule, and for two equal ones.
 *
 * @example
 * const times = { schedule: '0 20 * * *', wakeSchedule: '0 7 * * mon-fri', timeZone: 'Asia/Tokyo' }
 * const schedules = parseHibernation(times)
 */
export function parseHibernation({
  schedule,
  wakeSchedule,
  timeZone,
}: HibernationTimes): HibernationSchedules {
  if (schedule.trim() === '' && wakeSchedule)
    throw new ScheduleError(wakeSchedule, 'a wakeSchedule needs a schedule, which says when to sleep')
  const sleep = parseSchedule(schedule, timeZone)
  const wake = wakeSchedule ? parseSchedule(wakeSchedule, timeZone) : undefined
  if (wake && wake.canonical === sleep.canonical)
    throw new ScheduleError(schedule, 'sleep and wake come due at the same times; change one of them')
  return { sleep, wake }
}

/**
 * Whether a time came due after `lastScheduleTime`, up to `now`. After a downtime only the newest one counts. A switch
 * by hand is not taken back before the next time comes due, because times up to `lastScheduleTime` are done. If both
 * schedules come due at the same time, the Workspace wakes.
 *
 * The caller stores `due.at` as the new `lastScheduleTime` together with the new state.
 *
 * @example
 * const { due, nextAt } = dueState(schedules, new Date(), lastScheduleTime)
 * if (due) await setHibernated(due.hibernated, due.at)
 */
export function dueState({ sleep, wake }: HibernationSchedules, now: Date, lastScheduleTime: Date): DueState {
  const newest = [
    { hibernated: true, at: sleep.latest(now) },
    ...(wake ? [{ hibernated: false, at: wake.latest(now) }] : []),
  ].reduce((one, other) => (other.at >= one.at ? other : one))
  const nextTimes = [sleep, wake].flatMap((schedule) => schedule?.next(now).getTime() ?? [])
  return { due: newest.at > lastScheduleTime ? newest : undefined, nextAt: new Date(Math.min(...nextTimes)) }
}
