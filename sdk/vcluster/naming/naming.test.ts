import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { configMaps, deployments } from '../../engine/kube/builtin.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject, ObjectMeta } from '../../engine/kube/object.js'
import { createKeyFilter } from '../syncer/translator/key-filter.js'
import { excludedKeys, hostAnnotations, kindMark } from './annotations.js'
import { convertLabelKey, hostLabels, labelScheme, virtualLabels } from './labels.js'
import {
  clusterScopedMarker,
  hostName,
  hostNameClusterScoped,
  hostNameOwnNamespace,
  hostNameShort,
  hostNameShortHex,
  hostNamespaceOf,
} from './names.js'

interface Vectors {
  hostName: {
    name: string
    namespace: string
    vcluster: string
    hostName: string
    hostNameShort_v0_21plus: string
    physicalNameShort_v0_20: string
  }[]
  hostNameCluster: {
    name: string
    hostNamespace: string
    vcluster: string
    hostName: string
    markerLabel: string
  }[]
  labelKey: { key: string; vcluster: string; label: string; nsLabel: string }[]
  clusterLabelKey_le_v0_20: { key: string; hostNamespace: string; vcluster: string; label: string }[]
  multiNamespace_v0_14_to_v0_25: {
    currentNamespace: string
    vNamespace: string
    vcluster: string
    hostNamespace: string
  }[]
  kubeRootCa: { vcluster: string; hostName: string }[]
  gvkString: [group: string, version: string, kind: string, text: string][]
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../test/vectors/vcluster-names.json', import.meta.url), 'utf8'),
) as Vectors

const vclusterName = 'vc'
const everything = () => true
const hashed = labelScheme({ mode: 'hashed', vclusterName })
const reserved = labelScheme({ mode: 'reserved', vclusterName })

const withMeta = (metadata: ObjectMeta): KubeObject => ({ metadata })

void t.test('host names are vcluster’s, in every known case', async (t) => {
  for (const vector of vectors.hostName) {
    const { name, namespace, vcluster } = vector
    t.equal(hostName(name, namespace, vcluster), vector.hostName)
    t.equal(hostNameShort(name, namespace, vcluster), vector.hostNameShort_v0_21plus)
    t.equal(hostNameShortHex(name, namespace, vcluster), vector.physicalNameShort_v0_20)
  }
  for (const { name, hostNamespace, vcluster, ...expected } of vectors.hostNameCluster) {
    t.equal(hostNameClusterScoped(name, hostNamespace, vcluster), expected.hostName)
    t.equal(clusterScopedMarker(hostNamespace, vcluster), expected.markerLabel)
  }
  for (const { vcluster, hostName } of vectors.kubeRootCa) {
    t.equal(hostNameOwnNamespace('kube-root-ca.crt', vcluster), hostName)
    t.equal(hostNameOwnNamespace('greeting', vcluster), 'greeting')
  }
  for (const {
    vNamespace,
    currentNamespace,
    vcluster,
    hostNamespace,
  } of vectors.multiNamespace_v0_14_to_v0_25) {
    t.equal(hostNamespaceOf(vNamespace, currentNamespace, vcluster), hostNamespace)
  }
  t.equal(hostNameClusterScoped('', 'vc-host', 'vc'), '')
  t.equal(hostNameShort('n266', 'default', 'vc'), 'v01v32v2oitxm9', 'a hash that begins with a zero byte')
})

void t.test('label keys and kind annotations are vcluster’s, in every known case', async (t) => {
  for (const { key, vcluster, label, nsLabel } of vectors.labelKey) {
    t.equal(convertLabelKey(key, vcluster), label)
    t.equal(convertLabelKey(key, vcluster, { prefix: 'vcluster.loft.sh/ns-label' }), nsLabel)
  }
  for (const { key, hostNamespace, vcluster, label } of vectors.clusterLabelKey_le_v0_20) {
    t.equal(labelScheme({ mode: 'hashed', vclusterName: vcluster, hostNamespace }).hostKey(key), label)
  }
  for (const [group, version, kind, text] of vectors.gvkString) {
    t.equal(kindMark({ group, version, kind }), text)
  }
})

const dnsName = fc
  .array(fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/), { minLength: 1, maxLength: 10 })
  .map((labels) =>
    labels
      .join('.')
      .slice(0, 253)
      .replace(/[.-]+$/, ''),
  )
const dnsLabel = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)

