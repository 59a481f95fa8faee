// Attacks by tenants and hostile clusters, on embedded clusters and on real ones.
import t, { type Test } from 'tap'
import { createClient } from '../../sdk/engine/client/create-client.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  priorityClasses,
  type Secret,
  secrets,
  serviceAccounts,
  services,
} from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { parseJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { type Resource, resourcePath } from '../../sdk/engine/kube/resource.js'
import { noMetrics } from '../../sdk/engine/observe/metrics.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { hostName } from '../../sdk/vcluster/naming/names.js'
import {
  definitions,
  widgetDefinition,
  widgets,
} from '../../sdk/vcluster/syncer/references/widgets.fixture.js'
import { mirrorDown } from '../../sdk/vcluster/syncer/translator/mirror.js'
import { NamespacedTranslator } from '../../sdk/vcluster/syncer/translator/namespaced-translator.js'
import { itemsOfPart } from '../../testing/explore/part.js'
import type { Register } from '../../testing/plugin/test-plugin.js'
import { dailyPart } from '../daily-part.js'
import { missingAssets } from '../real/real-cluster.js'
import { until } from '../until.js'
import {
  type AttackEnvironment,
  type AttackedVCluster,
  embeddedEnvironment,
  found,
  openVCluster,
  realEnvironment,
} from './attacked-vcluster.js'

/** A plugin that copies the objects of tenants. */
const copying: Register = (plugin, ctx) => {
  plugin.register(mirrorDown(ctx, configMaps))
  plugin.register(mirrorDown(ctx, secrets))
  plugin.register(mirrorDown(ctx, widgets, { statusUp: ['phase'] }))
}

/** One attack and the check of its result. */
interface Attack {
  readonly title: string
  /** Default {@link copying}. */
  readonly register?: Register
  readonly run: (t: Test, vcluster: AttackedVCluster) => Promise<void>
}

const markerLabel = 'vcluster.loft.sh/managed-by'
const merge = (body: object) => ({ type: 'merge', body }) as const
const at = ({ home }: AttackedVCluster, name: string) => ({ namespace: home, name })
const copyAt = ({ home, target }: AttackedVCluster, name: string) => ({
  namespace: target,
  name: hostName(name, home, 'vc'),
})

/** The copies of a kind in the vcluster of a tenant. */
async function copies<T extends KubeObject>(
  { host, target, home }: AttackedVCluster,
  resource: Resource<T>,
  namespace = home,
): Promise<T[]> {
  const { items } = await host.listAll(resource, { namespace: target })
  return items.filter(({ metadata }) => metadata.labels?.['vcluster.loft.sh/namespace'] === namespace)
}

const attacks: readonly Attack[] = [
  {
    title: 'A1: a second original with the same host name is rejected, and copied when the first is deleted',
    async run(t, vcluster) {
      const { virtual, home } = vcluster
      const other = `b-x-${home}`
      await virtual.create(namespaces, { metadata: { name: other } })
      const first = { namespace: home, name: 'a-x-b' }
      const second = { namespace: other, name: 'a' }
      t.equal(hostName(first.name, first.namespace, 'vc'), hostName(second.name, second.namespace, 'vc'))
      await virtual.create(configMaps, { metadata: first, data: { from: 'first' } })
      await vcluster.settled()
      await virtual.create(configMaps, { metadata: second, data: { from: 'second' } })
      await vcluster.settled()
      const data = async () => (await found(vcluster.host, copyAt(vcluster, 'a-x-b')))?.data
      t.same(await data(), { from: 'first' })
      await virtual.delete(configMaps, first)
      await until(async () => (await data())?.from === 'second')
      await virtual.delete(configMaps, second)
      await vcluster.settled()
      t.equal(await data(), undefined)
    },
  },
  {
    title: 'A2: names of any length and form have distinct copies',
    async run(t, vcluster) {
      const long = 'x'.repeat(200)
      const names = [
        long,
        `${long}y`,
        `${'a.'.repeat(25)}b.c`,
        'a.b',
        'a-b',
        `${'n'.repeat(51)}.${'m'.repeat(100)}`,
      ]
      for (const name of names) {
        await vcluster.virtual.create(configMaps, { metadata: at(vcluster, name), data: { name } })
      }
      await vcluster.settled()
      for (const name of names) {
        t.equal((await found(vcluster.host, copyAt(vcluster, name)))?.data?.name, name)
      }
      t.equal(new Set(names.map((name) => copyAt(vcluster, name).name)).size, names.length)
    },
  },
  {
    title: 'A3: a foreign host object with the name is kept, and an Event reports it',
    async run(t, vcluster) {
      await vcluster.host.create(configMaps, { metadata: copyAt(vcluster, 'taken'), data: { mine: 'yes' } })
      await vcluster.virtual.create(configMaps, { metadata: at(vcluster, 'taken'), data: { mine: 'no' } })
      await vcluster.settled()
      await vcluster.virtual.delete(configMaps, at(vcluster, 'taken'))
      await vcluster.settled()
      t.same((await found(vcluster.host, copyAt(vcluster, 'taken')))?.data, { mine: 'yes' })
      t.match((await vcluster.events()).join('\n'), 'NameConflict')
    },
  },
  {
    title: 'A4: a foreign host object with the labels and annotations of a copy does not become a copy',
    async run(t, vcluster) {
      await vcluster.virtual.create(configMaps, { metadata: at(vcluster, 'real'), data: { a: 'b' } })
      await vcluster.settled()
      const { metadata } = await vcluster.host.get(configMaps, copyAt(vcluster, 'real'))
      const { labels = {}, annotations = {} } = metadata
      const spoof = { namespace: vcluster.target, name: 'spoof' }
      await vcluster.host.create(configMaps, {
        metadata: { ...spoof, labels, annotations },
        data: { mine: 'yes' },
      })
      await vcluster.virtual.patch(configMaps, at(vcluster, 'real'), merge({ data: { a: 'c' } }))
      await vcluster.settled()
      await vcluster.virtual.delete(configMaps, at(vcluster, 'real'))
      await vcluster.settled()
      t.same((await found(vcluster.host, spoof))?.data, { mine: 'yes' })
      t.equal(await found(vcluster.host, copyAt(vcluster, 'real')), undefined)
    },
  },
  {
    title: 'A5: labels and annotations that a tenant writes do not reach the copy or redirect it',
    async run(t, vcluster) {
      const forged = {
        'vcluster.loft.sh/object-name': 'other',
        'vcluster.loft.sh/object-namespace': 'kube-system',
        'vcluster.loft.sh/object-uid': 'forged',
        'vcluster.loft.sh/object-host-name': 'other',
        'vcluster.loft.sh/object-host-namespace': 'kube-system',
        'vcluster.loft.sh/skip-backsync': 'true',
        'vcluster.loft.sh/force-sync': 'true',
        'vcluster.loft.sh/import': 'kube-system/stolen',
        'plugin.vcluster.loft.sh/host-object': 'kube-system/other',
        'plugin.vcluster.loft.sh/managed-annotations': 'vcluster.loft.sh/object-name',
        'plugin.vcluster.loft.sh/last-synced': '{}',
      }
      const labels = {
        [markerLabel]: 'someone',
        'vcluster.loft.sh/namespace': 'kube-system',
        'plugin.vcluster.loft.sh/managed-by': 'configmap-up',
        'plugin.vcluster.loft.sh/leases-of': 'vc-plugin-test',
        'plugin.vcluster.loft.sh/lease-role': 'replica',
      }
      await vcluster.virtual.create(configMaps, {
        metadata: { ...at(vcluster, 'forger'), labels, annotations: forged },
        data: { a: 'b' },
      })
      await vcluster.settled()
      const copy = await vcluster.host.get(configMaps, copyAt(vcluster, 'forger'))
      t.equal(copy.metadata.labels?.[markerLabel], 'vc')
      t.match(copy.metadata.annotations, {
        'vcluster.loft.sh/object-name': 'forger',
        'vcluster.loft.sh/object-namespace': vcluster.home,
        'vcluster.loft.sh/object-host-name': copy.metadata.name,
      })
      const keys = Object.keys({ ...copy.metadata.labels, ...copy.metadata.annotations })
      const known = [
        'managed-by',
        'namespace',
        'object-name',
        'object-namespace',
        'object-uid',
        'object-kind',
      ]
      const expected = [...known, 'object-host-name', 'object-host-namespace'].map(
        (name) => `vcluster.loft.sh/${name}`,
      )
      const isOwnershipKey = (name: string) =>
        name.includes('vcluster.loft.sh/') && !name.includes('vcluster.loft.sh/label')
      t.same(
        keys.filter(isOwnershipKey).sort(),
        expected.sort(),
        'no other reserved label or annotation reaches the host',
      )
      await vcluster.virtual.delete(configMaps, at(vcluster, 'forger'))
      await vcluster.settled()
      t.equal(
        await found(vcluster.host, copyAt(vcluster, 'forger')),
        undefined,
        'it is deleted with its original',
      )
    },
  },
  {
    title: 'A6: labels with effects on the host are not copied if the plugin lists the allowed ones',
    register: (plugin, ctx) =>
      plugin.register(
        mirrorDown(ctx, configMaps, { labels: { deny: ['*istio.io/*', 'pod-security.kubernetes.io/*'] } }),
      ),
    async run(t, vcluster) {
      const labels = {
        app: 'web',
        'sidecar.istio.io/inject': 'false',
        'pod-security.kubernetes.io/enforce': 'privileged',
      }
      await vcluster.virtual.create(configMaps, { metadata: { ...at(vcluster, 'a'), labels } })
      await vcluster.settled()
      const copied = Object.keys(
        (await vcluster.host.get(configMaps, copyAt(vcluster, 'a'))).metadata.labels ?? {},
      )
      t.same(copied.sort(), ['app', markerLabel, 'vcluster.loft.sh/namespace'])
    },
  },
  {
    title: 'A7: annotations for controllers of the host are not copied if the plugin lists the allowed ones',
    register: (plugin, ctx) =>
      plugin.register(
        mirrorDown(ctx, configMaps, { annotations: { deny: ['*.kubernetes.io/*', 'cert-manager.io/*'] } }),
      ),
    async run(t, vcluster) {
      const annotations = {
        note: 'kept',
        'external-dns.alpha.kubernetes.io/hostname': 'bank.example',
        'cert-manager.io/cluster-issuer': 'prod',
      }
      await vcluster.virtual.create(configMaps, { metadata: { ...at(vcluster, 'a'), annotations } })
      await vcluster.settled()
      const copy = await vcluster.host.get(configMaps, copyAt(vcluster, 'a'))
      const copied = Object.keys(copy.metadata.annotations ?? {}).filter(
        (name) => !name.startsWith('vcluster.loft.sh/'),
      )
      t.same(copied, ['note'])
    },
  },
  {
    title:
      'A8: a Secret that requests a token of the host’s service account gets none, and none is copied back',
    async run(t, vcluster) {
      const annotations = { 'kubernetes.io/service-account.name': 'default' }
      await vcluster.virtual
        .create(serviceAccounts, { metadata: at(vcluster, 'default') })
        .catch(() => undefined)
      await vcluster.virtual.create(secrets, {
        metadata: { ...at(vcluster, 'token'), annotations },
        type: 'kubernetes.io/service-account-token',
      })
      await vcluster.settled()
      t.equal((await vcluster.host.get(secrets, copyAt(vcluster, 'token'))).type, 'Opaque')
      await vcluster.host.patch(secrets, copyAt(vcluster, 'token'), merge({ data: { token: 'aG9zdA==' } }))
      await vcluster.settled()
      t.not((await vcluster.virtual.get<Secret>(secrets, at(vcluster, 'token'))).data?.token, 'aG9zdA==')
    },
  },
  {
    title: 'A9: a namespaced syncer does not accept a cluster-scoped kind',
    async run(t) {
      class Reaching extends NamespacedTranslator<KubeObject> {
        async syncDown() {}
        async sync() {}
      }
      const ctx = { metrics: noMetrics, clock: systemClock, vclusterName: 'vc' } as never
      t.throws(() => new Reaching(ctx, 'reaching', priorityClasses as Resource), {
        code: 'NOT_NAMESPACED',
      })
    },
  },
  {
    title: 'A10: owners and finalizers of an original are not copied',
    async run(t, vcluster) {
      const owner = await vcluster.virtual.create(configMaps, { metadata: at(vcluster, 'owner') })
      const ownerReferences = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' },
      ]
      await vcluster.virtual.create(configMaps, {
        metadata: { ...at(vcluster, 'owned'), ownerReferences, finalizers: ['example.com/hold'] },
      })
      await vcluster.settled()
      const { metadata } = await vcluster.host.get(configMaps, copyAt(vcluster, 'owned'))
      t.match(metadata.ownerReferences, [{ kind: 'Service', name: 'vc' }])
      t.equal(metadata.finalizers, undefined)
      await vcluster.virtual.patch(
        configMaps,
        at(vcluster, 'owned'),
        merge({ metadata: { finalizers: null } }),
      )
    },
  },
  {
    title: 'A11: an object that is deleted and recreated at once gets a new copy',
    async run(t, vcluster) {
      for (let round = 0; round < 10; round++) {
        await vcluster.virtual.create(configMaps, {
          metadata: at(vcluster, 'quick'),
          data: { round: `${round}` },
        })
        if (round < 9) await vcluster.virtual.delete(configMaps, at(vcluster, 'quick'))
      }
      const { metadata } = await vcluster.virtual.get(configMaps, at(vcluster, 'quick'))
      await vcluster.settled()
      const copy = await vcluster.host.get(configMaps, copyAt(vcluster, 'quick'))
      t.same(copy.data, { round: '9' })
      t.equal(copy.metadata.annotations?.['vcluster.loft.sh/object-uid'], metadata.uid)
    },
  },
  {
    title: 'A12: an object whose copy is too large is reported and blocks no other object',
    async run(t, vcluster) {
      const annotations = { big: 'x'.repeat(256 * 1024 - 100) }
      await vcluster.virtual.create(configMaps, { metadata: { ...at(vcluster, 'huge'), annotations } })
      await vcluster.virtual.create(configMaps, { metadata: at(vcluster, 'small') })
      await until(async () => (await found(vcluster.host, copyAt(vcluster, 'small'))) !== undefined)
      await until(async () => (await vcluster.events()).some((text) => /SyncError: .*[Tt]oo long/.test(text)))
      t.equal(await found(vcluster.host, copyAt(vcluster, 'huge')), undefined)
      const small = merge({ metadata: { annotations: { big: 'small' } } })
      await vcluster.virtual.patch(configMaps, at(vcluster, 'huge'), small)
      await until(async () => (await found(vcluster.host, copyAt(vcluster, 'huge'))) !== undefined)
    },
  },
  {
    title: 'A13: a flood in one namespace does not block copies of others, and loses no object',
    async run(t, vcluster) {
      const quiet = `quiet-${vcluster.home}`
      await vcluster.virtual.create(namespaces, { metadata: { name: quiet } })
      await vcluster.virtual.create(configMaps, { metadata: at(vcluster, 'busy') })
      await vcluster.settled()
      const before = await vcluster.host.get(configMaps, copyAt(vcluster, 'busy'))
      const flood = Array.from({ length: 300 }, (_, i) =>
        vcluster.virtual.patch(configMaps, at(vcluster, 'busy'), merge({ data: { count: `${i}` } })),
      )
      const many = Array.from({ length: 300 }, (_, i) =>
        vcluster.virtual.create(configMaps, { metadata: at(vcluster, `flood-${i}`) }),
      )
      await vcluster.virtual.create(configMaps, { metadata: { namespace: quiet, name: 'one' } })
      await until(async () => (await copies(vcluster, configMaps, quiet)).length > 0)
      await Promise.all([...flood, ...many])
      await vcluster.settled()
      t.equal(
        (await copies(vcluster, configMaps)).filter(({ metadata }) => metadata.name?.startsWith('flood-'))
          .length,
        300,
      )
      const after = await vcluster.host.get(configMaps, copyAt(vcluster, 'busy'))
      t.not(after.metadata.resourceVersion, before.metadata.resourceVersion)
      const { data } = await vcluster.virtual.get(configMaps, at(vcluster, 'busy'))
      t.same(after.data, data)
    },
  },
  {
    title: 'A14: an exhausted quota is tried once for all objects, reported once, and its end is noticed',
    async run(t, vcluster) {
      // The copies of other namespaces exist now, so the first rejected object is one of this namespace.
      await vcluster.settled()
      const lift = await vcluster.fillQuota()
      const names = Array.from({ length: 30 }, (_, i) => `over-${i}`)
      for (const name of names) await vcluster.virtual.create(configMaps, { metadata: at(vcluster, name) })
      await until(async () => (await vcluster.said()).includes('refuses all writes of this sort'))
      const told = async () =>
        (await vcluster.events()).filter((text) => text.includes('exceeded quota')).length
      await until(async () => (await told()) > 0)
      t.equal(await told(), 1)
      await lift()
      await until(async () => {
        const made = await copies(vcluster, configMaps)
        return made.filter(({ metadata }) => metadata.name?.startsWith('over-')).length === names.length
      })
    },
  },
  {
    title: 'A15: data keys such as __proto__ are data, and pollute no prototype',
    async run(t, vcluster) {
      const data = parseJson('{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}')
      await vcluster.virtual.create<ConfigMap>(configMaps, {
        metadata: at(vcluster, 'proto'),
        data: data as never,
      })
      const spec = parseJson('{"__proto__":{"polluted":true},"nested":{"constructor":{"prototype":{"x":1}}}}')
      await vcluster.virtual.create(widgets, { metadata: at(vcluster, 'proto'), spec: spec as never })
      await vcluster.settled()
      t.equal(
        stringifyJson(sorted((await vcluster.host.get(configMaps, copyAt(vcluster, 'proto'))).data)),
        stringifyJson(sorted(data)),
      )
      t.equal(
        stringifyJson(sorted((await vcluster.host.get(widgets, copyAt(vcluster, 'proto'))).spec)),
        stringifyJson(sorted(spec)),
      )
      t.equal(({} as { polluted?: boolean }).polluted, undefined)
    },
  },
  {
    title: 'A16: numbers are copied with all digits',
    async run(t, vcluster) {
      const text =
        '{"big":9007199254740993,"least":-9223372036854775808,"most":9223372036854775807,"one":1,"small":0.1}'
      await vcluster.virtual.create(widgets, {
        metadata: at(vcluster, 'numbers'),
        spec: parseJson(text) as never,
      })
      await vcluster.settled()
      const { metadata, spec } = await vcluster.host.get(widgets, copyAt(vcluster, 'numbers'))
      t.equal(stringifyJson(spec), text)
      await vcluster.settled()
      const again = await vcluster.host.get(widgets, copyAt(vcluster, 'numbers'))
      t.equal(again.metadata.resourceVersion, metadata.resourceVersion, 'and are equal afterwards')
    },
  },
  {
    title:
      'A16 and A17: for any bytes that a tenant sends, the copy has the content that the API server stores',
    async run(t, vcluster) {
      const deep = (levels: number) => `${'{"d":'.repeat(levels)}1${'}'.repeat(levels)}`
      const specs: Record<string, string> = {
        floats: '{"one":1.0,"hundred":1e2,"zero":-0,"tiny":5e-324}',
        twice: '{"twice":1,"twice":{"last":2}}',
        lone: '{"lone":"\\ud800","pair":"\\ud83d\\ude00","key\\u2028":1}',
        nested: `{"deep":${deep(9000)}}`,
      }
      const kept: string[] = []
      for (const [name, spec] of Object.entries(specs)) {
        const metadata = JSON.stringify(at(vcluster, name))
        const body = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":${metadata},"spec":${spec}}`
        const path = resourcePath(widgets, { namespace: vcluster.home })
        const headers = { 'content-type': 'application/json' }
        const { status } = await vcluster.tenant.request({ method: 'POST', path, headers, body })
        t.ok(status === 201 || (status >= 400 && status < 500), `${name}: ${status}`)
        if (status === 201) kept.push(name)
      }
      t.ok(kept.includes('floats') && kept.includes('lone'), `${kept} were kept`)
      await vcluster.settled()
      const copyOf = (name: string) => vcluster.host.get(widgets, copyAt(vcluster, name))
      const isThere = async (name: string) =>
        (await found(vcluster.host, copyAt(vcluster, name), widgets)) !== undefined
      for (const name of kept) await until(() => isThere(name))
      await vcluster.settled()
      const before = await Promise.all(kept.map(copyOf))
      for (const [i, name] of kept.entries()) {
        const { spec } = await vcluster.virtual.get(widgets, at(vcluster, name))
        t.equal(stringifyJson(before[i]?.spec), stringifyJson(spec), name)
      }
      await vcluster.settled()
      const after = await Promise.all(kept.map(copyOf))
      const versions = (copies: typeof after) => copies.map(({ metadata }) => metadata.resourceVersion)
      t.same(versions(after), versions(before), 'and it is not written again')
    },
  },
  {
    title:
      'A17: unusual strings, a line of a megabyte and deep objects are copied, or the API server rejects them',
    async run(t, vcluster) {
      const odd = '\u0000\u2028\u2029\ud83d\ude00 <&>"\\'
      await vcluster.virtual.create(widgets, {
        metadata: at(vcluster, 'odd'),
        spec: { odd, line: 'x'.repeat(1_000_000) },
      })
      let deep: unknown = 'bottom'
      for (let level = 0; level < 3000; level++) deep = { d: deep }
      await vcluster.virtual.create(widgets, { metadata: at(vcluster, 'deep'), spec: { deep } })
      await vcluster.settled()
      const isThere = async (name: string) =>
        (await found(vcluster.host, copyAt(vcluster, name), widgets)) !== undefined
      await until(async () => (await isThere('odd')) && (await isThere('deep')))
      const copy = await vcluster.host.get(widgets, copyAt(vcluster, 'odd'))
      t.same([copy.spec?.odd, String(copy.spec?.line).length], [odd, 1_000_000])
      const { spec } = await vcluster.host.get(widgets, copyAt(vcluster, 'deep'))
      t.equal(stringifyJson(spec), stringifyJson({ deep }))
    },
  },
  {
    title: 'A18: only the status is copied back, and only the named fields',
    async run(t, vcluster) {
      const status = (fields: object) => ({ ...merge({ status: fields }), subresource: 'status' })
      await vcluster.virtual.create(widgets, { metadata: at(vcluster, 'w'), spec: { size: 1 } })
      await vcluster.virtual.patch(widgets, at(vcluster, 'w'), status({ phase: 'Forged', node: 'mine' }))
      await vcluster.settled()
      t.equal((await vcluster.host.get(widgets, copyAt(vcluster, 'w'))).status, undefined)
      await vcluster.host.patch(widgets, copyAt(vcluster, 'w'), status({ phase: 'Ready', node: 'host-7' }))
      await until(
        async () => (await vcluster.virtual.get(widgets, at(vcluster, 'w'))).status?.phase === 'Ready',
      )
      t.same((await vcluster.virtual.get(widgets, at(vcluster, 'w'))).status, {
        phase: 'Ready',
        node: 'mine',
      })
    },
  },
  {
    title: 'A19: an object that references an object of the host is not copied',
    async run(t, vcluster) {
      const reaching: Record<string, Record<string, unknown>> = {
        secret: { tls: [{ secretName: 'vc-kubeconfig' }] },
        config: { configMapRef: { name: 'kube-root-ca.crt' } },
        account: { serviceAccountName: 'vc-vcluster' },
        node: { nodeName: 'control-plane' },
        path: { volume: { hostPath: { path: '/' } } },
        pull: { imagePullSecrets: [{ name: 'registry' }] },
        selector: { podSelector: {} },
        pod: { template: { spec: { containers: [{ image: 'sh' }] } } },
        kind: { valuesFrom: [{ kind: 'Secret', name: 'vc-kubeconfig' }] },
        subject: { subjects: [{ kind: 'ServiceAccount', name: 'vc-vcluster' }] },
        secrets: { secrets: ['vc-kubeconfig'] },
        maps: { configMaps: [{ name: 'kube-root-ca.crt' }] },
        suffix: { auth: { existingSecret: 'vc-kubeconfig' } },
        nested: { credentials: { secret: { name: 'vc-kubeconfig' } } },
        projected: { projected: { sources: [{ secret: { name: 'vc-kubeconfig' } }] } },
        key: { password: { name: 'vc-kubeconfig', key: 'config' } },
        source: { sourceRef: { kind: 'GitRepository', name: 'infra', namespace: 'flux-system' } },
        target: { targetRef: { name: 'vc', namespace: 'kube-system' } },
        service: { backend: { service: { name: 'vc', port: 443 } } },
        namespace: { targetNamespace: 'kube-system' },
      }
      for (const [name, spec] of Object.entries(reaching)) {
        await vcluster.virtual.create(widgets, { metadata: at(vcluster, name), spec })
      }
      const told = async () => (await vcluster.events()).filter((text) => text.startsWith('SyncError')).length
      await until(async () => (await told()) >= Object.keys(reaching).length)
      await vcluster.settled()
      t.equal(await told(), Object.keys(reaching).length)
      t.same(await copies(vcluster, widgets), [])
    },
  },
  {
    title: 'A20: the data of a Secret is in no log line, no metric, no Event and no error',
    async run(t, vcluster) {
      const canary = 'c4n4ry-5ecret-value'
      const stringData = { password: canary }
      const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ stringData }) }
      const create = (name: string, more: object) =>
        vcluster.virtual.create<Secret>(secrets, { metadata: { ...at(vcluster, name), ...more }, stringData })
      await create('plain', { annotations: applied })
      // The API server rejects its copy and quotes it in the error.
      await create('refused', { annotations: { ...applied, ...annotationsUpTo(262_000, applied, canary) } })
      await vcluster.host.create(secrets, { metadata: copyAt(vcluster, 'taken'), stringData })
      await create('taken', {})
      await vcluster.settled()
      const said = await vcluster.said()
      const encoded = Buffer.from(canary).toString('base64')
      const events = await vcluster.events()
      t.match(events.join('\n'), 'SyncError', 'one was rejected')
      t.match(events.join('\n'), 'NameConflict')
      t.match(said, 'secrets', 'the plugin logs something about Secrets')
      for (const text of [said, ...events]) {
        t.notMatch(text, canary)
        t.notMatch(text, encoded.slice(0, -4))
      }
    },
  },
  {
    title: 'A27: writes of a tenant to subresources are not written to the copy',
    register: (plugin, ctx) => plugin.register(mirrorDown(ctx, services, { excludeFields: serviceFields })),
    async run(t, vcluster) {
      const spec = { ports: [{ port: 80 }], selector: { app: 'web' } }
      await vcluster.virtual.create(services, { metadata: at(vcluster, 'web'), spec })
      await vcluster.virtual.patch(services, at(vcluster, 'web'), {
        ...merge({
          status: {
            conditions: [
              {
                type: 'Forged',
                status: 'True',
                reason: 'x',
                message: '',
                lastTransitionTime: '2024-01-01T00:00:00Z',
              },
            ],
          },
        }),
        subresource: 'status',
      })
      await until(async () => (await copies(vcluster, services)).length === 1)
      const [copy] = await copies(vcluster, services)
      t.same(copy?.status, { loadBalancer: {} })
      t.same(copy?.spec?.selector, {
        app: 'web',
        'vcluster.loft.sh/namespace': vcluster.home,
        [markerLabel]: 'vc',
      })
    },
  },
]

