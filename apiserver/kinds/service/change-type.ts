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
export function withoutFieldsOfOldType(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const dropped = droppedFields(spec, old)
  const keptSpec = Object.fromEntries(Object.entries(spec).filter(([name]) => !dropped.includes(name)))
  return closesPorts(spec, old) ? { ...keptSpec, ...withoutNodePorts(spec) } : keptSpec
}

/** The fields that only the old type has and that the request does not change. */
function droppedFields(spec: ServiceSpec, old: ServiceSpec): string[] {
  const isUnchanged = (name: keyof ServiceSpec) => jsonEqual(spec[name], old[name])
  const ifUnchanged = (names: readonly (keyof ServiceSpec)[]) => names.filter(isUnchanged)
  const dropped: string[] = []
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    if (isUnchanged('clusterIP') && isUnchanged('clusterIPs')) dropped.push('clusterIP', 'clusterIPs')
    dropped.push(...ifUnchanged(['ipFamilies', 'ipFamilyPolicy']))
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropped.push(...ifUnchanged(['healthCheckNodePort']))
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropped.push(...ifUnchanged(['allocateLoadBalancerNodePorts', 'loadBalancerClass']))
  }
  if (isReachableFromOutside(old) && !isReachableFromOutside(spec))
    dropped.push(...ifUnchanged(['externalTrafficPolicy']))
  return dropped
}

/** Whether the new type has no node ports, and the request sets no node port that the old spec did not have. */
function closesPorts(spec: ServiceSpec, old: ServiceSpec): boolean {
  if (!needsNodePorts(old) || needsNodePorts(spec)) return false
  const oldNodePorts = new Set(old.ports?.map(({ nodePort }) => nodePort))
  return spec.ports?.every(({ nodePort }) => nodePort === undefined || oldNodePorts.has(nodePort)) ?? false
}

function withoutNodePorts({ ports = [] }: ServiceSpec): Pick<ServiceSpec, 'ports'> {
  return { ports: ports.map(({ nodePort: _closed, ...port }) => port) }
}
