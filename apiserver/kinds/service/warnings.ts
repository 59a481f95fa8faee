import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { isHeadless, type ServiceSpec } from './spec.js'

/** The warnings for a write of a Service; `GetWarningsForService` of Kubernetes v1.36.3. */
export function serviceWarnings(spec: ServiceSpec): string[] {
  const { type, externalName = '', trafficDistribution } = spec
  const unused = type !== 'ExternalName' && externalName !== ''
  return [
    ...headlessWarnings(spec),
    ...externalIpWarnings(spec),
    ...(unused ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
    ...(trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ]
}

/** The warnings for annotations of a created Service. */
export function annotationWarnings({ metadata }: KubeObject): string[] {
  if (metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] === undefined) return []
  return [
    'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
  ]
}

function headlessWarnings(spec: ServiceSpec): string[] {
  const { loadBalancerIP, externalIPs = [], sessionAffinity } = spec
  if (!isHeadless(spec) || spec.type !== 'ClusterIP') return []
  return [
    ...(loadBalancerIP === undefined ? [] : ['spec.loadBalancerIP is ignored for headless services']),
    ...(externalIPs.length === 0 ? [] : ['spec.externalIPs is ignored for headless services']),
    ...(sessionAffinity === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
  ]
}

function externalIpWarnings(spec: ServiceSpec): string[] {
  const { type, externalIPs = [] } = spec
  if (externalIPs.length === 0 || isHeadless(spec)) return []
  return type === 'ExternalName'
    ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
    : ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
}
