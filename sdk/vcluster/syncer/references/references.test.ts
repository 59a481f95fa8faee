import fc from 'fast-check'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { type Register, type TestPlugin, testPlugin } from '../../../../testing/plugin/test-plugin.js'
import { createClient } from '../../../engine/client/create-client.js'
import {
  configMaps,
  endpoints,
  events,
  ingresses,
  networkPolicies,
  persistentVolumeClaims,
  pods,
  secrets,
  services,
} from '../../../engine/kube/builtin.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { RegisterContext } from '../../context/register-context.js'
import { clusterNaming, namespacedNaming } from '../../naming/naming.js'
import { mirrorBoth, mirrorDown } from '../translator/mirror.js'
import { podReferences } from './pod-references.js'
import { formatPath, parseReferencePath } from './reference-path.js'
import type { References } from './reference-rules.js'
import { ReferenceTranslator } from './reference-translator.js'
import type { FindSource } from './virtual-references.js'
import { definitions, type Widget, widgetDefinition, widgets } from './widgets.fixture.js'

const ctx = {
  vclusterName: 'vc',
  targetNamespace: 'vcluster-vc',
  currentNamespace: 'vcluster-vc',
  labelMode: 'reserved',
} as RegisterContext

function translatorOf(references?: References | 'plain', resource: Resource<Widget> = widgets) {
  return new ReferenceTranslator<Widget>(resource, namespacedNaming(ctx, {}), references)
}

const widget = (spec: Record<string, unknown>): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { namespace: 'default', name: 'a' },
  spec,
})

const found: FindSource = async () => undefined

/** A spec as the rules translate it. */
const onHost = (spec: Record<string, unknown>, references?: References, resource?: Resource<Widget>) =>
  translatorOf(references, resource).toHost(widget(spec)).spec

void t.test('paths of references name members and every element', async (t) => {
  t.equal(parseReferencePath('spec.tls[*].secretName').length, 4)
  t.same(parseReferencePath('spec."tls.key".name'), ['spec', 'tls.key', 'name'])
  for (const path of ['', '[*]', 'spec..a', 'spec.tls[0]', 'spec[*', 'metadata.name', 'kind', 'spec."a']) {
    t.throws(() => parseReferencePath(path), { code: 'INVALID_FIELD' }, path)
  }
  t.equal(formatPath(['spec', 'tls', 2, 'a.b']), 'spec.tls[2]."a.b"')
})

void t.test('a rule that is undefined is named with its kind', async (t) => {
  t.throws(() => translatorOf({ 'spec.secret': undefined } as never), {
    code: 'INVALID_FIELD',
    message:
      /^the references of widgets\.example\.com have undefined as the rule of 'spec\.secret': set a rule/,
  })
})

void t.test('names of other objects become the names of their copies', async (t) => {
  const references: References = {
    'spec.secretName': secrets,
    'spec.tls[*].secretName': secrets,
    'spec.byName[*].configMapRef.name': { to: configMaps, namespace: 'namespace' },
    'spec.short': { to: secrets, names: 'short' },
  }
  const spec = Object.freeze({
    secretName: 'key',
    tls: [{ secretName: 'one', hosts: ['a'] }, { hosts: [] }, { secretName: '' }],
    byName: { x: { configMapRef: { name: 'c', namespace: 'other' } }, y: { configMapRef: { name: 'd' } } },
    short: 'greeting',
    replicas: 3,
  })
  t.same(onHost(spec, references), {
    secretName: 'key-x-default-x-vc',
    tls: [{ secretName: 'one-x-default-x-vc', hosts: ['a'] }, { hosts: [] }, { secretName: '' }],
    byName: {
      x: { configMapRef: { name: 'c-x-other-x-vc', namespace: 'vcluster-vc' } },
      y: { configMapRef: { name: 'd-x-default-x-vc' } },
    },
    short: 'v38wyt783onuwv',
    replicas: 3,
  })
  t.equal(spec.tls[0]?.secretName, 'one', 'the original stays as it is')
  const untouched = widget({ replicas: 1 })
  t.equal(translatorOf(references).toHost(untouched), untouched, 'what refers to nothing is not copied')
  t.throws(() => onHost({ secretName: 7 }, references), PermanentError)
})

