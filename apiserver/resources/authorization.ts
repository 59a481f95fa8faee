import type { ApiGroup } from './built-in.js'

/** The resources of `authorization.k8s.io`. */
export const authorization: ApiGroup = {
  group: 'authorization.k8s.io',
  version: 'v1',
  resources: [
    {
      kind: 'LocalSubjectAccessReview',
      plural: 'localsubjectaccessreviews',
      namespaced: true,
      verbs: ['create'],
    },
    {
      kind: 'SelfSubjectAccessReview',
      plural: 'selfsubjectaccessreviews',
      namespaced: false,
      verbs: ['create'],
    },
    {
      kind: 'SelfSubjectRulesReview',
      plural: 'selfsubjectrulesreviews',
      namespaced: false,
      verbs: ['create'],
    },
    { kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', namespaced: false, verbs: ['create'] },
  ],
}
