import { type OpenObject, recordOf } from '../../base/object.js'

/** A port of a Service, in the format of `core/v1`. */
export interface ServicePort {
  readonly name?: string
  readonly protocol?: string
  readonly appProtocol?: string
  readonly port: number
  readonly targetPort?: number | string
  readonly nodePort?: number
}

/** The fields of a Service's spec that the rules read; the decoder has checked the types. */
export interface ServiceSpec {
  readonly type?: string
  readonly ports?: readonly ServicePort[]
  readonly selector?: Readonly<Record<string, string>>
  readonly clusterIP?: string
  readonly clusterIPs?: readonly string[]
  readonly ipFamilies?: readonly string[]
  readonly ipFamilyPolicy?: string
  readonly externalIPs?: readonly string[]
  readonly externalName?: string
  readonly externalTrafficPolicy?: string
  readonly internalTrafficPolicy?: string
  readonly healthCheckNodePort?: number
  readonly sessionAffinity?: string
  readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } }
  readonly allocateLoadBalancerNodePorts?: boolean
  readonly loadBalancerClass?: string
  readonly loadBalancerIP?: string
  readonly loadBalancerSourceRanges?: readonly string[]
  readonly trafficDistribution?: string
}

/** The spec of a Service. */
export function specOf(service: OpenObject): ServiceSpec {
  return recordOf(service.spec)
}

/** Sets the spec, without `undefined` members. */
export function setSpec(service: OpenObject, spec: ServiceSpec): void {
  service.spec = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined))
}

/** Whether a Service has no address, so that its name resolves to the addresses of its pods. */
export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === 'None'
}

/** Whether a Service has a cluster IP, or `None` in its place. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName'
}

/** Whether the ports of a Service are open on every node. */
export function needsNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

/** Whether a load balancer checks each node for its pods. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

/** Whether the type or the addresses of a Service make it reachable from outside the cluster. */
export function isReachableFromOutside({ type, externalIPs = [] }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && externalIPs.length > 0)
}
