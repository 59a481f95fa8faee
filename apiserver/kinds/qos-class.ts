import { fieldAt, recordOf } from '../base/object.js'

/** The quality of service of a pod: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
export function qosClassOf(spec: Readonly<Record<string, unknown>>): string {
  const containers = [spec.initContainers ?? [], spec.containers ?? []].flat()
  // Resources of the whole pod replace those of its containers.
  const holders = spec.resources === undefined ? containers : [spec]
  const resources = holders.map((each) => recordOf(recordOf(each).resources))
  const hasAny = resources.some(({ limits, requests }) =>
    [limits, requests].some((each) => Object.keys(recordOf(each)).some((name) => COUNTED.includes(name))),
  )
  if (!hasAny) return 'BestEffort'
  return resources.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

const COUNTED = ['cpu', 'memory']

function isGuaranteed({ limits, requests }: Record<string, unknown>): boolean {
  return COUNTED.every((name) => {
    const limit = fieldAt(limits, name)
    return limit !== undefined && limit === fieldAt(requests, name)
  })
}
