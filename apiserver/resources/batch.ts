import { type ApiGroup, status } from './built-in.js'

/** The resources of `batch`. */
export const batch: ApiGroup = {
  group: 'batch',
  version: 'v1',
  resources: [
    {
      kind: 'CronJob',
      plural: 'cronjobs',
      namespaced: true,
      shortNames: ['cj'],
      categories: ['all'],
      subresources: [status],
    },
    { kind: 'Job', plural: 'jobs', namespaced: true, categories: ['all'], subresources: [status] },
  ],
}
