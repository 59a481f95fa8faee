import { recordOf } from '../../base/object.js'

/** The members of a JSON object. */
export type Members = Record<string, unknown>

/**
 * What one type is given: values for members that are left out, or a function of the whole, which answers its
 * argument where nothing is to be done and never changes it.
 */
export type Defaults = Readonly<Members> | ((value: Members) => Members)

/** Whether a member says as much as one that is not there. */
export function isMissing(member: unknown): boolean {
  return member === undefined || member === null || member === ''
}

/** The value with a member, unless it has one. */
export function withMember(value: Members, name: string, member: unknown): Members {
  return isMissing(value[name]) ? { ...value, [name]: member } : value
}

/** The value with what it lacks of the defaults. */
export function completed(defaults: Readonly<Members>, value: unknown): Members {
  const given = recordOf(value)
  const missing = Object.keys(defaults).filter((name) => isMissing(given[name]))
  return { ...given, ...Object.fromEntries(missing.map((name) => [name, defaults[name]])) }
}
