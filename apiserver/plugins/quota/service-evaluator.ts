import { type ServiceSpec, specOf } from '../../kinds/service/spec.js'
import type { Quantity } from '../../schema/quantity.js'
import { one, zero } from './amounts.js'
import type { Evaluator } from './evaluator.js'

const countName = 'count/services'
const quotaNames = [countName, 'services', 'services.loadbalancers', 'services.nodeports']

/** Counts Services, load balancers and node ports; `services.go` of Kubernetes v1.36.3. */
export const serviceEvaluator: Evaluator = {
  handles: ({ request: { target } }) => target.subresource === '',
  matching: (names) => names.filter((name) => quotaNames.includes(name)),
  isInScope: () => false,
  usage(service) {
    const spec = specOf(service)
    return {
      [countName]: one,
      services: one,
      'services.loadbalancers': spec.type === 'LoadBalancer' ? one : zero,
      'services.nodeports': quantityOfCount(nodePorts(spec)),
    }
  },
}

/** The ports that get a node port, also if it is not allocated yet. */
function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: ServiceSpec): number {
  if (type === 'NodePort') return ports.length
  if (type !== 'LoadBalancer') return 0
  const chosen = ports.filter(({ nodePort = 0 }) => nodePort !== 0)
  return allocateLoadBalancerNodePorts === false ? chosen.length : ports.length
}

const quantityOfCount = (count: number): Quantity => ({ ...one, nano: one.nano * BigInt(count) })
