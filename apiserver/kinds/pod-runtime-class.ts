import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
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
  const { runtimeClassName: name, overhead: given } = spec
  const found = name === undefined ? undefined : services.find(classes, '', String(name))
  if (name !== undefined && found === undefined) {
    throw refuse(`pod rejected: RuntimeClass ${JSON.stringify(name)} not found`)
  }
  const overhead = fieldAt(found, 'overhead', 'podFixed')
  if (overhead === undefined) {
    if (given === undefined) return withScheduling(spec, found, refuse)
    throw refuse('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
  }
  if (given !== undefined && Object.keys(recordOf(given)).length > 0 && !jsonEqual(given, overhead)) {
    throw refuse("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
  }
  return withScheduling({ ...spec, overhead }, found, refuse)
}

function withScheduling(spec: Spec, found: OpenObject | undefined, refuse: (why: string) => Error): Spec {
  const scheduling = fieldAt(found, 'scheduling')
  if (scheduling === undefined) return spec
  const { nodeSelector, tolerations } = recordOf(scheduling)
  const selector = mergeSelectors(recordOf(spec.nodeSelector), recordOf(nodeSelector), refuse)
  const own = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const added = Array.isArray(tolerations) ? tolerations : []
  const isNew = (toleration: unknown) => !own.some((each) => jsonEqual(each, toleration))
  return {
    ...spec,
    ...(Object.keys(selector).length === 0 ? {} : { nodeSelector: selector }),
    tolerations: [...own, ...added.filter(isNew)],
  }
}

function mergeSelectors(own: Spec, added: Spec, refuse: (why: string) => Error): Spec {
  for (const [key, value] of Object.entries(added)) {
    if (own[key] === undefined || own[key] === value) continue
    const place = 'runtimeClass.scheduling.nodeSelector'
    throw refuse(`conflict: ${place}[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`)
  }
  return { ...own, ...added }
}
