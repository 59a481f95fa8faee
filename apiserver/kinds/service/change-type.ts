import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import {
  isReachableFromOutside,
  needsClusterIp,
  needsHealthCheck,
  needsNodePorts,
  type ServiceSpec,
} from './spec.js'

/**
 * Removes fields that only the old type of a Service has, unless the client changed them in the same request:
 * `dropTypeDependentFields` in `pkg/registry/core/service/strategy.go` of Kubernetes v1.36.3.
 */
export function withoutOldType(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const dropped = droppedFields(spec, old)
  const keptSpec = Object.fromEntries(Object.entries(spec).filter(([name]) => !dropped.includes(name)))
  return closesPorts(spec, old) ? { ...keptSpec, ...withoutNodePorts(spec) } : keptSpec
}

function droppedFields(spec: ServiceSpec, old: ServiceSpec): string[] {
  const isSame = (name: keyof ServiceSpec) => jsonEqual(spec[name], old[name])
  const unless = (names: readonly (keyof ServiceSpec)[]) => names.filter(isSame)
  const dropped: string[] = []
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    if (isSame('clusterIP') && isSame('clusterIPs')) dropped.push('clusterIP', 'clusterIPs')
    dropped.push(...unless(['ipFamilies', 'ipFamilyPolicy']))
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropped.push(...unless(['healthCheckNodePort']))
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropped.push(...unless(['allocateLoadBalancerNodePorts', 'loadBalancerClass']))
  }
  if (isReachableFromOutside(old) && !isReachableFromOutside(spec))
    dropped.push(...unless(['externalTrafficPolicy']))
  return dropped
}

function closesPorts(spec: ServiceSpec, old: ServiceSpec): boolean {
  if (!needsNodePorts(old) || needsNodePorts(spec)) return false
  const before = new Set(old.ports?.map(({ nodePort }) => nodePort))
  return spec.ports?.every(({ nodePort }) => nodePort === undefined || before.has(nodePort)) ?? false
}

function withoutNodePorts({ ports = [] }: ServiceSpec): Pick<ServiceSpec, 'ports'> {
  return { ports: ports.map(({ nodePort: _closed, ...port }) => port) }
}
