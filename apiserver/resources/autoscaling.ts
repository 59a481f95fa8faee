import { type ApiGroup, type BuiltInResource, status } from './built-in.js'

const horizontalPodAutoscalers: BuiltInResource = {
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: [status],
}

/** The resources of `autoscaling/v2`. */
export const autoscaling: ApiGroup = {
  group: 'autoscaling',
  version: 'v2',
  resources: [horizontalPodAutoscalers],
}

/** The resources of `autoscaling/v1`, which has CPU as its only metric. */
export const oldAutoscaling: ApiGroup = { ...autoscaling, version: 'v1' }
