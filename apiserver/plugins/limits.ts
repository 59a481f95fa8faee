import type { ResourceList } from '../kinds/pod-spec/spec.js'

/** One item of a LimitRange; `core/v1.LimitRangeItem`. */
export interface LimitItem {
  readonly type?: string
  readonly min?: ResourceList
  readonly max?: ResourceList
  readonly default?: ResourceList
  readonly defaultRequest?: ResourceList
  readonly maxLimitRequestRatio?: ResourceList
}

/** The requests and limits of containers without their own. */
export function containerDefaults(items: readonly LimitItem[]): Defaults {
  const ofContainers = items.filter(({ type }) => type === 'Container')
  return {
    requests: Object.assign({}, ...ofContainers.map(({ defaultRequest }) => defaultRequest)),
    limits: Object.assign({}, ...ofContainers.map((item) => item.default)),
  }
}

/** The resources that a container gets if it does not set them. */
export interface Defaults {
  readonly requests: ResourceList
  readonly limits: ResourceList
}
