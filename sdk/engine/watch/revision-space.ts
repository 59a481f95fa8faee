import type { Resource } from '../kube/resource.js'

/**
 * Names the store that counts the resourceVersions of a resource: resources of one space can be compared with each
 * other.
 *
 * A kube-apiserver keeps all built-in kinds in one etcd, except Events, which large clusters keep in another etcd
 * (`--etcd-servers-overrides`). Any other group may be served by an aggregated API server with its own store, so each
 * is a separate space.
 */
export function revisionSpace({ group, plural }: Pick<Resource, 'group' | 'plural'>): string {
  if (plural === 'events' && (group === '' || group === 'events.k8s.io')) return 'events'
  return group.includes('.') && !group.endsWith('.k8s.io') ? group : 'built-in'
}
