import { ScheduleProblem } from './schedule-error.js'

/**
 * Throws a {@link ScheduleProblem} for a name that is not an IANA time zone. An offset such as `+01:00` is a time zone
 * for the runtime, but not an IANA one: it has no clock changes.
 */
export function checkTimeZone(name: string): void {
  if (/^[A-Za-z]/.test(name) && isKnown(name)) return
  throw new ScheduleProblem(`time zone ${JSON.stringify(name)} is not an IANA name such as "Europe/Berlin"`)
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone })
    return true
  } catch {
    return false
  }
}
