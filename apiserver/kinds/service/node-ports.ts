import type { Pool } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import type { PreparedSpec } from './addresses.js'
import { needsHealthCheck, needsNodePorts, type ServicePort, type ServiceSpec } from './spec.js'

/** Allocates the node ports and the health check port of a Service, and keeps ports that an update omits. */
export function withNodePorts(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  pool: Pool<number>,
): PreparedSpec {
  const keptSpec = old === undefined ? spec : withOldPorts(spec, old)
  const openedNodePorts = needsNodePorts(keptSpec)
    ? withAllocatedPorts(keptSpec, old, pool)
    : { spec: keptSpec, errors: [] }
  if (openedNodePorts.errors.length > 0) return openedNodePorts
  return withHealthCheck(openedNodePorts.spec, old, pool)
}

const opened = (ports: readonly ServicePort[] = []) =>
  ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]))

/** A load balancer may have no node ports. */
function getsNodePorts({ type, allocateLoadBalancerNodePorts = true }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts)
}

/** Sets node ports that an update omits, each from the old port of the same name, unless another port uses it now. */
function withOldPorts(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  if (!getsNodePorts(old) || !getsNodePorts(spec)) return spec
  const requestedPorts = opened(spec.ports)
  const ports = spec.ports?.map((port) => {
    const before = old.ports?.findLast(({ name = '' }) => name === (port.name ?? ''))?.nodePort ?? 0
    const isKept = (port.nodePort ?? 0) === 0 && before !== 0 && !requestedPorts.includes(before)
    return isKept ? { ...port, nodePort: before } : port
  })
  const healthCheck = spec.healthCheckNodePort ?? old.healthCheckNodePort
  const isChecked = needsHealthCheck(old) && needsHealthCheck(spec) && healthCheck !== undefined
  return {
    ...spec,
    ...(ports === undefined ? {} : { ports }),
    ...(isChecked ? { healthCheckNodePort: healthCheck } : {}),
  }
}

function withAllocatedPorts(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  pool: Pool<number>,
): PreparedSpec {
  const { ports = [] } = spec
  const isAutomatic = getsNodePorts(spec)
  const ownPorts = new Set(opened(old?.ports))
  const taken = new Set<number>()
  const shared = new Map<number, number>()
  const errors: FieldError[] = []
  const allocatedPorts = ports.map((port, index) => {
    const requested = port.nodePort ?? (old === undefined ? requestedNodePort(port, ports) : 0)
    if (requested === 0 && !isAutomatic) return port
    const isOwn = ownPorts.has(requested) || shared.get(port.port) === requested
    const problem =
      requested === 0 || isOwn ? undefined : taken.has(requested) ? alreadyAllocated : pool.problem(requested)
    if (problem !== undefined) errors.push(invalidValue(`spec.ports[${index}].nodePort`, requested, problem))
    const nodePort =
      requested ||
      (old === undefined && shared.get(port.port)) ||
      pool.allocate(new Set([...taken, ...opened(ports)]))
    taken.add(nodePort)
    shared.set(port.port, nodePort)
    return { ...port, nodePort }
  })
  // The real server stops at the first error.
  return { spec: { ...spec, ports: allocatedPorts }, errors: errors.slice(0, 1) }
}

const alreadyAllocated = 'provided port is already allocated'

/** The requested node port of a port; 0 for none. Ports with the same number and other protocols share a node port. */
function requestedNodePort({ port }: ServicePort, ports: readonly ServicePort[]): number {
  return ports.find((other) => other.port === port && (other.nodePort ?? 0) !== 0)?.nodePort ?? 0
}

function withHealthCheck(spec: ServiceSpec, old: ServiceSpec | undefined, pool: Pool<number>): PreparedSpec {
  const isNew = needsHealthCheck(spec) && !(old !== undefined && needsHealthCheck(old))
  if (!isNew || spec.healthCheckNodePort !== undefined) return { spec, errors: [] }
  return { spec: { ...spec, healthCheckNodePort: pool.allocate(new Set(opened(spec.ports))) }, errors: [] }
}
