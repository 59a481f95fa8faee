import { canonicalJson } from '../../sdk/engine/kube/canonical-json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'

const setByServers: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'ownerReferences',
  'selfLink',
])
const allocatedByServers: ReadonlySet<string> = new Set([
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
])

/**
 * An object as canonical JSON without the metadata that an API server sets, the addresses and ports that it allocates,
 * and vcluster's labels and annotations.
 */
export function comparable(object: KubeObject, { withStatus }: { withStatus: boolean }): string {
  const { metadata, ...rest } = object
  const members = Object.entries({ ...rest, metadata: comparableMetadata(metadata) })
  const skipped = withStatus ? ['apiVersion', 'kind'] : ['apiVersion', 'kind', 'status']
  const keptMembers = Object.fromEntries(members.filter(([name]) => !skipped.includes(name)))
  return canonicalJson(
    'spec' in keptMembers ? { ...keptMembers, spec: withoutAllocations(keptMembers.spec) } : keptMembers,
  )
}

function comparableMetadata(metadata: KubeObject['metadata']): object {
  const { labels, annotations, ...rest } = metadata
  const keptMembers = Object.entries(rest).filter(([name]) => !setByServers.has(name))
  return Object.fromEntries([
    ...keptMembers,
    ['labels', withoutVClusterKeys(labels)],
    ['annotations', withoutVClusterKeys(annotations)],
  ])
}

const withoutVClusterKeys = (map: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !/^(?:plugin\.)?vcluster\.loft\.sh\//.test(key)))

function withoutAllocations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAllocations)
  if (typeof value !== 'object' || value === null) return value
  const keptMembers = Object.entries(value).filter(([name]) => !allocatedByServers.has(name))
  return Object.fromEntries(keptMembers.map(([name, member]) => [name, withoutAllocations(member)]))
}