void t.test('a cluster-scoped object says in which namespace what it names is', async (t) => {
  const resource = { ...widgets, namespaced: false }
  const references: References = { 'spec.secret.name': { to: secrets, namespace: 'namespace' } }
  const translator = new ReferenceTranslator<Widget>(resource, clusterNaming(ctx), references)
  const named = (secret: object): Widget => ({ metadata: { name: 'a' }, spec: { secret } })
  t.same(translator.toHost(named({ name: 's', namespace: 'x' })).spec, {
    secret: { name: 's-x-x-x-vc', namespace: 'vcluster-vc' },
  })
  t.throws(() => translator.toHost(named({ name: 's' })), /does not say in which namespace/)
})

void t.test('selectors select copies of this vcluster in the same virtual namespace alone', async (t) => {
  const references: References = { 'spec.selector': 'label-selector', 'spec.pods': 'label-map' }
  const ownership = { 'vcluster.loft.sh/namespace': 'default', 'vcluster.loft.sh/managed-by': 'vc' }
  t.same(onHost({ selector: { matchLabels: { app: 'web' } }, pods: { app: 'web' } }, references), {
    selector: { matchLabels: { app: 'web', ...ownership } },
    pods: { app: 'web', ...ownership },
  })
  t.same(
    onHost({ selector: {} }, references),
    { selector: { matchLabels: ownership } },
    'all means all of ours',
  )
  t.same(onHost({ selector: null, pods: {} }, references), { selector: null, pods: {} }, 'none means none')
  t.throws(() => onHost({ selector: 'app=web' }, references), PermanentError)
})

/** The reason why something is not copied; throws any other error. */
function refusalOf(translate: () => unknown): string {
  try {
    translate()
    return 'nothing was refused'
  } catch (error) {
    if (error instanceof PermanentError) return error.message
    throw error
  }
}

