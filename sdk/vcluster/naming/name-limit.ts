import type { Resource } from '../../engine/kube/resource.js'

/**
 * The longest name of an object of a kind, in bytes. The API server accepts no longer name of a CronJob, because the
 * names of its Jobs have eleven characters more.
 */
export function nameLimit({ group, plural }: Pick<Resource, 'group' | 'plural'>): number {
  return group === 'batch' && plural === 'cronjobs' ? 52 : 63
}
