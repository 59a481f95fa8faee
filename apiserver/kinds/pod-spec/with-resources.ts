import type { Container, PodSpec, ResourceList, Resources } from './spec.js'

/** A pod with the resources that were missing in its containers, and a text for each change. */
export interface CompletedPod {
  readonly spec: Record<string, unknown>
  readonly changes: readonly string[]
}

/** Sets requests and limits that the containers of a pod lack; `mergePodResourceRequirements` of Kubernetes v1.36.3. */
export function withResources(
  spec: PodSpec & Record<string, unknown>,
  defaults: Required<Pick<Resources, 'requests' | 'limits'>>,
): CompletedPod {
  const changes: string[] = []
  const complete = (containers: readonly Container[] | undefined, kind: string) =>
    containers?.map((container) => {
      const requests = missingNames(container.resources?.requests, defaults.requests)
      const limits = missingNames(container.resources?.limits, defaults.limits)
      if (requests.length > 0) changes.push(`${requests.join(', ')} request for ${kind} ${container.name}`)
      if (limits.length > 0) changes.push(`${limits.join(', ')} limit for ${kind} ${container.name}`)
      return requests.length + limits.length === 0 ? container : completeContainer(container, defaults)
    })
  const containers = complete(spec.containers, 'container')
  const initContainers = complete(spec.initContainers, 'init container')
  return {
    spec: { ...spec, ...(containers && { containers }), ...(initContainers && { initContainers }) },
    changes,
  }
}

const missingNames = (ownAmounts: ResourceList = {}, defaults: ResourceList) =>
  Object.keys(defaults)
    .filter((name) => ownAmounts[name] === undefined)
    .sort()

function completeContainer(
  container: Container,
  { requests, limits }: Required<Pick<Resources, 'requests' | 'limits'>>,
): Container {
  const ownResources = container.resources ?? {}
  const filled = {
    limits: { ...limits, ...ownResources.limits },
    requests: { ...requests, ...ownResources.requests },
  }
  const nonEmpty = Object.entries(filled).filter(([, list]) => Object.keys(list).length > 0)
  return { ...container, resources: { ...ownResources, ...Object.fromEntries(nonEmpty) } }
}
