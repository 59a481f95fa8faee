import { type OpenObject, recordOf } from '../base/object.js'
import { withResources } from '../kinds/pod-spec/with-resources.js'
import { forbidden } from '../request/status.js'
import { limitProblems } from './limit-problems.js'
import { containerDefaults, type LimitItem } from './limits.js'
import type { AdmissionPlugin, PluginWrite } from './plugin.js'

/** `LimitRanger`: the defaults and limits of the LimitRanges of a namespace, for pods and claims. */
export const limitRanger: AdmissionPlugin = {
  storages: ['pods', 'persistentvolumeclaims'],
  mutate(write) {
    const { object, request } = write
    if (request.resource.storage !== 'pods' || request.target.subresource !== '') return
    for (const items of limitsOf(write)) withDefaults(object, items)
  },
  validate(write) {
    if (!isLimited(write)) return
    const { object, request } = write
    const { storage } = request.resource
    for (const items of limitsOf(write)) {
      const problems = limitProblems(storage, recordOf(object.spec), items)
      if (problems.length === 0) continue
      const why = problems.length === 1 ? String(problems[0]) : `[${problems.join(', ')}]`
      throw forbidden(request.resource, object.metadata.name ?? '', why)
    }
  },
}

/** New pods, resized pods, and claims that are not being deleted. */
function isLimited({ request: { resource, target }, operation, old }: PluginWrite): boolean {
  if (old?.metadata.deletionTimestamp !== undefined) return false
  if (resource.storage === 'pods')
    return operation === 'CREATE' ? target.subresource === '' : target.subresource === 'resize'
  return resource.storage === 'persistentvolumeclaims' && target.subresource === ''
}

/** The items of each LimitRange of the namespace. */
function* limitsOf({ request: { server, target } }: PluginWrite): Iterable<readonly LimitItem[]> {
  const ranges = server.store.collection('limitranges')
  if (ranges.size === 0) return
  for (const { object } of ranges.scan(`${target.namespace}/`)) {
    const { limits } = recordOf((object as OpenObject).spec)
    if (Array.isArray(limits)) yield limits
  }
}

const annotation = 'kubernetes.io/limit-ranger'

function withDefaults(pod: OpenObject, items: readonly LimitItem[]): void {
  const { spec, changes } = withResources(recordOf(pod.spec), containerDefaults(items))
  pod.spec = spec
  if (changes.length === 0) return
  const value = `LimitRanger plugin set: ${changes.join('; ')}`
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: value }
}
