import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { podTotals } from '../../kinds/pod-spec/pod-totals.js'
import type { Container, PodSpec, ResourceList } from '../../kinds/pod-spec/spec.js'
import type { PluginWrite } from '../plugin.js'
import { type Amounts, add, amountsOf, one } from './amounts.js'
import type { Evaluator } from './evaluator.js'
import { isTerminating, podIsInScope } from './pod-scopes.js'

const computeResources = ['cpu', 'memory', 'ephemeral-storage']
const count = 'count/pods'
/** The names in quotas that limit pods, except the names of huge pages and extended resources. */
const quotaNames = new Set([
  count,
  'pods',
  ...computeResources.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
])
const requestsPrefix = 'requests.'
/** The names that each container must set a value for if a quota limits them. */
const requiredNames = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory']

/** Counts pods and their requests and limits; `pkg/quota/v1/evaluator/core/pods.go` of Kubernetes v1.36.3. */
export const podEvaluator: Evaluator = {
  handles({ request: { target }, operation, object, old }: PluginWrite) {
    if (target.subresource === 'resize') return true
    if (target.subresource !== '') return false
    return operation === 'CREATE' || (old !== undefined && isTerminating(old) !== isTerminating(object))
  },
  matching: (names) => names.filter((name) => quotaNames.has(name) || isHugePages(name) || isExtended(name)),
  usage(pod, now) {
    const counted = { [count]: one }
    return isAlive(pod, now) ? add(counted, countedAmounts(withOverhead(recordOf(pod.spec)))) : counted
  },
  isInScope: podIsInScope,
  problem: missingResources,
}

const isHugePages = (name: string) => name.startsWith('hugepages-') || name.startsWith('requests.hugepages-')

/** `requests.` of a resource that is not Kubernetes' own. */
function isExtended(name: string): boolean {
  return name.startsWith(requestsPrefix) && isForeignName(name.slice(requestsPrefix.length))
}

const isForeignName = (name: string) => name.includes('/') && !name.includes('kubernetes.io/')

/** Whether a pod uses resources: it has neither ended nor exceeded its grace period. */
function isAlive({ metadata, status }: OpenObject, now: Date): boolean {
  const phase = textAt(status, 'phase')
  if (phase === 'Failed' || phase === 'Succeeded') return false
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true
  const endMs = Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000
  return now.getTime() <= endMs
}

/** Sums the resources of a pod: those of its containers, and its overhead. */
function withOverhead(spec: PodSpec & { readonly overhead?: ResourceList }): RequestsAndLimits {
  const overhead = amountsOf(spec.overhead)
  const limits = amountsOf(podTotals(spec, 'limits'))
  const limited = Object.entries(overhead).filter(([name]) => limits[name] !== undefined)
  return {
    requests: add(amountsOf(podTotals(spec, 'requests')), overhead),
    limits: add(limits, Object.fromEntries(limited)),
  }
}

/** The resources of a pod or container. */
interface RequestsAndLimits {
  readonly requests: Amounts
  readonly limits: Amounts
}

function countedAmounts({ requests, limits }: RequestsAndLimits): Amounts {
  const entries = Object.entries(requests).flatMap(([name, amount]) => {
    const isPlain = computeResources.includes(name) || name.startsWith('hugepages-')
    if (!isPlain && !isForeignName(name)) return []
    return [...(isPlain ? [[name, amount] as const] : []), [`${requestsPrefix}${name}`, amount] as const]
  })
  const limited = computeResources.flatMap((name) => {
    const amount = limits[name]
    return amount === undefined ? [] : [[`limits.${name}`, amount] as const]
  })
  return { pods: one, ...Object.fromEntries([...entries, ...limited]) }
}

/** The text about containers that do not set resources which the quota counts; undefined if all do. */
function missingResources(names: readonly string[], pod: OpenObject): string | undefined {
  if (fieldAt(pod, 'spec', 'resources') !== undefined) return undefined
  const { containers = [], initContainers = [] }: PodSpec = recordOf(pod.spec)
  const texts = requiredNames
    .filter((name) => names.includes(name))
    .flatMap((required) => {
      const without = [...containers, ...initContainers].filter(
        (container) => !setsResource(container, required),
      )
      const containerNames = [...new Set(without.map(({ name = '' }) => name))].sort()
      return containerNames.length === 0 ? [] : [`${required} for: ${containerNames.join(',')}`]
    })
  return texts.length === 0 ? undefined : `must specify ${texts.join('; ')}`
}

function setsResource({ resources }: Container, required: string): boolean {
  const requested = { requests: amountsOf(resources?.requests), limits: amountsOf(resources?.limits) }
  return required in countedAmounts(requested)
}
