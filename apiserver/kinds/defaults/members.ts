import { recordOf } from '../../base/object.js'

/** The members of a JSON object. */
export type Members = Record<string, unknown>

/**
 * The defaults of one type: values for missing members, or a function of the whole value, which returns its
 * argument if nothing changes, and never modifies it.
 */
export type Defaults = Readonly<Members> | ((value: Members) => Members)

/** Whether a member counts as missing. */
export function isMissing(member: unknown): boolean {
  return member === undefined || member === null || member === ''
}

/** The value with a member, unless it has one. */
export function withMember(value: Members, name: string, member: unknown): Members {
  return isMissing(value[name]) ? { ...value, [name]: member } : value
}

/** The value with the defaults of its missing members. */
export function withMissingMembers(defaults: Readonly<Members>, value: unknown): Members {
  const members = recordOf(value)
  const missingNames = Object.keys(defaults).filter((name) => isMissing(members[name]))
  return { ...members, ...Object.fromEntries(missingNames.map((name) => [name, defaults[name]])) }
}
