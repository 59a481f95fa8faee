// Compares the translation with the objects that running vclusters of both versions wrote for one ConfigMap,
// and with their sources for changed objects.
import t from 'tap'
import { type ConfigMap, configMaps, type Pod, pods } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { VClusterVersion } from '../vcluster-options.js'
import { HostTranslator } from './host-translator.js'
import type { KindRules } from './kind-rules.js'
import { withHostReferences } from './pod-translation.js'

const owner = { apiVersion: 'v1', kind: 'Service', name: 'vc', uid: 'u-service' }

const translator = <T extends KubeObject>(
  version: VClusterVersion,
  rules: Pick<KindRules<T>, 'resource' | 'translated'>,
) =>
  new HostTranslator<T>({ vclusterName: 'vc', hostNamespace: 'vc-host', version, rules, owner: () => owner })

const configMapsOf = (version: VClusterVersion) => translator<ConfigMap>(version, { resource: configMaps })

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const greeting: ConfigMap = {
  metadata: {
    name: 'greeting',
    namespace: 'default',
    uid: 'u-greeting',
    resourceVersion: '5',
    finalizers: ['example.com/hold'],
    labels: { app: 'web', release: 'r1', 'vcluster.loft.sh/namespace': 'spoof' },
    annotations: { note: 'hi', [lastApplied]: '{}' },
  },
  data: { text: 'hello' },
}

const observed = {
  labels: {
    'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1',
    'vcluster.loft.sh/label-vc-x-101dcd4e86': 'spoof',
    'vcluster.loft.sh/managed-by': 'vc',
    'vcluster.loft.sh/namespace': 'default',
  },
  annotations: {
    note: 'hi',
    [lastApplied]: '{}',
    'vcluster.loft.sh/managed-annotations': `${lastApplied}\nnote`,
    'vcluster.loft.sh/object-name': 'greeting',
    'vcluster.loft.sh/object-namespace': 'default',
    'vcluster.loft.sh/object-uid': 'u-greeting',
  },
  ownerReferences: [{ ...owner, controller: false }],
}

void t.test('0.19 writes the copy that a running vcluster 0.19 wrote', async (t) => {
  t.same(configMapsOf('0.19').newCopy(greeting), {
    metadata: {
      ...observed,
      name: 'greeting-x-default-x-vc',
      namespace: 'vc-host',
      labels: { ...observed.labels, 'vcluster.loft.sh/label-vc-x-a172cedcae': 'web' },
    },
    data: { text: 'hello' },
  })
})

void t.test('0.36 writes the copy that a running vcluster 0.36 wrote', async (t) => {
  t.same(configMapsOf('0.36').newCopy(greeting), {
    metadata: {
      ...observed,
      name: 'greeting-x-default-x-vc',
      namespace: 'vc-host',
      labels: { ...observed.labels, app: 'web' },
      annotations: {
        ...observed.annotations,
        'vcluster.loft.sh/object-kind': '/v1, Kind=ConfigMap',
        'vcluster.loft.sh/object-host-name': 'greeting-x-default-x-vc',
        'vcluster.loft.sh/object-host-namespace': 'vc-host',
      },
    },
    data: { text: 'hello' },
  })
})

void t.test('a copy without user annotations has no managed-annotations', async (t) => {
  const { annotations: _, ...metadata } = greeting.metadata
  const copy = configMapsOf('0.36').newCopy({ metadata })
  t.notOk(copy.metadata.annotations?.['vcluster.loft.sh/managed-annotations'])
})

