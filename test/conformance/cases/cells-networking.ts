import type { Case, CaseGroup } from '../case.js'
import { labels } from '../samples.js'
import { shows } from '../shows.js'

const slice = { addressType: 'IPv4' }
const endpoint = (...addresses: string[]) => ({ addresses })
const backend = { service: { name: 's', port: { number: 80 } } }
const paths = [{ path: '/', pathType: 'Prefix', backend }]

const networking: readonly Case[] = [
  shows({
    name: 'a service with external addresses',
    resource: 'services',
    object: { spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.2', '192.0.2.1'] } },
    cells: { 'External-IP': '192.0.2.2,192.0.2.1' },
  }),
  shows({
    name: 'a service that waits for its load balancer',
    resource: 'services',
    object: { spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80 }] } },
    cells: { Type: 'LoadBalancer', 'External-IP': '<pending>', 'Port(s)': '80/TCP' },
  }),
  shows({
    name: 'a service with a load balancer',
    resource: 'services',
    object: { spec: { type: 'LoadBalancer', externalIPs: ['192.0.2.9'], ports: [{ port: 80 }] } },
    status: { loadBalancer: { ingress: [{ hostname: 'b.example.com' }, { ip: '192.0.2.1' }] } },
    cells: { 'External-IP': '192.0.2.1,b.example.com,192.0.2.9', 'Port(s)': /^80:3\d{4}\/TCP$/ },
  }),
  shows({
    name: 'a service without an address',
    resource: 'services',
    object: { spec: { clusterIP: 'None', selector: labels } },
    cells: { 'Cluster-IP': 'None', 'Port(s)': '<none>', Selector: 'app=a,tier=b' },
  }),
  shows({
    name: 'a service of type ExternalName',
    resource: 'services',
    object: { spec: { type: 'ExternalName', externalName: 'example.com' } },
    cells: { 'Cluster-IP': '<none>', 'External-IP': 'example.com' },
  }),
  shows({ name: 'no endpoints', resource: 'endpoints', cells: { Endpoints: '<none>' } }),
  shows({
    name: 'three endpoints, and the number of further ones',
    resource: 'endpoints',
    object: {
      subsets: [
        {
          addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }],
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 81 },
          ],
        },
        { addresses: [{ ip: '192.0.2.3' }] },
      ],
    },
    cells: { Endpoints: /^192.0.2.1:80,192.0.2.2:80,192.0.2.1:81 \+ 2 more...$/ },
  }),
  shows({
    resource: 'endpointslices',
    object: {
      ...slice,
      ports: [{ name: 'a', port: 80 }, { name: 'b' }, { name: 'c', port: 82 }, { name: 'd', port: 83 }],
      endpoints: [endpoint('192.0.2.1'), endpoint('192.0.2.2')],
    },
    cells: { AddressType: 'IPv4', Ports: '80,b,82 + 1 more...', Endpoints: '192.0.2.1,192.0.2.2' },
  }),
  shows({
    name: 'an empty endpoint slice',
    resource: 'endpointslices',
    object: { ...slice, ports: [], endpoints: [] },
    cells: { Ports: '<unset>', Endpoints: '<unset>' },
  }),
  shows({
    resource: 'ingresses',
    object: {
      spec: {
        ingressClassName: 'x',
        tls: [{ hosts: ['a.example.com'] }],
        rules: ['a', 'b', 'c', 'd', 'e'].map((each) => ({ host: `${each}.example.com`, http: { paths } })),
      },
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }, { ip: '192.0.2.1' }] } },
    cells: {
      Class: 'x',
      Hosts: 'a.example.com,b.example.com,c.example.com + 2 more...',
      Address: '192.0.2.1,192.0.2.2',
      Ports: '80, 443',
    },
  }),
  shows({
    resource: 'ingressclasses',
    object: {
      metadata: { name: 'a', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'P', name: 'p' } },
    },
    cells: { Name: 'a (default)', Controller: 'example.com/c', Parameters: 'P.example.com/p' },
  }),
  shows({
    resource: 'networkpolicies',
    object: { spec: { podSelector: {} } },
    cells: { 'Pod-Selector': '<none>' },
  }),
  shows({
    resource: 'ipaddresses',
    object: {
      metadata: {
        name: '192.0.2.7',
        labels: { 'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'm' },
      },
      spec: { parentRef: { group: 'apps', resource: 'things', namespace: 'n', name: 'x' } },
    },
    cells: { Age: undefined, ParentRef: 'things.apps/n/x' },
  }),
  shows({
    resource: 'servicecidrs',
    object: { spec: { cidrs: ['192.0.2.0/24'] } },
    cells: { CIDRs: '192.0.2.0/24' },
  }),
]

/** The columns of `kubectl get` for Services, endpoints and Ingresses. */
export const networkingCells: CaseGroup = {
  name: 'cells-networking',
  cases: [...networking],
}
