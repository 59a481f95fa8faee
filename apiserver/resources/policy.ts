import { type ApiGroup, status } from './built-in.js'

/** The resources of `policy`. */
export const policy: ApiGroup = {
  group: 'policy',
  version: 'v1',
  resources: [
    {
      kind: 'PodDisruptionBudget',
      plural: 'poddisruptionbudgets',
      namespaced: true,
      shortNames: ['pdb'],
      subresources: [status],
    },
  ],
}