void t.test('a host name is a valid DNS name of at most 63 bytes, whatever the virtual name', async (t) => {
  const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
  fc.assert(
    fc.property(dnsName, dnsLabel, dnsLabel, (name, namespace, vcluster) => {
      const result = hostName(name, namespace, vcluster)
      return Buffer.byteLength(result) <= 63 && validName.test(result)
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => hostName(name, 'ns', 'vc').length <= 63))
  t.pass()
})

const observed = withMeta({
  name: 'greeting',
  namespace: 'default',
  uid: 'u1',
  labels: { app: 'web', release: 'r1', 'vcluster.loft.sh/namespace': 'spoof' },
  annotations: { note: 'hi', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
})
const observedKey: Key = { namespace: 'vc-host', name: 'greeting-x-default-x-vc' }

void t.test('labels are those that vcluster 0.19 and 0.36 write', async (t) => {
  const ownership = { 'vcluster.loft.sh/managed-by': 'vc', 'vcluster.loft.sh/namespace': 'default' }
  t.strictSame(hostLabels(observed, undefined, { scheme: hashed, marker: 'vc', accepts: everything }), {
    'vcluster.loft.sh/label-vc-x-a172cedcae': 'web',
    'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1',
    'vcluster.loft.sh/label-vc-x-101dcd4e86': 'spoof',
    ...ownership,
  })
  t.strictSame(hostLabels(observed, undefined, { scheme: reserved, marker: 'vc', accepts: everything }), {
    app: 'web',
    'vcluster.loft.sh/label-vc-x-a4d451ec23': 'r1',
    'vcluster.loft.sh/label-vc-x-101dcd4e86': 'spoof',
    ...ownership,
  })
})

void t.test('a copy’s labels are replaced as a whole, but it keeps its own controlled-by', async (t) => {
  const host = withMeta({ labels: { stale: 'x', 'vcluster.loft.sh/controlled-by': 'someone' } })
  const virtual = withMeta({
    name: 'a',
    namespace: 'b',
    labels: { app: 'web', 'vcluster.loft.sh/controlled-by': 'me' },
  })
  for (const scheme of [hashed, reserved]) {
    const labels = hostLabels(virtual, host, { scheme, marker: 'vc', accepts: (key) => key !== 'app' })
    t.equal(labels['vcluster.loft.sh/controlled-by'], 'someone')
    t.equal(labels['vcluster.loft.sh/label-vc-x-2080cec00f'], 'me')
    t.equal(Object.keys(labels).length, 4, 'neither the stale label nor the one filtered out')
  }
})

const labelKey = fc.oneof(
  fc.constantFrom('app', 'release', 'vcluster.loft.sh/namespace', 'vcluster.loft.sh/managed-by'),
  fc.stringMatching(/^([a-z]{1,9}\.io\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,20}[A-Za-z0-9])?$/),
  fc.constant('__proto__'),
)
const labelMap = fc.array(fc.tuple(labelKey, fc.string())).map((entries) => Object.fromEntries(entries))

void t.test('reserved labels come back as they went', async (t) => {
  fc.assert(
    fc.property(labelMap, (labels) => {
      const options = { scheme: reserved, marker: 'vc', accepts: everything }
      const there = hostLabels(withMeta({ name: 'a', namespace: 'b', labels }), undefined, options)
      t.strictSame(
        Object.entries(virtualLabels(withMeta({ labels: there }), reserved)).sort(),
        Object.entries(labels).sort(),
      )
    }),
  )
  t.strictSame(
    virtualLabels(withMeta({ labels: { release: 'host' } }), reserved),
    {},
    'the host’s own stay there',
  )
  t.strictSame(virtualLabels(withMeta({ labels: { x: 'y' } }), hashed), {}, 'a hash cannot be read back')
})

void t.test('annotations are those that vcluster 0.36 writes', async (t) => {
  const options = {
    hostKey: observedKey,
    resource: configMaps,
    excluded: excludedKeys([]),
    accepts: everything,
  }
  t.strictSame(hostAnnotations(observed, undefined, options), {
    note: 'hi',
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'vcluster.loft.sh/managed-annotations': 'kubectl.kubernetes.io/last-applied-configuration\nnote',
    'vcluster.loft.sh/object-name': 'greeting',
    'vcluster.loft.sh/object-namespace': 'default',
    'vcluster.loft.sh/object-uid': 'u1',
    'vcluster.loft.sh/object-kind': '/v1, Kind=ConfigMap',
    'vcluster.loft.sh/object-host-name': 'greeting-x-default-x-vc',
    'vcluster.loft.sh/object-host-namespace': 'vc-host',
  })
  const cluster = hostAnnotations(
    withMeta({ name: 'p', uid: 'u' }),
    withMeta({ annotations: { 'vcluster.loft.sh/object-namespace': 'x' } }),
    {
      ...options,
      hostKey: { namespace: '', name: 'vcluster-p-x-vc-host-x-vc' },
      resource: deployments,
    },
  )
  t.strictSame(cluster, {
    'vcluster.loft.sh/object-name': 'p',
    'vcluster.loft.sh/object-uid': 'u',
    'vcluster.loft.sh/object-kind': 'apps/v1, Kind=Deployment',
    'vcluster.loft.sh/object-host-name': 'vcluster-p-x-vc-host-x-vc',
  })
})

void t.test('an annotation is removed when the original drops it, and the host’s own stay', async (t) => {
  const host = withMeta({
    annotations: {
      team: 'a',
      zeta: '1',
      denied: 'copied before it was denied',
      'host-only': 'keep',
      'field.cattle.io/publicEndpoints': 'from-host',
      'vcluster.loft.sh/skip-backsync': 'true',
      'vcluster.loft.sh/managed-annotations': 'denied\nfield.cattle.io/publicEndpoints\nteam\nzeta',
    },
  })
  const annotations = { team: 'b', denied: 'x', 'field.cattle.io/publicEndpoints': 'from-user' }
  const result = hostAnnotations(withMeta({ ...observed.metadata, annotations }), host, {
    hostKey: observedKey,
    resource: configMaps,
    excluded: excludedKeys(['field.cattle.io/publicEndpoints']),
    accepts: createKeyFilter({ deny: ['denied'] }),
  })
  const unmarked = Object.entries(result).filter(([key]) => !key.includes('/object-'))
  t.strictSame(Object.fromEntries(unmarked), {
    team: 'b',
    'host-only': 'keep',
    'field.cattle.io/publicEndpoints': 'from-host',
    'vcluster.loft.sh/skip-backsync': 'true',
    'vcluster.loft.sh/managed-annotations': 'team',
  })
})

void t.test('an ownership label that a tenant writes never passes for ours on the host', async (t) => {
  const names = [
    'managed-by',
    'namespace',
    'controlled-by',
    'label-vc-x-a4d451ec23',
    'ns-label-vc-x-cf1227b7b2',
  ]
  const own = ['managed-by', 'leases-of', 'lease-role', 'anything'].map(
    (name) => `plugin.vcluster.loft.sh/${name}`,
  )
  const keys = [...names.map((name) => `vcluster.loft.sh/${name}`), ...own]
  const labels = Object.fromEntries(keys.map((key) => [key, 'spoof']))
  const objectNames = ['name', 'namespace', 'uid', 'kind', 'host-name', 'host-namespace', 'imported'].map(
    (name) => `object-${name}`,
  )
  const others = [
    'managed-annotations',
    'managed-labels',
    'controlled-by',
    'skip-backsync',
    'force-sync',
    'import',
  ]
  const ours = ['host-object', 'managed-annotations', 'host-finalizers', 'last-synced', 'shards']
  const annotationKeys = [
    ...[...objectNames, ...others].map((name) => `vcluster.loft.sh/${name}`),
    ...ours.map((name) => `plugin.vcluster.loft.sh/${name}`),
  ]
  const annotations = Object.fromEntries(annotationKeys.map((key) => [key, 'spoof']))
  const virtual = withMeta({ name: 'a', namespace: 'b', labels, annotations })

  for (const scheme of [hashed, reserved]) {
    const copied = hostLabels(virtual, undefined, { scheme, marker: 'vc', accepts: everything })
    for (const key of keys) t.not(copied[key], 'spoof', key)
  }
  const options = {
    hostKey: observedKey,
    resource: configMaps,
    excluded: excludedKeys([]),
    accepts: everything,
  }
  t.notOk(Object.values(hostAnnotations(virtual, undefined, options)).includes('spoof'))
  // An earlier version let some come: what is known to have come from the original goes.
  const [came, hosts] = ['vcluster.loft.sh/force-sync', 'plugin.vcluster.loft.sh/of-the-host']
  const host = withMeta({
    ...observedKey,
    annotations: { [came]: 'spoof', [hosts]: 'stays', 'vcluster.loft.sh/managed-annotations': came },
  })
  const updated = hostAnnotations(virtual, host, options)
  t.equal(updated[came], undefined)
  t.equal(updated[hosts], 'stays')
})
