import type { Case, CaseGroup } from '../case.js'

const validation = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const allocation = 'k8s.io/kubernetes pkg/registry/core/service/storage/alloc.go @ v1.36.3'
const strategy = 'k8s.io/kubernetes pkg/registry/core/service/strategy.go @ v1.36.3'
const ports = [{ name: 'web', port: 80 }]
const nodePort = { type: 'NodePort', ports }
const balancer = { type: 'LoadBalancer', ports }
const external = { type: 'ExternalName', externalName: 'example.com' }
const firstDigit = 3

/** An invalid spec of a Service. */
const refuses = (name: string, spec: object, ...because: string[]): Case => ({
  name,
  source: validation,
  async run({ post, expect }) {
    const answer = await post('services', { metadata: { name: 'a' }, spec })
    expect.invalid(answer, { kind: 'Service', name: 'a', because: because.map((each) => `spec.${each}`) })
  },
})

/** The spec of a Service after a change of its type, without fields of the old type. */
const becomes = (name: string, from: object, to: object, result: object): Case => ({
  name,
  source: strategy,
  async run({ make, put, expect }) {
    await make('services', { metadata: { name: 'a' }, spec: from })
    expect.answer(await put('services/a', { metadata: { name: 'a' }, spec: to }), 200, { spec: result })
  },
})

const isNodePort = (port: unknown) => Math.floor(Number(port) / 10_000) === firstDigit