/** References without a rule that a tenant may try: each would reach an object of the host. */
const reaching: readonly (readonly [path: string, spec: Record<string, unknown>])[] = [
  ['spec.secretName', { secretName: 'vc-kubeconfig' }],
  ['spec.auth.passwordSecretRef', { auth: { passwordSecretRef: { name: 'vc-kubeconfig', key: 'config' } } }],
  ['spec.sources[1].configMapRef', { sources: [{}, { configMapRef: 'kube-root-ca.crt' }] }],
  ['spec.serviceAccountName', { serviceAccountName: 'vc-vcluster' }],
  ['spec.serviceAccount', { serviceAccount: 'vc-vcluster' }],
  ['spec.imagePullSecrets', { imagePullSecrets: [{ name: 'registry' }] }],
  ['spec.volume.claimName', { volume: { claimName: 'data-vc-0' } }],
  ['spec.nodeName', { nodeName: 'control-plane' }],
  ['spec.nodeSelector', { nodeSelector: { role: 'control-plane' } }],
  ['spec.volume.hostPath', { volume: { hostPath: { path: '/' } } }],
  ['spec.hostNetwork', { hostNetwork: true }],
  ['spec.podSelector', { podSelector: {} }],
  ['spec.template.spec', { template: { spec: { containers: [{ image: 'sh' }] } } }],
  ['spec.any."odd.name"[0]', { any: { 'odd.name': [{ containers: [{ command: ['sh'] }] }] } }],
  ['spec.valuesFrom[0]', { valuesFrom: [{ kind: 'Secret', name: 'vc-kubeconfig' }] }],
  ['spec.from', { from: { kind: 'ConfigMap', name: 'vc-coredns' } }],
  ['spec.subject', { subject: { kind: 'ServiceAccount', name: 'vc-vcluster' } }],
  ['spec.secrets', { secrets: ['vc-kubeconfig'] }],
  ['spec.secrets', { secrets: [{ name: 'vc-kubeconfig' }] }],
  ['spec.secrets', { secrets: { db: 'vc-kubeconfig' } }],
  ['spec.configMaps', { configMaps: ['vc-coredns'] }],
  ['spec.rootCAsSecrets', { rootCAsSecrets: ['vc-certs'] }],
  ['spec.authSecret', { authSecret: 'vc-kubeconfig' }],
  ['spec.auth.existingSecret', { auth: { existingSecret: 'vc-kubeconfig' } }],
  ['spec.superuserSecret', { superuserSecret: { name: 'vc-kubeconfig' } }],
  ['spec.credentials.secret', { credentials: { secret: { name: 'vc-kubeconfig' } } }],
  ['spec.secret', { secret: 'vc-kubeconfig' }],
  ['spec.tls.credentialName', { tls: { credentialName: 'vc-certs' } }],
  ['spec.projected.sources[0].secret', { projected: { sources: [{ secret: { name: 'vc-kubeconfig' } }] } }],
  ['spec.username', { username: { name: 'vc-kubeconfig', key: 'config' } }],
  ['spec.secretTargetRef', { secretTargetRef: [{ parameter: 'x', name: 'vc-kubeconfig', key: 'config' }] }],
  ['spec.sourceRef', { sourceRef: { kind: 'GitRepository', name: 'infra', namespace: 'flux-system' } }],
  ['spec.targetRef', { targetRef: { name: 'vc', namespace: 'kube-system' } }],
  ['spec.vaultAuthRef', { vaultAuthRef: 'kube-system/admin' }],
  ['spec.clusterReference', { clusterReference: { name: 'vc' } }],
  ['spec.targetNamespace', { targetNamespace: 'kube-system' }],
  ['spec.includedNamespaces', { includedNamespaces: ['kube-system'] }],
  ['spec.dataDirHostPath', { dataDirHostPath: '/var/lib/rook' }],
  ['spec.backend.service', { backend: { service: { name: 'vc', port: 443 } } }],
  ['spec.serviceName', { serviceName: 'vc' }],
  [
    'spec.parameters."csi.storage.k8s.io/provisioner-secret-name"',
    { parameters: { 'csi.storage.k8s.io/provisioner-secret-name': 'vc-kubeconfig' } },
  ],
]

void t.test('an object with a reference that has no rule is not copied', async (t) => {
  for (const [path, spec] of reaching) {
    t.match(
      refusalOf(() => onHost(spec)),
      path,
    )
  }
  const harmless = {
    hostNetwork: false,
    secretName: '',
    nodeName: null,
    imagePullSecrets: [],
    containers: 3,

    createSecret: true,
    maxSecrets: 5,
    href: 'https://example.com',
    gitRef: 'main',
    fieldRef: { fieldPath: 'a' },

    secretTemplate: { labels: { a: 'b' } },
    service: { type: 'ClusterIP' },
    services: [{ name: 'a', image: 'b' }],

    env: [{ name: 'A', value: 'x' }],
    tolerations: [{ key: 'a', operator: 'Exists' }],
    kind: 'standalone',
  }
  t.same(onHost(harmless), harmless, 'what points nowhere may stay')
  t.same(
    onHost({ nodeName: 'n' }, { 'spec.nodeName': 'plain' }),
    { nodeName: 'n' },
    'somebody said what it is',
  )
  t.same(translatorOf('plain').toHost(widget({ secretName: 's' })).spec, { secretName: 's' })
  t.throws(() => onHost({ x: 1 }, { 'spec.x': 'refused' }), PermanentError)
})

void t.test('the namespace next to a name with a rule is known only if the rule names it', async (t) => {
  const configMapRef = { name: 'c', namespace: 'other' }
  t.match(
    onHost({ configMapRef }, { 'spec.configMapRef.name': { to: configMaps, namespace: 'namespace' } }),
    {
      configMapRef: { name: 'c-x-other-x-vc' },
    },
  )
  const refused = refusalOf(() => onHost({ configMapRef }, { 'spec.configMapRef.name': configMaps }))
  t.match(refused, /^spec\.configMapRef\.namespace looks like a reference/)
})

