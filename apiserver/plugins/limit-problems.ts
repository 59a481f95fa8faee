import { podTotals } from '../kinds/pod-spec/pod-totals.js'
import type { Container, PodSpec, ResourceList } from '../kinds/pod-spec/spec.js'
import { parseQuantity } from '../schema/quantity.js'
import type { LimitItem } from './limits.js'

/** The resources of a container, pod or claim. */
interface TypedResources {
  readonly type: string
  readonly requests: ResourceList
  readonly limits: ResourceList
}

/** The reasons why a pod or claim does not fit a LimitRange; `admission.go` of `limitranger`, Kubernetes v1.36.3. */
export function limitProblems(
  storage: string,
  spec: Record<string, unknown>,
  items: readonly LimitItem[],
): string[] {
  return items.flatMap((item) => (storage === 'pods' ? podProblems(spec, item) : claimProblems(spec, item)))
}

function claimProblems({ resources }: PodSpec, { type, min = {}, max = {} }: LimitItem): string[] {
  if (type !== 'PersistentVolumeClaim') return []
  const requested = { type, requests: resources?.requests ?? {}, limits: {} }
  return [
    ...problemsOfBounds(min, (name, bound) => minProblem(requested, name, bound)),
    ...problemsOfBounds(max, (name, bound) => maxRequestProblem(requested, name, bound)),
  ]
}

function podProblems(spec: PodSpec, item: LimitItem): string[] {
  if (item.type === 'Pod') {
    const requested = {
      type: 'Pod',
      requests: podTotals(spec, 'requests'),
      limits: podTotals(spec, 'limits'),
    }
    return problemsOf(requested, item)
  }
  if (item.type !== 'Container') return []
  const { containers = [], initContainers = [] } = spec
  return [...containers, ...initContainers].flatMap((container) => problemsOf(requestedBy(container), item))
}

const requestedBy = ({ resources }: Container): TypedResources => ({
  type: 'Container',
  requests: resources?.requests ?? {},
  limits: resources?.limits ?? {},
})

function problemsOf(
  requested: TypedResources,
  { min = {}, max = {}, maxLimitRequestRatio = {} }: LimitItem,
): string[] {
  return [
    ...problemsOfBounds(min, (name, bound) => minProblem(requested, name, bound)),
    ...problemsOfBounds(max, (name, bound) => maxProblem(requested, name, bound)),
    ...problemsOfBounds(maxLimitRequestRatio, (name, bound) => ratioProblem(requested, name, bound)),
  ]
}

function problemsOfBounds(
  bounds: ResourceList,
  problem: (name: string, bound: string) => string | undefined,
): string[] {
  return Object.entries(bounds).flatMap(([name, bound]) => problem(name, bound) ?? [])
}

/** A quantity in thousandths, rounded up, which is the precision of the comparison. */
function milliAmount(text: string | undefined): bigint {
  if (text === undefined) return 0n
  const { nano } = parseQuantity(text)
  return nano >= 0n ? (nano + 999_999n) / 1_000_000n : nano / 1_000_000n
}

function minProblem(
  { type, requests, limits }: TypedResources,
  name: string,
  bound: string,
): string | undefined {
  const [request, limit] = [requests[name], limits[name]]
  const rule = `minimum ${name} usage per ${type} is ${bound}`
  if (request === undefined) return `${rule}.  No request is specified`
  if (milliAmount(request) < milliAmount(bound)) return `${rule}, but request is ${request}`
  return limit !== undefined && milliAmount(limit) < milliAmount(bound)
    ? `${rule}, but limit is ${limit}`
    : undefined
}

function maxRequestProblem(
  { type, requests }: TypedResources,
  name: string,
  bound: string,
): string | undefined {
  const request = requests[name]
  const rule = `maximum ${name} usage per ${type} is ${bound}`
  if (request === undefined) return `${rule}.  No request is specified`
  return milliAmount(request) > milliAmount(bound) ? `${rule}, but request is ${request}` : undefined
}

function maxProblem(
  { type, requests, limits }: TypedResources,
  name: string,
  bound: string,
): string | undefined {
  const [request, limit] = [requests[name], limits[name]]
  const rule = `maximum ${name} usage per ${type} is ${bound}`
  if (limit === undefined) return `${rule}.  No limit is specified`
  if (milliAmount(limit) > milliAmount(bound)) return `${rule}, but limit is ${limit}`
  return request !== undefined && milliAmount(request) > milliAmount(bound)
    ? `${rule}, but request is ${request}`
    : undefined
}

function ratioProblem(
  { type, requests, limits }: TypedResources,
  name: string,
  bound: string,
): string | undefined {
  const [request, limit] = [milliAmount(requests[name]), milliAmount(limits[name])]
  const rule = `${name} max limit to request ratio per ${type} is ${bound}`
  if (request === 0n) return `${rule}, but no request is specified or request is 0`
  if (limit === 0n) return `${rule}, but no limit is specified or limit is 0`
  const ratio = Number(limit) / Number(request)
  return ratio * 1000 > Number(milliAmount(bound))
    ? `${rule}, but provided ratio is ${ratio.toFixed(6)}`
    : undefined
}