/** Types of Services, their allocations, and their errors. */
export const services: CaseGroup = {
  name: 'services',
  cases: [
    {
      name: 'managed fields that make a Service too large are dropped, but not by an apply',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go, isTooLargeError @ v0.36.3',
      async run({ post, patch, expect }) {
        const ports = Array.from({ length: 12_000 }, (_, index) => ({ name: `p${index}`, port: 1 + index }))
        const created = await post('services', { metadata: { name: 'a' }, spec: { ports } })
        expect.answer(created, 201)
        expect.has(created.body, { metadata: { managedFields: undefined } })
        const more = Array.from({ length: 20_000 }, (_, index) => ({ name: `p${index}`, port: 1 + index }))
        const applied = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'b' }, spec: { ports: more } }
        expect.answer(await patch('services/b?fieldManager=a', 'apply', applied), 500, {
          message: 'etcdserver: request is too large',
        })
      },
    },
    ...[nodePort, balancer].map(
      (spec): Case => ({
        name: `a ${spec.type} gets a node port, and keeps it`,
        source: allocation,
        async run({ make, put, expect }) {
          const made = await make('services', { metadata: { name: 'a' }, spec })
          const { nodePort: port } = (made.spec as { ports: { nodePort: number }[] }).ports[0] ?? {}
          expect.ok(isNodePort(port), `${port} is between 30000 and 32767`)
          const changed = { ...spec, ports: [{ name: 'web', port: 81 }] }
          const answer = await put('services/a', { metadata: { name: 'a' }, spec: changed })
          expect.answer(answer, 200, { spec: { ports: [{ port: 81, nodePort: port }] } })
        },
      }),
    ),
    {
      name: 'a node port can be allocated once',
      source: 'k8s.io/kubernetes pkg/registry/core/service/portallocator/allocator.go @ v1.36.3',
      async run({ make, post, expect }) {
        const made = await make('services', { metadata: { name: 'a' }, spec: nodePort })
        const { nodePort: port } = (made.spec as { ports: { nodePort: number }[] }).ports[0] ?? {}
        const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: port }] }
        expect.invalid(await post('services', { metadata: { name: 'b' }, spec }), {
          kind: 'Service',
          name: 'b',
          because: [`spec.ports[0].nodePort: Invalid value: ${port}: provided port is already allocated`],
        })
      },
    },
    {
      name: 'an address can be allocated once',
      source: 'k8s.io/kubernetes pkg/registry/core/service/ipallocator/interfaces.go @ v1.36.3',
      async run({ make, post, expect }) {
        const made = await make('services', { metadata: { name: 'a' }, spec: { ports } })
        const { clusterIP } = made.spec as { clusterIP: string }
        const answer = await post('services', { metadata: { name: 'b' }, spec: { ports, clusterIP } })
        const why = `failed to allocate IP ${clusterIP}: provided IP is already allocated`
        expect.invalid(answer, {
          kind: 'Service',
          name: 'b',
          because: [`spec.clusterIPs: Invalid value: ["${clusterIP}"]: ${why}`],
        })
      },
    },
    becomes(
      'a Service that becomes an ExternalName releases its address',
      { ports },
      { ...external, ports },
      { ...external, clusterIP: undefined, clusterIPs: undefined, ipFamilies: undefined },
    ),
    becomes(
      'a Service that was an ExternalName gets an address',
      external,
      { ports },
      { type: 'ClusterIP', clusterIP: /^10\.96\./, ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ),
    {
      name: 'an external Service that becomes a ClusterIP releases its node ports',
      source: strategy,
      async run({ make, patch, expect }) {
        await make('services', {
          metadata: { name: 'a' },
          spec: { ...balancer, externalTrafficPolicy: 'Local', loadBalancerClass: 'a/b' },
        })
        const answer = await patch('services/a', 'merge', { spec: { type: 'ClusterIP' } })
        expect.answer(answer, 200, {
          spec: {
            type: 'ClusterIP',
            externalTrafficPolicy: undefined,
            healthCheckNodePort: undefined,
            allocateLoadBalancerNodePorts: undefined,
            loadBalancerClass: undefined,
            ports: [{ port: 80, nodePort: undefined }],
          },
        })
      },
    },
    {
      name: 'a headless Service stays headless',
      source: validation,
      async run({ make, patch, expect }) {
        await make('services', {
          metadata: { name: 'a' },
          spec: { ports, clusterIP: 'None', selector: { x: 'y' } },
        })
        const spec = { clusterIP: '10.96.255.8', clusterIPs: ['10.96.255.8'] }
        expect.answer(await patch('services/a', 'merge', { spec }), 422, {
          details: { causes: [{ field: 'spec.clusterIPs[0]', message: /may not change once set$/ }] },
        })
      },
    },
    {
      name: 'a load balancer without node ports has none',
      source: allocation,
      async run({ make, expect }) {
        const spec = { ...balancer, allocateLoadBalancerNodePorts: false }
        expect.has(await make('services', { metadata: { name: 'a' }, spec }), {
          spec: { ports: [{ nodePort: undefined }] },
        })
      },
    },
    {
      name: 'only a load balancer has an ingress',
      source: validation,
      async run({ make, patch, expect }) {
        await make('services', { metadata: { name: 'a' }, spec: { ports } })
        const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
        expect.invalid(await patch('services/a/status', 'merge', { status }), {
          kind: 'Service',
          name: 'a',
          because: [
            "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
          ],
        })
      },
    },
    {
      name: 'the address of a load balancer gets an IP mode',
      source: 'k8s.io/kubernetes pkg/apis/core/v1/defaults.go @ v1.36.3',
      async run({ make, patch, expect }) {
        await make('services', { metadata: { name: 'a' }, spec: balancer })
        const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
        expect.answer(await patch('services/a/status', 'merge', { status }), 200, {
          status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }] } },
        })
      },
    },
    {
      name: 'fields without an effect cause warnings',
      source: 'k8s.io/kubernetes pkg/api/service/warnings.go @ v1.36.3',
      async run({ post, expect }) {
        const spec = { ports, externalName: 'example.com' }
        const { headers } = await post('services', { metadata: { name: 'a' }, spec })
        expect.ok(headers.warning?.includes('spec.externalName is ignored'), String(headers.warning))
      },
    },
    refuses(
      'two ports must not have the same name',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
      'ports[1].name: Duplicate value: "a"',
    ),
    refuses(
      'two ports must not have the same number and protocol',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 1 },
        ],
      },
      'ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
    ),
    refuses(
      'a protocol must be known',
      { ports: [{ port: 1, protocol: 'XX' }] },
      'ports[0].protocol: Unsupported value: "XX": supported values: "SCTP", "TCP", "UDP"',
    ),
    refuses(
      'the name of a target port must be valid',
      { ports: [{ port: 1, targetPort: '-a--b-Z' }] },
      'ports[0].targetPort: Invalid value: "-a--b-Z": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'ports[0].targetPort: Invalid value: "-a--b-Z": must not contain consecutive hyphens',
      'ports[0].targetPort: Invalid value: "-a--b-Z": must not begin or end with a hyphen',
    ),
    refuses(
      'an affinity must be known, with at most a day',
      { ports, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 90_000 } } },
      'sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 90000: must be greater than 0 and less than 86400',
    ),
    refuses('an ExternalName has a name', { type: 'ExternalName' }, 'externalName: Required value'),
    refuses(
      'an ExternalName has neither an address nor families',
      { ...external, clusterIP: '10.96.255.9', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
      'clusterIPs: Forbidden: may not be set for ExternalName services',
      'ipFamilies: Forbidden: may not be set for ExternalName services',
      'ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
    ),
    refuses(
      'a NodePort has an address',
      { ...nodePort, clusterIP: 'None' },
      'clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
    ),
    refuses(
      'an address must be valid',
      { ports, clusterIP: 'x' },
      'clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ),
    refuses(
      'an address must be in the range of the cluster',
      { ports, clusterIP: '192.0.2.1' },
      'clusterIPs: Invalid value: ["192.0.2.1"]: failed to allocate IP 192.0.2.1: the provided network does not match the current range',
    ),
    refuses(
      'both fields of the address must agree',
      { ports, clusterIP: '10.96.255.9', clusterIPs: ['10.96.255.8'] },
      'clusterIPs: Invalid value: ["10.96.255.8"]: first value must match `clusterIP`',
    ),
    refuses(
      'a family must be one of the cluster',
      { ports, ipFamilies: ['IPv6'] },
      'ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ),
    refuses(
      'dual-stack is not supported by the cluster',
      { ports, ipFamilyPolicy: 'RequireDualStack' },
      'ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ),
    refuses(
      'a node port must be in the range',
      { type: 'NodePort', ports: [{ port: 1, nodePort: 5 }] },
      'ports[0].nodePort: Invalid value: 5: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ),
    refuses(
      'fields for external access are rejected for a ClusterIP',
      {
        ports: [{ port: 1, nodePort: 30_001 }],
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30_005,
        loadBalancerClass: 'a/b',
        allocateLoadBalancerNodePorts: true,
      },
      "ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
      "allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
      "loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
      'externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      "healthCheckNodePort: Invalid value: 30005: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ),
    refuses(
      'an external address must be one that a machine can have',
      { ports, externalIPs: ['x', '127.0.0.1'] },
      'externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ),
    refuses(
      'several errors are reported in the order of the server',
      { type: 'X', sessionAffinity: 'Y', ports: [{ port: 0 }], internalTrafficPolicy: 'Z' },
      'ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      'sessionAffinity: Unsupported value: "Y": supported values: "ClientIP", "None"',
      'type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      'internalTrafficPolicy: Unsupported value: "Z": supported values: "Cluster", "Local"',
    ),
  ],
}
