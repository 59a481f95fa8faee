import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

const ports = [{ name: 'web', port: 80 }]
const balancer = { type: 'LoadBalancer', ports }
const annotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const malformed = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
const onlyBalancers = "Forbidden: may only be used when `type` is 'LoadBalancer'"
const annotated = (text: string) => ({ name: 'a', annotations: { [annotation]: text } })

/** The ranges of addresses that may use a load balancer. */
export const serviceSourceRanges: CaseGroup = {
  name: 'service-source-ranges',
  cases: [
    refuses(
      'a source range must be valid, without spaces around it',
      'services',
      { kind: 'Service' },
      { spec: { ...balancer, loadBalancerSourceRanges: ['10.0.0.1', ' 10.0.0.0/8 ', 'x'] } },
      `spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1": ${malformed}`,
      `spec.LoadBalancerSourceRanges[2]: Invalid value: "x": ${malformed}`,
    ),
    refuses(
      'a Service of another type has no source ranges, which are checked nevertheless',
      'services',
      { kind: 'Service' },
      { spec: { ports, loadBalancerSourceRanges: ['x'] } },
      `spec.LoadBalancerSourceRanges: ${onlyBalancers}`,
      `spec.LoadBalancerSourceRanges[0]: Invalid value: "x": ${malformed}`,
    ),
    refuses(
      'source ranges in the annotation must be valid, and are for load balancers',
      'services',
      { kind: 'Service' },
      { metadata: annotated('10.0.0.0/8, y'), spec: { ports } },
      `metadata.annotations[${annotation}]: ${onlyBalancers}`,
      `metadata.annotations[${annotation}]: Invalid value: "y": ${malformed}`,
    ),
    {
      name: 'valid source ranges are accepted, and the annotation is not read if the spec has some',
      source: 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3',
      async run({ make }) {
        const spec = { ...balancer, loadBalancerSourceRanges: ['10.0.0.0/8', '2001:db8::/64'] }
        await make('services', { metadata: annotated('x'), spec })
      },
    },
  ],
}