void t.test('a tenant decides how deep an object is, and not whether the check ends', async (t) => {
  let deep: Record<string, unknown> = { secretName: 's' }
  for (let level = 0; level < 20_000; level++) deep = { deep }
  t.throws(() => onHost(deep), PermanentError)
})

const podSpec = {
  serviceAccountName: 'runner',
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { disk: 'ssd' },
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'host', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
  volumes: [
    { name: 'a', secret: { secretName: 's' } },
    { name: 'b', configMap: { name: 'c' } },
    { name: 'c', persistentVolumeClaim: { claimName: 'd' } },
    { name: 'd', projected: { sources: [{ secret: { name: 's' } }, { downwardAPI: { items: [] } }] } },
    { name: 'e', emptyDir: {} },
  ],
  containers: [
    {
      name: 'main',
      image: 'web',
      env: [
        { name: 'A', value: 'x' },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      envFrom: [{ configMapRef: { name: 'c' } }],
    },
  ],
}

void t.test('a pod’s specification refers to copies at any path', async (t) => {
  const spec = onHost({ template: { spec: podSpec } }, podReferences('spec.template.spec'))
  const translated = JSON.stringify(spec)
  for (const name of ['runner', 'registry', 's', 'c', 'd']) {
    t.match(translated, `"${name}-x-default-x-vc"`, name)
    t.notMatch(translated, `Name":"${name}"`, name)
  }
  t.match(translated, '"vcluster.loft.sh/managed-by":"vc"', 'affinity is to copies of this vcluster')
  t.match(translated, '"nodeSelector":{"disk":"ssd"}')
})

void t.test('a kind may have members of its own in a pod’s specification', async (t) => {
  const template = { spec: { containers: [{ image: 'nginx' }], containerConcurrency: 3, secretName: 'a' } }
  const at = 'spec.template.spec'
  t.throws(() => onHost({ template }, podReferences(at)), /has the member containerConcurrency/)
  const known = podReferences(at, { members: ['containerConcurrency', 'secretName'] })
  t.throws(
    () => onHost({ template }, known),
    /secretName looks like a reference/,
    'they are looked at like others',
  )
  t.match(onHost({ template }, { ...known, [`${at}.secretName`]: secrets }), {
    template: { spec: { containerConcurrency: 3, secretName: 'a-x-default-x-vc' } },
  })
})

void t.test('a scaler would scale an object of the host', async (t) => {
  const scaler = { metadata: { namespace: 'default', name: 'a' }, spec: { scaleTargetRef: { name: 'vc' } } }
  const resource = { ...widgets, group: 'autoscaling', plural: 'horizontalpodautoscalers' }
  const translator = new ReferenceTranslator<Widget>(resource, namespacedNaming(ctx, {}))
  t.throws(() => translator.toHost(scaler), /^spec.scaleTargetRef would reach what belongs to the host/)
})

void t.test('a pod that would reach the host is refused', async (t) => {
  const refused: readonly (readonly [path: string, change: Record<string, unknown>])[] = [
    ['nodeName', { nodeName: 'n' }],
    ['hostNetwork', { hostNetwork: true }],
    ['hostPID', { hostPID: true }],
    ['volumes[0]', { volumes: [{ name: 'a', hostPath: { path: '/' } }] }],
    ['volumes[0]', { volumes: [{ name: 'a', nfs: { server: 'x', path: '/' } }] }],
    [
      'volumeAttributes',
      { volumes: [{ name: 'a', csi: { driver: 'd', volumeAttributes: { secretProviderClass: 'other' } } }] },
    ],
    [
      'sources[0]',
      { volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
    ],
    [
      'volumeClaimTemplate.spec',
      { volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: { dataSource: {} } } } }] },
    ],
    [
      'valueFrom',
      { containers: [{ name: 'a', image: 'x', env: [{ name: 'A', valueFrom: { newRef: {} } }] }] },
    ],
    ['spec.template.spec', { notYetInvented: { any: 'thing' } }],
  ]
  for (const [path, change] of refused) {
    const spec = { template: { spec: { ...podSpec, ...change } } }
    t.match(
      refusalOf(() => onHost(spec, podReferences('spec.template.spec'))),
      path,
    )
  }
})

