import { type ApiGroup, type BuiltInResource, STATUS } from './built-in.js'

const horizontalPodAutoscalers: BuiltInResource = {
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: [STATUS],
}

/** The resources of `autoscaling/v2`. */
export const autoscaling: ApiGroup = {
  group: 'autoscaling',
  version: 'v2',
  resources: [horizontalPodAutoscalers],
}

/** The same in the form of `autoscaling/v1`, where CPU is the one metric. */
export const oldAutoscaling: ApiGroup = { ...autoscaling, version: 'v1' }
