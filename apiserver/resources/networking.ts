import { type ApiGroup, STATUS } from './built-in.js'

/** The resources of `networking.k8s.io`. */
export const networking: ApiGroup = {
  group: 'networking.k8s.io',
  version: 'v1',
  resources: [
    { kind: 'IngressClass', plural: 'ingressclasses', namespaced: false },
    { kind: 'Ingress', plural: 'ingresses', namespaced: true, shortNames: ['ing'], subresources: [STATUS] },
    { kind: 'IPAddress', plural: 'ipaddresses', namespaced: false, shortNames: ['ip'] },
    { kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true, shortNames: ['netpol'] },
    { kind: 'ServiceCIDR', plural: 'servicecidrs', namespaced: false, subresources: [STATUS] },
  ],
}