void t.test('the kinds of Kubernetes bring their rules', async (t) => {
  const ingress = {
    tls: [{ secretName: 'cert' }],
    rules: [
      { http: { paths: [{ path: '/', backend: { service: { name: 'web', port: { number: 80 } } } }] } },
    ],
  }
  t.same(onHost(ingress, {}, ingresses as Resource<Widget>), {
    tls: [{ secretName: 'cert-x-default-x-vc' }],
    rules: [
      {
        http: {
          paths: [{ path: '/', backend: { service: { name: 'web-x-default-x-vc', port: { number: 80 } } } }],
        },
      },
    ],
  })
  t.match(onHost({ selector: { app: 'web' } }, {}, services as Resource<Widget>), {
    selector: { app: 'web', 'vcluster.loft.sh/managed-by': 'vc' },
  })
  t.match(onHost({ podSelector: {} }, {}, networkPolicies as Resource<Widget>), {
    podSelector: { matchLabels: { 'vcluster.loft.sh/managed-by': 'vc' } },
  })
  const everywhere = { podSelector: {}, ingress: [{ from: [{ namespaceSelector: {} }] }] }
  t.throws(() => onHost(everywhere, {}, networkPolicies as Resource<Widget>), PermanentError)
  t.same(onHost({ volumeName: 'pv' }, {}, persistentVolumeClaims as Resource<Widget>), {
    volumeName: 'vcluster-pv-x-vcluster-vc-x-vc',
  })
  t.throws(() => onHost({ ...podSpec, nodeName: 'n' }, {}, pods as Resource<Widget>), PermanentError)
  const listed = {
    metadata: { namespace: 'default', name: 'a' },
    subsets: [
      {
        addresses: [{ ip: '1', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p', namespace: 'default' } }],
      },
    ],
  }
  t.match(new ReferenceTranslator(endpoints, namespacedNaming(ctx, {})).toHost(listed), {
    subsets: [
      { addresses: [{ nodeName: 'n', targetRef: { name: 'p-x-default-x-vc', namespace: 'vcluster-vc' } }] },
    ],
  })
})

void t.test('references come back from the host as they went', async (t) => {
  const references: References = {
    'spec.names[*].secretName': secrets,
    'spec.refs[*].name': { to: configMaps, namespace: 'namespace' },
    'spec.selector': 'label-selector',
    'spec.pods': 'label-map',
  }
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,60}[a-z]$/)
  const labels = fc.dictionary(name, name, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
  const specs = fc.record({
    names: fc.array(fc.record({ secretName: name })),
    refs: fc.array(fc.record({ name, namespace: name }, { requiredKeys: ['name'] })),
    selector: fc.record({ matchLabels: labels }),
    pods: labels,
  })
  for (const labelMode of ['reserved', 'hashed'] as const) {
    const naming = namespacedNaming({ ...ctx, labelMode }, {})
    const translator = new ReferenceTranslator<Widget>(widgets, naming, references)
    await fc.assert(
      fc.asyncProperty(specs, async (spec) => {
        const virtual = widget(spec)
        const back = await translator.toVirtual(translator.toHost(virtual), virtual, found)
        t.same(back, virtual)
      }),
      { numRuns: 100 },
    )
  }
})

/** Both clusters with Widgets, and a plugin between them. */
async function running(t: Test, register: Register): Promise<TestPlugin> {
  const [virtualServer, hostServer] = [await createApiServer(), await createApiServer()]
  for (const server of [virtualServer, hostServer]) {
    await createClient({ transport: inProcessTransport(server) }).create(definitions, widgetDefinition)
  }
  const test = await testPlugin(register, { virtualServer, hostServer })
  t.teardown(() => test.stop())
  return test
}

const key = { namespace: 'default', name: 'a' }
const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }

