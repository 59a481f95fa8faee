import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type FieldError, forbiddenValue, invalidValue } from '../../validation/field-error.js'
import { qosClassOf } from '../qos-class.js'
import type { Container, PodSpec, ResourceList, Resources } from './spec.js'

const resizableResources = ['cpu', 'memory']
const lists = ['containers', 'initContainers'] as const

/**
 * The spec after a write to `/resize`: its resources and the resources and resize policies of its containers are taken
 * from the request, everything else is kept; `dropNonResizeUpdates` of Kubernetes v1.36.3.
 */
export function resizeSpec(requested: PodSpec, old: PodSpec): PodSpec {
  const next = lists.map((field) => [field, resizeContainers(requested[field], old[field])] as const)
  const { resources: _resources, ...kept } = old
  return {
    ...kept,
    ...(requested.resources === undefined ? {} : { resources: requested.resources }),
    ...Object.fromEntries(next.filter(([, list]) => list !== undefined)),
  }
}

/** Lists with other containers are returned as requested, because the validation rejects them. */
function resizeContainers(
  requested: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
): readonly Container[] | undefined {
  if (requested === undefined || old === undefined || requested.length !== old.length) return requested
  return old.map((container, index) => {
    const { resources, resizePolicy } = requested[index] ?? {}
    const { resources: _resources, resizePolicy: _policy, ...rest } = container
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    }
  })
}

/** Whether the resources of the pod or of any container change. */
export function isResized(next: PodSpec, old: PodSpec): boolean {
  return [...lists, 'resources' as const].some((field) => !jsonEqual(next[field], old[field]))
}

/** The errors of a resize; `ValidatePodResize` of Kubernetes v1.36.3. */
export function resizeErrors(spec: PodSpec, old: PodSpec, qosClass: string): FieldError[] {
  const changed = lists.filter((field) => (spec[field] ?? []).length !== (old[field] ?? []).length)
  if (changed.length > 0) {
    return changed.map((field) =>
      forbiddenValue(`spec.${field}`, 'containers may not be added or removed on resize'),
    )
  }
  const errors = lists.flatMap((field) => removalErrors(spec[field] ?? [], old[field] ?? [], `spec.${field}`))
  const isOther = qosClassOf({ ...spec }) !== qosClass
  const why = 'Pod QOS Class may not change as a result of resizing'
  const podErrors = podLevelErrors(spec.resources, old.resources)
  const all = [...(isOther ? [invalidValue('spec', qosClass, why)] : []), ...podErrors, ...errors]
  if (all.length > 0 || jsonEqual(fixedPart(spec), fixedPart(old))) return all
  return [forbiddenValue('spec', 'only cpu and memory resources are mutable')]
}

/** `validatePodLevelResourcesResize` of Kubernetes v1.36.3. */
function podLevelErrors(resources: Resources | undefined, old: Resources | undefined): FieldError[] {
  if (resources === undefined)
    return old === undefined
      ? []
      : [forbiddenValue('spec.resources', 'pod-level resources cannot be removed')]
  const removed = (['requests', 'limits'] as const).flatMap((list) =>
    isRemoved(resources[list], old?.[list])
      ? [forbiddenValue(`spec.resources.${list}`, `pod-level resource ${list} cannot be removed`)]
      : [],
  )
  const isOther = !jsonEqual(fixedResources(resources), fixedResources(old))
  const why = 'only cpu and memory resources are mutable at pod-level'
  return [...removed, ...(isOther ? [forbiddenValue('spec', why)] : [])]
}

function removalErrors(now: readonly Container[], before: readonly Container[], path: string): FieldError[] {
  return before.flatMap(({ resources: old = {} }, index) => {
    const { resources = {} } = now[index] ?? {}
    return (['requests', 'limits'] as const).flatMap((list) =>
      isRemoved(resources[list], old[list])
        ? [forbiddenValue(`${path}[${index}].resources.${list}`, `resource ${list} cannot be removed`)]
        : [],
    )
  })
}

function isRemoved(now: ResourceList = {}, before: ResourceList = {}): boolean {
  return resizableResources.some((name) => before[name] !== undefined && now[name] === undefined)
}

/** The part of a spec that no resize may change. */
function fixedPart({
  containers = [],
  initContainers = [],
  resources: _resources,
  ...rest
}: PodSpec): object {
  return {
    ...rest,
    containers: containers.map(fixedContainer),
    initContainers: initContainers.map(fixedContainer),
  }
}

function fixedContainer({ resources, ...container }: Container): object {
  return { ...container, resources: fixedResources(resources) }
}

function fixedResources({ limits, requests, ...claims }: Resources = {}): object {
  return { ...claims, limits: otherResources(limits), requests: otherResources(requests) }
}

function otherResources(list: ResourceList = {}): object {
  return Object.fromEntries(Object.entries(list).filter(([name]) => !resizableResources.includes(name)))
}
