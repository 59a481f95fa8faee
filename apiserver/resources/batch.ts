import { type ApiGroup, STATUS } from './built-in.js'

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
      subresources: [STATUS],
    },
    { kind: 'Job', plural: 'jobs', namespaced: true, categories: ['all'], subresources: [STATUS] },
  ],
}