const serviceFields = ['spec.clusterIP', 'spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy']

/** An annotation that brings the total size of annotations to `bytes`. The API server allows 256 KiB. */
function annotationsUpTo(
  bytes: number,
  others: Record<string, string>,
  text: string,
): Record<string, string> {
  const used = Object.entries(others).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    'big'.length,
  )
  return { big: text.repeat(bytes / text.length).slice(0, bytes - used) }
}

/** The object with sorted members, as an API server stores it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]))
}

/** Installs Widgets in both clusters. */
async function serveWidgets(transport: Transport): Promise<void> {
  const client = createClient({ transport })
  await client.create(definitions, widgetDefinition)
  const isServed = async () => {
    try {
      await client.list(widgets)
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }
  await until(isServed)
  await transport.close()
}

const leftovers = [configMaps, secrets, services, widgets]

async function tryAll(t: Test, environment: AttackEnvironment, chosen = attacks): Promise<void> {
  t.teardown(() => environment.close())
  const { virtual, host } = await environment.connect()
  for (const transport of [virtual, host]) await serveWidgets(transport)
  for (const { title, register = copying, run } of chosen) {
    await t.test(title, async (t) => run(t, await openVCluster(t, { environment, register, leftovers })))
  }
}

void t.test('attacks on the embedded clusters', async (t) => tryAll(t, await embeddedEnvironment()))

const skip = missingAssets('kube-controller-manager')
void t.test('attacks on real clusters', { skip, timeout: 600_000 }, async (t) =>
  tryAll(t, await realEnvironment(), itemsOfPart(attacks, dailyPart)),
)
