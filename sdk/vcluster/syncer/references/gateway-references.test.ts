// Tests that the kinds of the Gateway API name copies alone, and that what a copy on the host could do beyond the
// original is refused.
import t from 'tap'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { namespacedNaming } from '../../naming/naming.js'
import type { References } from './reference-rules.js'
import { ReferenceTranslator } from './reference-translator.js'

const ctx = {
  vclusterName: 'vc',
  targetNamespace: 'vcluster-vc',
  currentNamespace: 'vcluster-vc',
  labelMode: 'reserved',
} as const
const group = 'gateway.networking.k8s.io'
const copy = (name: string) => `${name}-x-default-x-vc`

const translatorOf = (kind: string, references: References = {}) => {
  const plural = kind === 'BackendTLSPolicy' ? 'backendtlspolicies' : `${kind.toLowerCase()}s`
  const resource: Resource = { group, version: 'v1', kind, plural, namespaced: true }
  return new ReferenceTranslator(resource, namespacedNaming(ctx, {}), references)
}

const objectOf = (kind: string, content: object): KubeObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { namespace: 'default', name: 'a' },
  ...content,
})

const onHost = (kind: string, spec: object, references?: References) =>
  (translatorOf(kind, references).toHost(objectOf(kind, { spec })) as KubeObject & { spec: unknown }).spec

/** Every name that starts with `my-` is that of a copy on the host. */
const translated = (spec: object): unknown =>
  JSON.parse(JSON.stringify(spec), (member, value) => {
    if (member === 'namespace' && value === 'default') return 'vcluster-vc'
    return typeof value === 'string' && value.startsWith('my-') ? copy(value) : value
  })

const routed = {
  parentRefs: [
    { name: 'my-gateway', sectionName: 'https' },
    { group, kind: 'Gateway', name: 'my-gateway', namespace: 'default', port: 443 },
    { group: '', kind: 'Service', name: 'my-web' },
  ],
  useDefaultGateways: 'None',
}
const backendRefs = [
  { name: 'my-web', port: 80, weight: 9 },
  { group: '', kind: 'Service', name: 'my-api', namespace: 'default', port: 80 },
]
const filters = [
  { type: 'RequestMirror', requestMirror: { backendRef: { name: 'my-mirror', port: 80 } } },
  { type: 'ExternalAuth', externalAuth: { protocol: 'GRPC', backendRef: { name: 'my-auth', port: 9000 } } },
  { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'x-secret', value: 'a' }] } },
]
const withFilters = {
  ...routed,
  hostnames: ['shop.example.com'],
  rules: [{ name: 'all', filters, backendRefs: [{ ...backendRefs[0], filters }, backendRefs[1]] }],
}
const plainRoute = { ...routed, rules: [{ name: 'all', backendRefs }] }
const certificate = { group: '', kind: 'Secret', name: 'my-key', namespace: 'default' }
const validation = {
  caCertificateRefs: [
    { group: '', kind: 'ConfigMap', name: 'my-ca' },
    { group: '', kind: 'Secret', name: 'my-ca', namespace: 'default' },
  ],
}

const specs: Readonly<Record<string, object>> = {
  HTTPRoute: withFilters,
  GRPCRoute: withFilters,
  TLSRoute: plainRoute,
  TCPRoute: plainRoute,
  UDPRoute: plainRoute,
  Gateway: {
    gatewayClassName: 'shared',
    listeners: [
      {
        name: 'https',
        hostname: '*.example.com',
        port: 443,
        tls: { mode: 'Terminate', certificateRefs: [{ name: 'my-key' }, certificate] },
        allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ group, kind: 'HTTPRoute' }] },
      },
    ],
    allowedListeners: { namespaces: { from: 'None' } },
    infrastructure: { labels: { app: 'web' } },
    tls: {
      backend: { clientCertificateRef: { name: 'my-key' } },
      frontend: { default: { validation }, perPort: [{ port: 443, tls: { validation } }] },
    },
  },
  BackendTLSPolicy: {
    targetRefs: [{ group: '', kind: 'Service', name: 'my-web', sectionName: 'https' }],
    validation: {
      hostname: 'web.example.com',
      caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'my-ca' }],
    },
  },
}

void t.test('the names in the kinds of the Gateway API are those of copies on the host', async (t) => {
  for (const [kind, spec] of Object.entries(specs)) {
    t.same(onHost(kind, spec), translated(spec), kind)
    t.notSame(translated(spec), spec, kind)
  }
})

