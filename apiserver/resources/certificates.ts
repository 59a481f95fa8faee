import { type ApiGroup, status } from './built-in.js'

/** The resources of `certificates.k8s.io`. */
export const certificates: ApiGroup = {
  group: 'certificates.k8s.io',
  version: 'v1',
  resources: [
    {
      kind: 'CertificateSigningRequest',
      plural: 'certificatesigningrequests',
      namespaced: false,
      shortNames: ['csr'],
      subresources: [{ name: 'approval', verbs: ['get', 'patch', 'update'] }, status],
    },
  ],
}
