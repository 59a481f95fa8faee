import { isDnsLabel } from './dns-label.js'
import { dnsLabelPattern } from './label-syntax.js'

const maxGroupLength = 253
const groupName = new RegExp(`^${dnsLabelPattern}(\\.${dnsLabelPattern})*$`)

/** A group, which is empty for the kinds of the core, and one of its versions. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
}

/**
 * Reads an apiVersion: a version, or a group and a version. Returns undefined for any other text. Such a text could
 * become another request path, or could be read as different groups: `apps//v1` has the group `apps` if it is split at
 * its first slash, and none if it is split at its last. All comparisons of groups use this function.
 */
export function parseApiVersion(text: unknown): GroupVersion | undefined {
  if (typeof text !== 'string') return undefined
  const [version = '', group, ...more] = text.split('/').reverse()
  if (more.length > 0 || !isDnsLabel(version)) return undefined
  if (group === undefined) return { group: '', version }
  return group.length <= maxGroupLength && groupName.test(group) ? { group, version } : undefined
}

/** Whether a text is an apiVersion. */
export const isApiVersion = (text: string): boolean => parseApiVersion(text) !== undefined

/** The group of an apiVersion. Any other text is its own group, which neither rules nor kinds name. */
export function groupOfApiVersion(text: string | undefined): string {
  const { group } = parseApiVersion(text) ?? {}
  return group ?? `invalid apiVersion ${JSON.stringify(text ?? null)}`
}
