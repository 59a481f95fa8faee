import { fieldAt, recordOf } from '../base/object.js'

/** The quality of service of a pod: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
export function qosClassOf(spec: Readonly<Record<string, unknown>>): string {
  const containers = [spec.initContainers ?? [], spec.containers ?? []].flat()
  // Resources of the whole pod replace those of its containers.
  const holders = spec.resources === undefined ? containers : [spec]
  const resources = holders.map((each) => recordOf(recordOf(each).resources))
  const hasAny = resources.some(({ limits, requests }) =>
    countedResources.some((name) => isPositive(fieldAt(limits, name)) || isPositive(fieldAt(requests, name))),
  )
  if (!hasAny) return 'BestEffort'
  return resources.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

const countedResources = ['cpu', 'memory']

/** Quantities are in their shortest form when they are stored; none is negative. */
const isPositive = (quantity: unknown) => quantity !== undefined && quantity !== '0'

function isGuaranteed({ limits, requests }: Record<string, unknown>): boolean {
  return countedResources.every((name) => {
    const limit = fieldAt(limits, name)
    return isPositive(limit) && limit === fieldAt(requests, name)
  })
}
