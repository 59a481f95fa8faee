import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import { forbidden } from '../request/status.js'
import type { KindServices } from '../resources/kind-rules.js'

type Spec = Record<string, unknown>

const classes = 'runtimeclasses.node.k8s.io'

/**
 * Sets the overhead, node selector and tolerations of a new pod from its runtime class; `RuntimeClass`.
 * Throws 403.
 */
export function withRuntimeClass({ metadata }: OpenObject, spec: Spec, services: KindServices): Spec {
  const refuse = (why: string) => forbidden({ group: '', plural: 'pods' }, metadata.name ?? '', why)
  const { runtimeClassName: name, overhead: givenOverhead } = spec
  const runtimeClass = name === undefined ? undefined : services.find(classes, '', String(name))
  if (name !== undefined && runtimeClass === undefined) {
    throw refuse(`pod rejected: RuntimeClass ${JSON.stringify(name)} not found`)
  }
  const overhead = fieldAt(runtimeClass, 'overhead', 'podFixed')
  if (overhead === undefined) {
    if (givenOverhead === undefined) return withScheduling(spec, runtimeClass, refuse)
    throw refuse('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
  }
  if (
    givenOverhead !== undefined &&
    Object.keys(recordOf(givenOverhead)).length > 0 &&
    !jsonEqual(givenOverhead, overhead)
  ) {
    throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
  }
  return withScheduling({ ...spec, overhead }, runtimeClass, refuse)
}

function withScheduling(
  spec: Spec,
  runtimeClass: OpenObject | undefined,
  refuse: (why: string) => Error,
): Spec {
  const scheduling = fieldAt(runtimeClass, 'scheduling')
  if (scheduling === undefined) return spec
  const { nodeSelector, tolerations } = recordOf(scheduling)
  const selector = mergeSelectors(recordOf(spec.nodeSelector), recordOf(nodeSelector), refuse)
  const ownTolerations = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const added = Array.isArray(tolerations) ? tolerations : []
  const isNew = (toleration: unknown) => !ownTolerations.some((each) => jsonEqual(each, toleration))
  return {
    ...spec,
    ...(Object.keys(selector).length === 0 ? {} : { nodeSelector: selector }),
    tolerations: [...ownTolerations, ...added.filter(isNew)],
  }
}

function mergeSelectors(podSelector: Spec, added: Spec, refuse: (why: string) => Error): Spec {
  for (const [key, value] of Object.entries(added)) {
    const own = ownEntry(podSelector, key)
    if (own === undefined || own === value) continue
    const selectorPath = 'runtimeClass.scheduling.nodeSelector'
    throw refuse(`conflict: ${selectorPath}[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`)
  }
  return { ...podSelector, ...added }
}
