import { type ApiGroup, status } from './built-in.js'

/** The resources of `admissionregistration.k8s.io`. */
export const admissionregistration: ApiGroup = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resources: [
    {
      kind: 'MutatingAdmissionPolicy',
      plural: 'mutatingadmissionpolicies',
      namespaced: false,
      categories: ['api-extensions'],
    },
    {
      kind: 'MutatingAdmissionPolicyBinding',
      plural: 'mutatingadmissionpolicybindings',
      namespaced: false,
      categories: ['api-extensions'],
    },
    {
      kind: 'MutatingWebhookConfiguration',
      plural: 'mutatingwebhookconfigurations',
      namespaced: false,
      categories: ['api-extensions'],
    },
    {
      kind: 'ValidatingAdmissionPolicy',
      plural: 'validatingadmissionpolicies',
      namespaced: false,
      categories: ['api-extensions'],
      subresources: [status],
    },
    {
      kind: 'ValidatingAdmissionPolicyBinding',
      plural: 'validatingadmissionpolicybindings',
      namespaced: false,
      categories: ['api-extensions'],
    },
    {
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      namespaced: false,
      categories: ['api-extensions'],
    },
  ],
}
