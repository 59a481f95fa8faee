// Tests, for each kind that vcluster itself copies to the host, that labels, annotations, selectors and names of other
// objects are translated, and that nothing of a tenant's object names another object of the host.
import t from 'tap'
import { running } from '../../../../testing/plugin/running.fixture.js'
import { ingresses, services } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { clusterNaming, namespacedNaming } from '../../naming/naming.js'
import { mirrorBoth, mirrorDown } from '../translator/mirror.js'
import { ReferenceTranslator } from './reference-translator.js'

const ctx = {
  vclusterName: 'vc',
  targetNamespace: 'vcluster-vc',
  currentNamespace: 'vcluster-vc',
  labelMode: 'reserved',
} as const
const kind = (id: string, name: string, namespaced = true): Resource => {
  const [plural = '', ...group] = id.split('.')
  return { group: group.join('.'), version: 'v1', kind: name, plural, namespaced }
}
const copy = (name: string) => `${name}-x-default-x-vc`
const ownership = { 'vcluster.loft.sh/namespace': 'default', 'vcluster.loft.sh/managed-by': 'vc' }
const selects = { matchLabels: { app: 'web' } }
const selectsCopies = { matchLabels: { app: 'web', ...ownership } }
const nginx = (name: string) => `nginx.ingress.kubernetes.io/${name}`
const alb = (name: string) => `alb.ingress.kubernetes.io/${name}`

interface Case {
  resource: Resource
  virtual: Record<string, unknown>
  host: Record<string, unknown>
}

const backend = (name: string) => ({ service: { name, port: { number: 80 } } })
const targetRef = { kind: 'Pod', name: 'web-0', namespace: 'default' }
const hostTargetRef = { kind: 'Pod', name: copy('web-0'), namespace: 'vcluster-vc' }

const cases: readonly Case[] = [
  {
    resource: kind('services', 'Service'),
    virtual: { spec: { selector: { app: 'web' }, clusterIP: 'None' } },
    host: { spec: { selector: { app: 'web', ...ownership }, clusterIP: 'None' } },
  },
  {
    resource: kind('endpoints', 'Endpoints'),
    virtual: {
      subsets: [
        { addresses: [{ ip: '10.0.0.1', nodeName: 'n', targetRef }], notReadyAddresses: [{ targetRef }] },
      ],
    },
    host: {
      subsets: [
        {
          addresses: [{ ip: '10.0.0.1', nodeName: 'n', targetRef: hostTargetRef }],
          notReadyAddresses: [{ targetRef: hostTargetRef }],
        },
      ],
    },
  },
  {
    resource: kind('endpointslices.discovery.k8s.io', 'EndpointSlice'),
    virtual: {
      metadata: { labels: { 'kubernetes.io/service-name': 'vc', app: 'web' } },
      endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'n', targetRef }],
    },
    host: {
      metadata: { labels: { 'kubernetes.io/service-name': copy('vc'), app: 'web' } },
      endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'n', targetRef: hostTargetRef }],
    },
  },
  {
    resource: kind('persistentvolumeclaims', 'PersistentVolumeClaim'),
    virtual: { spec: { volumeName: 'pv', storageClassName: 'fast' } },
    host: { spec: { volumeName: 'vcluster-pv-x-vcluster-vc-x-vc', storageClassName: 'fast' } },
  },
  {
    resource: kind('persistentvolumes', 'PersistentVolume', false),
    virtual: {
      spec: {
        claimRef: { kind: 'PersistentVolumeClaim', name: 'data', namespace: 'default' },
        csi: { nodeStageSecretRef: { name: 'key', namespace: 'default' } },
      },
    },
    host: {
      spec: {
        claimRef: { kind: 'PersistentVolumeClaim', name: copy('data'), namespace: 'vcluster-vc' },
        csi: { nodeStageSecretRef: { name: copy('key'), namespace: 'vcluster-vc' } },
      },
    },
  },
  {
    resource: kind('serviceaccounts', 'ServiceAccount'),
    virtual: { secrets: [{ name: 'token' }], imagePullSecrets: [{ name: 'registry' }] },
    host: { secrets: [{ name: copy('token') }], imagePullSecrets: [{ name: copy('registry') }] },
  },
  {
    resource: kind('ingresses.networking.k8s.io', 'Ingress'),
    virtual: {
      metadata: {
        annotations: {
          [nginx('auth-secret')]: 'default/basic',
          [nginx('auth-tls-secret')]: 'ca',
          [nginx('proxy-ssl-secret')]: 'other/client',
          [nginx('rewrite-target')]: '/',
          [alb('actions.blue')]:
            '{"forwardConfig":{"targetGroups":[{"serviceName":"blue","weight":1},{"ServiceName":"vc"},{"ſerviceName":"vc"}]}}',
          [alb('conditions.blue')]: '[]',
        },
      },
      spec: {
        tls: [{ secretName: 'cert' }],
        defaultBackend: backend('web'),
        rules: [{ http: { paths: [{ backend: backend('blue') }] } }],
      },
    },
    host: {
      metadata: {
        annotations: {
          [nginx('auth-secret')]: `vcluster-vc/${copy('basic')}`,
          [nginx('auth-tls-secret')]: copy('ca'),
          [nginx('proxy-ssl-secret')]: 'vcluster-vc/client-x-other-x-vc',
          [nginx('rewrite-target')]: '/',
          [alb(`actions.${copy('blue')}`)]:
            `{"forwardConfig":{"targetGroups":[{"serviceName":"${copy('blue')}","weight":1},{"ServiceName":"${copy('vc')}"},{"ſerviceName":"${copy('vc')}"}]}}`,
          [alb(`conditions.${copy('blue')}`)]: '[]',
        },
      },
      spec: {
        tls: [{ secretName: copy('cert') }],
        defaultBackend: backend(copy('web')),
        rules: [{ http: { paths: [{ backend: backend(copy('blue')) }] } }],
      },
    },
  },
  {
    resource: kind('networkpolicies.networking.k8s.io', 'NetworkPolicy'),
    virtual: { spec: { podSelector: selects, ingress: [{ from: [{ podSelector: selects }] }] } },
    host: { spec: { podSelector: selectsCopies, ingress: [{ from: [{ podSelector: selectsCopies }] }] } },
  },
  {
    resource: kind('poddisruptionbudgets.policy', 'PodDisruptionBudget'),
    virtual: { spec: { selector: selects, minAvailable: 1 } },
    host: { spec: { selector: selectsCopies, minAvailable: 1 } },
  },
  {
    resource: kind('volumesnapshots.snapshot.storage.k8s.io', 'VolumeSnapshot'),
    virtual: { spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'fast' } },
    host: { spec: { source: { persistentVolumeClaimName: copy('data') }, volumeSnapshotClassName: 'fast' } },
  },
  {
    resource: kind('pods', 'Pod'),
    virtual: {
      spec: {
        containers: [{ image: 'web' }],
        serviceAccountName: 'runner',
        volumes: [{ secret: { secretName: 'key' } }],
      },
    },
    host: {
      spec: {
        containers: [{ image: 'web' }],
        serviceAccountName: copy('runner'),
        volumes: [{ secret: { secretName: copy('key') } }],
      },
    },
  },
]

