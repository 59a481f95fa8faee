import { type ApiGroup, status } from './built-in.js'

/** The resources of `apiextensions.k8s.io`. */
export const apiextensions: ApiGroup = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resources: [
    {
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      namespaced: false,
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      subresources: [status],
    },
  ],
}