void t.test('an object with a foreign reference is not copied, and an Event says why', async (t) => {
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, widgets)))
  await test.virtual.create(widgets, { metadata: key, spec: { secretName: 'vc-kubeconfig' } })
  await test.settled()
  t.same(await test.hostObjects(widgets), [])
  const { items } = await test.virtual.listAll(events, { namespace: 'default' })
  t.match(items[0]?.message, 'spec.secretName looks like a reference')
  await test.virtual.patch(widgets, key, { type: 'merge', body: { spec: { secretName: null, size: 1 } } })
  await test.settled()
  t.same((await test.host.get(widgets, hostKey)).spec, { size: 1 }, 'the next version is copied')
  await test.virtual.patch(widgets, key, { type: 'merge', body: { spec: { secretName: 'x', size: 2 } } })
  await test.settled()
  t.same((await test.host.get(widgets, hostKey)).spec, { size: 1 }, 'nor does it get there by an update')
})

void t.test('only named fields of a status are brought up, and no status is copied down', async (t) => {
  const references: References = { 'spec.secretName': secrets, 'status.secretName': secrets }
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorDown(ctx, secrets))
    plugin.register(mirrorDown(ctx, widgets, { references, statusUp: ['phase', 'secretName'] }))
  })
  await test.virtual.create(secrets, { metadata: { namespace: 'default', name: 'made' } })
  await test.virtual.create(widgets, { metadata: key, spec: { secretName: 'key' } })
  const own = {
    type: 'merge',
    subresource: 'status',
    body: { status: { phase: 'Forged', mine: 1 } },
  } as const
  await test.virtual.patch(widgets, key, own)
  await test.settled()
  t.equal(
    (await test.host.get(widgets, hostKey)).status,
    undefined,
    'what a tenant says of itself stays there',
  )

  const told = async (status: object) => {
    await test.host.patch(widgets, hostKey, { type: 'merge', subresource: 'status', body: { status } })
    await test.settled()
    return (await test.virtual.get(widgets, key)).status
  }
  const status = { phase: 'Ready', nodeName: 'node-7', secretName: 'made-x-default-x-vc' }
  t.same(await told(status), { phase: 'Ready', mine: 1, secretName: 'made' })
  t.same(
    (await told({ secretName: 'key-x-default-x-vc' }))?.secretName,
    'key',
    'what the original names is known',
  )
  t.same(
    (await told({ secretName: 'vc-kubeconfig' }))?.secretName,
    'key',
    'a Secret of the host is not told of',
  )
})

void t.test('content brought up from a copy refers to virtual objects again', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorDown(ctx, secrets))
    plugin.register(mirrorBoth(ctx, widgets, { references: { 'spec.secretName': secrets } }))
  })
  await test.virtual.create(secrets, { metadata: { namespace: 'default', name: 'other' } })
  await test.virtual.create(widgets, { metadata: key, spec: { secretName: 'key', size: 1 } })
  await test.settled()
  const onHost = async (spec: object) => {
    await test.host.patch(widgets, hostKey, { type: 'merge', body: { spec } })
    await test.settled()
    return (await test.virtual.get(widgets, key)).spec
  }
  t.same(await onHost({ size: 2 }), { secretName: 'key', size: 2 })
  t.same(await onHost({ secretName: 'other-x-default-x-vc' }), { secretName: 'other', size: 2 })
  t.same(await onHost({ secretName: 'vc-kubeconfig' }), { secretName: 'other', size: 2 })
})

void t.test('a status that names objects of the host does not keep changes back', async (t) => {
  const references: References = { 'spec.secretName': secrets, 'status.secretName': secrets }
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorBoth(ctx, widgets, { references })))
  await test.virtual.create(widgets, { metadata: key, spec: { secretName: 'key', size: 1 } })
  await test.settled()
  const status = { secretName: 'vc-kubeconfig' }
  await test.host.update(
    widgets,
    { ...(await test.host.get(widgets, hostKey)), status },
    { subresource: 'status' },
  )
  await test.host.patch(widgets, hostKey, { type: 'merge', body: { spec: { size: 2 } } })
  await test.settled()
  t.same((await test.virtual.get(widgets, key)).spec, { secretName: 'key', size: 2 })
})
