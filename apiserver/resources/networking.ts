import { type ApiGroup, status } from './built-in.js'

/** The resources of `networking.k8s.io`. */
export const networking: ApiGroup = {
  group: 'networking.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'IngressClass', plural: 'ingressclasses', namespaced: false },
    { kind: 'Ingress', plural: 'ingresses', namespaced: true, shortNames: ['ing'], subresources: [status] },
    { kind: 'IPAddress', plural: 'ipaddresses', namespaced: false, shortNames: ['ip'] },
    { kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true, shortNames: ['netpol'] },
    { kind: 'ServiceCIDR', plural: 'servicecidrs', namespaced: false, subresources: [status] },
  ],
}
