/** Resources of a pod as a whole; `validatePodResources` and `defaultPodRequests` of Kubernetes v1.36.3. */
import { recordOf } from '../../base/object.js'
import { ownEntry } from '../../base/own-entry.js'
import { formatQuantity, parseQuantity } from '../../schema/quantity.js'
import { type FieldError, forbiddenValue, invalidValue } from '../../validation/field-error.js'
import { usedClaimErrors } from './claim-name-errors.js'
import { containerTotals, isOfPods } from './pod-totals.js'
import { hugePageErrors, podResourceNameErrors, resourceErrors } from './resource-errors.js'
import type { PodSpec } from './spec.js'

const noClaims = 'claims may not be set for Resources at pod-level'

/** Checks the resources of a pod as a whole. */
export function podResourceErrors(spec: PodSpec, claims: ReadonlySet<string>, path: string): FieldError[] {
  const { resources, os } = spec
  if (resources === undefined) return []
  if (os?.name === 'windows') return [forbiddenValue(path, 'may not be set for a windows pod')]
  return [
    ...(resources.claims === undefined ? [] : [forbiddenValue(`${path}.claims`, noClaims)]),
    ...resourceErrors(resources, path, podResourceNameErrors),
    ...hugePageErrors(resources, path),
    ...usedClaimErrors(resources.claims ?? [], claims, `${path}.claims`),
    ...requestErrors(spec, `${path}.requests`),
    ...limitErrors(spec, path),
  ]
}

function requestErrors(spec: PodSpec, path: string): FieldError[] {
  const requests = spec.resources?.requests ?? {}
  return Object.entries(containerTotals(spec, 'requests')).flatMap(([name, sum]) => {
    const podRequest = ownEntry(requests, name)
    if (podRequest === undefined || parseQuantity(podRequest).nano >= sum.nano) return []
    const why = `must be greater than or equal to aggregate container requests of ${formatQuantity(sum)}`
    return [invalidValue(`${path}[${name}]`, podRequest, why)]
  })
}

function limitErrors({ containers = [], resources }: PodSpec, path: string): FieldError[] {
  const limits = resources?.limits ?? {}
  return containers.flatMap((container, index) =>
    Object.entries(container.resources?.limits ?? {}).flatMap(([name, limit]) => {
      const podLimit = ownEntry(limits, name)
      if (podLimit === undefined || parseQuantity(limit).nano <= parseQuantity(podLimit).nano) return []
      const why = `must be less than or equal to pod limits of ${podLimit}`
      return [invalidValue(`${path}.containers[${index}][${name}].limits`, limit, why)]
    }),
  )
}

/** Sets missing requests of a pod that has limits: the total of its containers' requests, otherwise the limits. */
export function withPodRequests(spec: Record<string, unknown>): Record<string, unknown> {
  const podResources: NonNullable<PodSpec['resources']> = recordOf(spec.resources)
  if (Object.keys(podResources.limits ?? {}).length === 0) return spec
  const sums = Object.entries(containerTotals(spec, 'requests')).filter(
    ([name]) => name === 'cpu' || name === 'memory',
  )
  const ofContainers = Object.fromEntries(sums.map(([name, sum]) => [name, formatQuantity(sum)]))
  const limits = Object.entries(podResources.limits ?? {}).filter(([name]) => isOfPods(name))
  const requests = { ...Object.fromEntries(limits), ...ofContainers, ...podResources.requests }
  return Object.keys(requests).length === 0 ? spec : { ...spec, resources: { ...podResources, requests } }
}
