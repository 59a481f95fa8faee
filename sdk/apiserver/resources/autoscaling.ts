import { type ApiGroup, STATUS } from './built-in.js'

/** The resources of `autoscaling`. */
export const autoscaling: ApiGroup = {
  group: 'autoscaling',
  version: 'v2',
  resources: [
    {
      kind: 'HorizontalPodAutoscaler',
      plural: 'horizontalpodautoscalers',
      namespaced: true,
      shortNames: ['hpa'],
      categories: ['all'],
      subresources: [STATUS],
    },
  ],
}