void t.test('what vcluster translates in each kind is translated', async (t) => {
  for (const { resource, virtual, host } of cases) {
    const naming = resource.namespaced ? namespacedNaming(ctx, {}) : clusterNaming(ctx)
    const translator = new ReferenceTranslator(resource, naming)
    const { metadata, ...content } = virtual
    const identity = { name: 'a', ...(resource.namespaced && { namespace: 'default' }) }
    const original = { ...content, metadata: { ...identity, ...(metadata as object) } } as KubeObject
    const found = translator.metadataToHost(translator.toHost(original))
    const expected = { ...host, metadata: { ...identity, ...(host.metadata as object) } }
    t.same(found, expected, resource.plural)
  }
})

void t.test('an annotation for load balancers that cannot be read is refused', async (t) => {
  const translator = new ReferenceTranslator(ingresses, namespacedNaming(ctx, {}))
  const annotations = { [alb('actions.a')]: '{"serviceName": vc}' }
  t.throws(
    () => translator.metadataToHost({ metadata: { namespace: 'default', name: 'a', annotations } }),
    /actions\.a" is not JSON/,
  )
})

const slices = kind('endpointslices.discovery.k8s.io', 'EndpointSlice')
const sliceKey = { namespace: 'vcluster-vc', name: copy('a') }

void t.test('a slice of a tenant belongs to the copy of its Service, whatever it says', async (t) => {
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, slices)))
  const labels = { 'kubernetes.io/service-name': 'web' }
  const metadata = { namespace: 'default', name: 'a', labels }
  await test.virtual.create(slices, { metadata, addressType: 'IPv4', endpoints: [] } as KubeObject)
  await test.settled()
  const onHost = async () =>
    (await test.host.get(slices, sliceKey)).metadata.labels?.['kubernetes.io/service-name']
  t.equal(await onHost(), copy('web'))
  const changed = { metadata: { labels: { 'kubernetes.io/service-name': 'vc' } } }
  await test.virtual.patch(slices, metadata, { type: 'merge', body: changed })
  await test.settled()
  t.equal(await onHost(), copy('vc'))
})

void t.test('a translated annotation is not taken for a change of the host', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    plugin.register(mirrorBoth(ctx, ingresses, { remembers: ['*', 'metadata.annotations'] }))
    plugin.register(mirrorDown(ctx, services))
  })
  const annotations = { [nginx('auth-secret')]: 'basic', [alb('conditions.web')]: '[]', note: 'hi' }
  const key = { namespace: 'default', name: 'a' }
  await test.virtual.create(ingresses, {
    metadata: { ...key, annotations },
    spec: { defaultBackend: backend('web') },
  })
  await test.settled()
  await test.host.patch(ingresses, sliceKey, {
    type: 'merge',
    body: { metadata: { annotations: { note: 'ho' } } },
  })
  await test.settled()
  const { metadata } = await test.virtual.get(ingresses, key)
  t.same(metadata.annotations, { ...annotations, note: 'ho' })
  t.match((await test.host.get(ingresses, sliceKey)).metadata.annotations, {
    [nginx('auth-secret')]: copy('basic'),
    [alb(`conditions.${copy('web')}`)]: '[]',
  })
})

void t.test('annotations that belong to one side stay there', async (t) => {
  const claims = kind('persistentvolumeclaims', 'PersistentVolumeClaim')
  const test = await running(t, (plugin, ctx) => plugin.register(mirrorDown(ctx, claims)))
  const annotations = { 'pv.kubernetes.io/bind-completed': 'yes', note: 'hi' }
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await test.virtual.create(claims, {
    metadata: { namespace: 'default', name: 'a', annotations },
    spec,
  } as KubeObject)
  await test.settled()
  const found = (await test.host.get(claims, sliceKey)).metadata.annotations
  t.equal(found?.note, 'hi')
  t.equal(found?.['pv.kubernetes.io/bind-completed'], undefined)
})
