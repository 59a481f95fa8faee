import type { ApiGroup } from './built-in.js'

/** The resources of `authentication.k8s.io`. */
export const authentication: ApiGroup = {
  group: 'authentication.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', namespaced: false, verbs: ['create'] },
    { kind: 'TokenReview', plural: 'tokenreviews', namespaced: false, verbs: ['create'] },
  ],
}
