import type { CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

/** Errors of networking. */
export const refusedNetworking: CaseGroup = {
  name: 'validation-networking',
  cases: [
    refuses(
      'a backend needs a Service or a resource',
      'ingresses',
      { kind: 'Ingress', group: 'networking.k8s.io' },
      { spec: { defaultBackend: {} } },
      'spec.defaultBackend: Invalid value: "": resource or service backend is required',
    ),
    refuses(
      'the Service of an Ingress needs a name and a port',
      'ingresses',
      { kind: 'Ingress', group: 'networking.k8s.io' },
      { spec: { defaultBackend: { service: {} } } },
      'spec.defaultBackend.service.name: Required value',
      'spec.defaultBackend: Required value: port name or number is required',
    ),
    refuses(
      'the port of an Ingress has either a name or a number',
      'ingresses',
      { kind: 'Ingress', group: 'networking.k8s.io' },
      { spec: { defaultBackend: { service: { name: 'A_', port: { name: 'x', number: 1 } } } } },
      "spec.defaultBackend.service.name: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
    ),
    refuses(
      'the host of a rule must be a DNS name',
      'ingresses',
      { kind: 'Ingress', group: 'networking.k8s.io' },
      {
        spec: {
          rules: [
            { host: '1.2.3.4' },
            { host: '*.a' },
            { host: '*a' },
            { host: 'A_' },
            { http: { paths: [] } },
          ],
        },
      },
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      "spec.rules[2].host: Invalid value: \"*a\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.rules[3].host: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.rules[4].http.paths: Required value',
    ),
    refuses(
      'a path needs a type',
      'ingresses',
      { kind: 'Ingress', group: 'networking.k8s.io' },
      {
        spec: {
          rules: [
            { http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 80 } } } }] } },
          ],
        },
      },
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ),
    refuses(
      'a path must be normalized',
      'ingresses',
      { kind: 'Ingress', group: 'networking.k8s.io' },
      {
        spec: {
          rules: [
            {
              http: {
                paths: [
                  {
                    path: '/a//b/../c%2f/.',
                    pathType: 'Prefix',
                    backend: { service: { name: 's', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      },
      'spec.rules[0].http.paths[0].path: Invalid value: "/a//b/../c%2f/.": must not contain \'//\'',
      'spec.rules[0].http.paths[0].path: Invalid value: "/a//b/../c%2f/.": must not contain \'/../\'',
      'spec.rules[0].http.paths[0].path: Invalid value: "/a//b/../c%2f/.": must not contain \'%2f\'',
      'spec.rules[0].http.paths[0].path: Invalid value: "/a//b/../c%2f/.": cannot end with \'/.\'',
    ),
    refuses(
      'the ports and peers of a NetworkPolicy must be valid',
      'networkpolicies',
      { kind: 'NetworkPolicy', group: 'networking.k8s.io' },
      {
        spec: {
          podSelector: {},
          ingress: [
            {
              ports: [
                { protocol: 'X' },
                { port: 0 },
                { port: 'A--' },
                { port: 5, endPort: 3 },
                { endPort: 3 },
                { port: 'a', endPort: 3 },
                { port: 5, endPort: 70000 },
              ],
              from: [
                {},
                { ipBlock: {} },
                { ipBlock: { cidr: 'x' } },
                {
                  ipBlock: { cidr: '10.0.0.0/8', except: ['x', '11.0.0.0/16', '10.0.0.0/8', '10.1.0.0/16'] },
                },
                { podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } },
              ],
            },
          ],
        },
      },
      'spec.ingress[0].ports[0].protocol: Unsupported value: "X": supported values: "TCP", "UDP", "SCTP"',
      'spec.ingress[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ingress[0].ports[2].port: Invalid value: "A--": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.ingress[0].ports[2].port: Invalid value: "A--": must contain at least one letter (a-z)',
      'spec.ingress[0].ports[2].port: Invalid value: "A--": must not contain consecutive hyphens',
      'spec.ingress[0].ports[2].port: Invalid value: "A--": must not begin or end with a hyphen',
      'spec.ingress[0].ports[3].endPort: Invalid value: 5: must be greater than or equal to `port`',
      'spec.ingress[0].ports[4].endPort: Invalid value: 3: may not be specified when `port` is not specified',
      'spec.ingress[0].ports[5].endPort: Invalid value: 3: may not be specified when `port` is non-numeric',
      'spec.ingress[0].ports[6].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.ingress[0].from[0]: Required value: must specify a peer',
      'spec.ingress[0].from[1].ipBlock.cidr: Required value',
      'spec.ingress[0].from[2].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.ingress[0].from[3].ipBlock.except[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      'spec.ingress[0].from[3].ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
      'spec.ingress[0].from[3].ipBlock.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      'spec.ingress[0].from[4]: Forbidden: may not specify both ipBlock and another peer',
    ),
    refuses(
      'the type of a NetworkPolicy must be Ingress or Egress',
      'networkpolicies',
      { kind: 'NetworkPolicy', group: 'networking.k8s.io' },
      { spec: { podSelector: {}, policyTypes: ['X'] } },
      'spec.policyTypes[0]: Unsupported value: "X": supported values: "Ingress", "Egress"',
    ),
    refuses(
      'a budget has either a minimum or a maximum',
      'poddisruptionbudgets',
      { kind: 'PodDisruptionBudget', group: 'policy' },
      { spec: { minAvailable: 1, maxUnavailable: 1 } },
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ),
    refuses(
      'a budget is at most 100%',
      'poddisruptionbudgets',
      { kind: 'PodDisruptionBudget', group: 'policy' },
      { spec: { maxUnavailable: '101%' } },
      'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ),
  ],
}
