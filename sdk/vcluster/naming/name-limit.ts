import type { Resource } from '../../engine/kube/resource.js'

/**
 * The longest name of an object of a kind, in bytes. The limit for CronJobs is lower, because the names of their Jobs
 * are eleven characters longer.
 */
export function nameLimit({ group, plural }: Pick<Resource, 'group' | 'plural'>): number {
  return group === 'batch' && plural === 'cronjobs' ? 52 : 63
}