void t.test(
  'up to 0.20 annotations of the host are kept, and annotations that the user removes are removed',
  async (t) => {
    const old = configMapsOf('0.19')
    const copy = old.newCopy({
      ...greeting,
      metadata: { ...greeting.metadata, annotations: { a: '1', z: '1' } },
    })
    const annotations = { ...copy.metadata.annotations, 'host-only': 'keep' }
    const labels = { ...copy.metadata.labels, 'host-only': 'goes' }
    const host = { ...copy, metadata: { ...copy.metadata, annotations, labels } }
    const changed = { ...greeting, metadata: { ...greeting.metadata, annotations: { a: '2' } } }
    const updated = old.replacedMetadata(changed, host)
    t.match(updated.annotations, {
      a: '2',
      'host-only': 'keep',
      'vcluster.loft.sh/managed-annotations': 'a',
    })
    t.notOk(updated.annotations?.z)
    t.same(updated.labels, copy.metadata.labels)
  },
)

void t.test('a copy is recognised by name, label and annotations', async (t) => {
  for (const version of ['0.19', '0.36'] as const) {
    const one = configMapsOf(version)
    const copy = one.newCopy(greeting)
    const with_ = (metadata: object): ConfigMap => ({ ...copy, metadata: { ...copy.metadata, ...metadata } })
    t.same(one.virtualKey(copy), { namespace: 'default', name: 'greeting' })
    t.notOk(one.virtualKey(with_({ name: 'other' })))
    t.notOk(one.virtualKey(with_({ namespace: 'elsewhere' })))
    t.notOk(
      one.virtualKey(with_({ labels: { ...copy.metadata.labels, 'vcluster.loft.sh/managed-by': 'other' } })),
    )
    t.notOk(one.virtualKey(with_({ annotations: {} })))
    const kind = { ...copy.metadata.annotations, 'vcluster.loft.sh/object-kind': '/v1, Kind=Secret' }
    t.equal(one.virtualKey(with_({ annotations: kind })) === undefined, version === '0.36')
  }
})

void t.test('references of a Pod have the names on the host', async (t) => {
  const podTranslator = translator<Pod>('0.36', { resource: pods, translated: withHostReferences })
  const ref = (name: string) => ({ name })
  const env = [
    { name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    { name: 'B', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } },
    { name: 'C', value: 's' },
  ]
  const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web', release: 'r' } } }
  const spec: Pod['spec'] = {
    containers: [{ name: 's', env, envFrom: [{ secretRef: ref('s') }, { configMapRef: ref('c') }] }],
    imagePullSecrets: [ref('s')],
    volumes: [
      { name: 's', secret: { secretName: 's' } },
      { name: 'c', projected: { sources: [{ configMap: ref('c') }, { secret: ref('s') }] } },
      { name: 'p', persistentVolumeClaim: { claimName: 'p' } },
      { name: 'h', hostPath: { path: '/s' } },
    ],
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    topologySpreadConstraints: [{ ...term, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
  }
  const copy = podTranslator.newCopy({ metadata: { name: 'pod', namespace: 'ns' }, spec })
  const hostSelector = {
    matchLabels: {
      app: 'web',
      'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r',
      'vcluster.loft.sh/managed-by': 'vc',
      'vcluster.loft.sh/namespace': 'ns',
    },
  }
  t.same(copy.spec, {
    containers: [
      {
        name: 's',
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 's-x-ns-x-vc', key: 'k' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'c-x-ns-x-vc', key: 'k' } } },
          { name: 'C', value: 's' },
        ],
        envFrom: [{ secretRef: ref('s-x-ns-x-vc') }, { configMapRef: ref('c-x-ns-x-vc') }],
      },
    ],
    imagePullSecrets: [ref('s-x-ns-x-vc')],
    volumes: [
      { name: 's', secret: { secretName: 's-x-ns-x-vc' } },
      {
        name: 'c',
        projected: { sources: [{ configMap: ref('c-x-ns-x-vc') }, { secret: ref('s-x-ns-x-vc') }] },
      },
      { name: 'p', persistentVolumeClaim: { claimName: 'p-x-ns-x-vc' } },
      { name: 'h', hostPath: { path: '/s' } },
    ],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, labelSelector: hostSelector }],
      },
    },
    topologySpreadConstraints: [
      { ...term, labelSelector: hostSelector, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
    ],
  })
})