void t.test('what would reach beyond the copies of a namespace is not copied', async (t) => {
  const listener = (namespaces: object) => ({ listeners: [{ name: 'http', allowedRoutes: { namespaces } }] })
  const route = (backendRef: object, filter: object = {}) => ({
    rules: [{ backendRefs: [{ name: 'my-web', ...backendRef }], filters: [filter] }],
  })
  const extensionRef = { group: 'example.com', kind: 'Filter', name: 'f' }
  const refused: [string, object, RegExp][] = [
    ['HTTPRoute', route({ namespace: 'other' }), /"my-web" is that of a Service of the namespace "other"/],
    [
      'TCPRoute',
      route({ kind: 'Secret' }),
      /"my-web" is that of a Secret of group "", which no rule translates/,
    ],
    ['TCPRoute', route({ group: 'multicluster.x-k8s.io', kind: 'ServiceImport' }), /It may name: Service\./],
    ['HTTPRoute', { parentRefs: [{ kind: 'Service', name: 'vc' }] }, /Service of group "gateway/],
    ['HTTPRoute', { parentRefs: [{ name: 'edge', namespace: 'infra' }] }, /Gateway of the namespace "infra"/],
    ['HTTPRoute', { useDefaultGateways: 'All' }, /spec\.useDefaultGateways has a value .* Known: None\./],
    ['TLSRoute', { useDefaultGateways: 'All' }, /spec\.useDefaultGateways has a value/],
    ['HTTPRoute', route({}, { extensionRef }), /spec\.rules\[0\]\.filters\[0\]\.extensionRef would reach/],
    ['GRPCRoute', route({ filters: [{ extensionRef }] }), /backendRefs\[0\]\.filters\[0\]\.extensionRef/],
    ['Gateway', listener({ from: 'All' }), /namespaces\.from has a value .* Known: Same\./],
    ['Gateway', listener({ from: 'Same', selector: {} }), /namespaces\.selector would reach/],
    ['Gateway', { infrastructure: { parametersRef: extensionRef } }, /parametersRef would reach/],
    ['Gateway', { listeners: [{ tls: { certificateRefs: [{ name: 'a', namespace: 'b' }] } }] }, /"b"/],
    ['BackendTLSPolicy', { targetRefs: [{ group: '', kind: 'Pod', name: 'a' }] }, /a Pod of group ""/],
    ['ReferenceGrant', { from: [{ group, kind: 'HTTPRoute', namespace: 'b' }], to: [] }, /spec\.from would/],
  ]
  for (const [kind, spec, reason] of refused) t.throws(() => onHost(kind, spec), reason)
})

void t.test(
  'a rule of a plugin for a Gateway of the host takes precedence, in both directions',
  async (t) => {
    const references: References = {
      'spec.parentRefs[*].group': { values: [group] },
      'spec.parentRefs[*].kind': { values: ['Gateway'] },
      'spec.parentRefs[*].namespace': { values: ['infra'] },
      'spec.parentRefs[*].name': { values: ['shared'] },
      'status.parents[*].parentRef.name': 'plain',
    }
    const parentRef = { group, kind: 'Gateway', name: 'shared', namespace: 'infra' }
    const spec = { parentRefs: [parentRef, { name: 'shared', namespace: 'infra', sectionName: 'https' }] }
    t.same(onHost('HTTPRoute', spec, references), spec)
    for (const other of [{ name: 'edge' }, { namespace: 'kube-system' }, { group: '', kind: 'Service' }])
      t.throws(
        () => onHost('HTTPRoute', { parentRefs: [{ ...parentRef, ...other }] }, references),
        /has a value/,
      )
    const status = { parents: [{ parentRef, controllerName: 'example.com/c', conditions: [] }] }
    const found = await translatorOf('HTTPRoute', references).toVirtual(
      objectOf('HTTPRoute', { spec, status }),
      objectOf('HTTPRoute', { spec, status }),
      async () => undefined,
    )
    t.match(found, { spec, status })
  },
)

void t.test('a rule of a plugin may leave the parents of routes as they are', async (t) => {
  const parentRefs = [{ name: 'edge', namespace: 'infra' }]
  const references = { 'spec.parentRefs[*]': 'plain', 'spec.parentRefs[*].name': 'plain' } as const
  t.same(onHost('HTTPRoute', { parentRefs }, references), { parentRefs })
})

void t.test('the status of a route names the Gateways that its original names', async (t) => {
  const virtual = objectOf('HTTPRoute', { spec: { parentRefs: [{ name: 'my-gateway' }] } })
  const statusOf = (name: string) => ({
    parents: [
      { parentRef: { group, kind: 'Gateway', name }, controllerName: 'example.com/c', conditions: [] },
    ],
  })
  const host = objectOf('HTTPRoute', { status: statusOf(copy('my-gateway')) })
  const translator = translatorOf('HTTPRoute')
  const found = await translator.toVirtual(host, virtual, async () => undefined)
  t.same((found as KubeObject & { status: unknown }).status, statusOf('my-gateway'))
  const foreign = objectOf('HTTPRoute', { status: statusOf('edge') })
  await t.rejects(
    translator.toVirtual(foreign, virtual, async () => undefined),
    /names the Gateway vcluster-vc\/edge of the host/,
  )
})

void t.test('an old status of the original keeps neither its copy nor the new status back', async (t) => {
  const parentRefs = [{ name: 'my-gateway' }]
  const stale = {
    parents: [{ parentRef: { name: 'shared', namespace: 'infra' }, controllerName: 'example.com/c' }],
  }
  const virtual = objectOf('HTTPRoute', { spec: { parentRefs }, status: stale })
  const translator = translatorOf('HTTPRoute')
  t.match(translator.toHost(virtual), { spec: translated({ parentRefs }) })
  const host = objectOf('HTTPRoute', { status: { parents: [{ parentRef: { name: copy('my-gateway') } }] } })
  t.match(await translator.toVirtual(host, virtual, async () => undefined), {
    status: { parents: [{ parentRef: { name: 'my-gateway' } }] },
  })
})

void t.test('the kind of a reference may be in its apiVersion', async (t) => {
  const references: References = {
    'spec.sourceRef.name': {
      toOneOf: [
        { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
        { group: 'example.com', version: 'v1', kind: 'Bucket', plural: 'buckets', namespaced: true },
      ],
    },
  }
  const name = 'my-bucket'
  for (const group of [{ apiVersion: 'example.com/v1beta2' }, { apiGroup: 'example.com' }]) {
    const spec = { sourceRef: { ...group, kind: 'Bucket', name } }
    t.same(onHost('Mine', spec, references), translated(spec))
  }
  const versions = { apiVersion: 'v1', kind: 'Bucket', name }
  t.throws(() => onHost('Mine', { sourceRef: versions }, references), /a Bucket of group ""/)
})
