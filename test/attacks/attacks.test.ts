// Attacks by tenants and hostile clusters, on embedded clusters and on real ones.
import t, { type Test } from 'tap'
import { createClient } from '../../sdk/client/create-client.js'
import {
  type ConfigMap,
  configMaps,
  namespaces,
  priorityClasses,
  type Secret,
  secrets,
  serviceAccounts,
  services,
} from '../../sdk/kube/builtin.js'
import { isNotFound } from '../../sdk/kube/error.js'
import { parseJson, stringifyJson } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { type Resource, resourcePath } from '../../sdk/kube/resource.js'
import { hostName } from '../../sdk/naming/names.js'
import { definitions, widgetDefinition, widgets } from '../../sdk/syncer/references/widgets.fixture.js'
import { mirrorDown } from '../../sdk/syncer/translator/mirror.js'
import { NamespacedTranslator } from '../../sdk/syncer/translator/namespaced-translator.js'
import type { Transport } from '../../sdk/transport/transport.js'
import type { Register } from '../../testing/plugin/test-plugin.js'
import { missingAssets } from '../real/real-cluster.js'
import {
  type AttackEnvironment,
  embeddedEnvironment,
  found,
  openWorld,
  realEnvironment,
  until,
  type World,
} from './world.js'

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
  readonly run: (t: Test, world: World) => Promise<void>
}

const markerLabel = 'vcluster.loft.sh/managed-by'
const merge = (body: object) => ({ type: 'merge', body }) as const
const at = ({ home }: World, name: string) => ({ namespace: home, name })
const copyAt = ({ home, target }: World, name: string) => ({
  namespace: target,
  name: hostName(name, home, 'vc'),
})

/** The copies of a kind in the world of a tenant. */
async function copies<T extends KubeObject>(
  { host, target, home }: World,
  resource: Resource<T>,
  namespace = home,
): Promise<T[]> {
  const { items } = await host.listAll(resource, { namespace: target })
  return items.filter(({ metadata }) => metadata.labels?.['vcluster.loft.sh/namespace'] === namespace)
}

const attacks: readonly Attack[] = [
  {
    title: 'A1: a second original with the same host name is rejected, and copied when the first is deleted',
    async run(t, world) {
      const { virtual, home } = world
      const other = `b-x-${home}`
      await virtual.create(namespaces, { metadata: { name: other } })
      const first = { namespace: home, name: 'a-x-b' }
      const second = { namespace: other, name: 'a' }
      t.equal(hostName(first.name, first.namespace, 'vc'), hostName(second.name, second.namespace, 'vc'))
      await virtual.create(configMaps, { metadata: first, data: { from: 'first' } })
      await world.settled()
      await virtual.create(configMaps, { metadata: second, data: { from: 'second' } })
      await world.settled()
      const data = async () => (await found(world.host, copyAt(world, 'a-x-b')))?.data
      t.same(await data(), { from: 'first' })
      await virtual.delete(configMaps, first)
      await until(async () => (await data())?.from === 'second')
      await virtual.delete(configMaps, second)
      await world.settled()
      t.equal(await data(), undefined)
    },
  },
  {
    title: 'A2: names of any length and form have distinct copies',
    async run(t, world) {
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
        await world.virtual.create(configMaps, { metadata: at(world, name), data: { name } })
      }
      await world.settled()
      for (const name of names) {
        t.equal((await found(world.host, copyAt(world, name)))?.data?.name, name)
      }
      t.equal(new Set(names.map((name) => copyAt(world, name).name)).size, names.length)
    },
  },
  {
    title: 'A3: a foreign host object with the name is kept, and an Event reports it',
    async run(t, world) {
      await world.host.create(configMaps, { metadata: copyAt(world, 'taken'), data: { mine: 'yes' } })
      await world.virtual.create(configMaps, { metadata: at(world, 'taken'), data: { mine: 'no' } })
      await world.settled()
      await world.virtual.delete(configMaps, at(world, 'taken'))
      await world.settled()
      t.same((await found(world.host, copyAt(world, 'taken')))?.data, { mine: 'yes' })
      t.match((await world.events()).join('\n'), 'NameConflict')
    },
  },
  {
    title: 'A4: a foreign host object with the labels and annotations of a copy does not become a copy',
    async run(t, world) {
      await world.virtual.create(configMaps, { metadata: at(world, 'real'), data: { a: 'b' } })
      await world.settled()
      const { metadata } = await world.host.get(configMaps, copyAt(world, 'real'))
      const { labels = {}, annotations = {} } = metadata
      const spoof = { namespace: world.target, name: 'spoof' }
      await world.host.create(configMaps, {
        metadata: { ...spoof, labels, annotations },
        data: { mine: 'yes' },
      })
      await world.virtual.patch(configMaps, at(world, 'real'), merge({ data: { a: 'c' } }))
      await world.settled()
      await world.virtual.delete(configMaps, at(world, 'real'))
      await world.settled()
      t.same((await found(world.host, spoof))?.data, { mine: 'yes' })
      t.equal(await found(world.host, copyAt(world, 'real')), undefined)
    },
  },
  {
    title: 'A5: labels and annotations that a tenant writes do not reach the copy or redirect it',
    async run(t, world) {
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
      await world.virtual.create(configMaps, {
        metadata: { ...at(world, 'forger'), labels, annotations: forged },
        data: { a: 'b' },
      })
      await world.settled()
      const copy = await world.host.get(configMaps, copyAt(world, 'forger'))
      t.equal(copy.metadata.labels?.[markerLabel], 'vc')
      t.match(copy.metadata.annotations, {
        'vcluster.loft.sh/object-name': 'forger',
        'vcluster.loft.sh/object-namespace': world.home,
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
      await world.virtual.delete(configMaps, at(world, 'forger'))
      await world.settled()
      t.equal(await found(world.host, copyAt(world, 'forger')), undefined, 'it is deleted with its original')
    },
  },
  {
    title: 'A6: labels with effects on the host are not copied if the plugin lists the allowed ones',
    register: (plugin, ctx) =>
      plugin.register(
        mirrorDown(ctx, configMaps, { labels: { deny: ['*istio.io/*', 'pod-security.kubernetes.io/*'] } }),
      ),
    async run(t, world) {
      const labels = {
        app: 'web',
        'sidecar.istio.io/inject': 'false',
        'pod-security.kubernetes.io/enforce': 'privileged',
      }
      await world.virtual.create(configMaps, { metadata: { ...at(world, 'a'), labels } })
      await world.settled()
      const copied = Object.keys((await world.host.get(configMaps, copyAt(world, 'a'))).metadata.labels ?? {})
      t.same(copied.sort(), ['app', markerLabel, 'vcluster.loft.sh/namespace'])
    },
  },
  {
    title: 'A7: annotations for controllers of the host are not copied if the plugin lists the allowed ones',
    register: (plugin, ctx) =>
      plugin.register(
        mirrorDown(ctx, configMaps, { annotations: { deny: ['*.kubernetes.io/*', 'cert-manager.io/*'] } }),
      ),
    async run(t, world) {
      const annotations = {
        note: 'kept',
        'external-dns.alpha.kubernetes.io/hostname': 'bank.example',
        'cert-manager.io/cluster-issuer': 'prod',
      }
      await world.virtual.create(configMaps, { metadata: { ...at(world, 'a'), annotations } })
      await world.settled()
      const copy = await world.host.get(configMaps, copyAt(world, 'a'))
      const copied = Object.keys(copy.metadata.annotations ?? {}).filter(
        (name) => !name.startsWith('vcluster.loft.sh/'),
      )
      t.same(copied, ['note'])
    },
  },
  {
    title:
      'A8: a Secret that requests a token of the host’s service account gets none, and none is copied back',
    async run(t, world) {
      const annotations = { 'kubernetes.io/service-account.name': 'default' }
      await world.virtual.create(serviceAccounts, { metadata: at(world, 'default') }).catch(() => undefined)
      await world.virtual.create(secrets, {
        metadata: { ...at(world, 'token'), annotations },
        type: 'kubernetes.io/service-account-token',
      })
      await world.settled()
      t.equal((await world.host.get(secrets, copyAt(world, 'token'))).type, 'Opaque')
      await world.host.patch(secrets, copyAt(world, 'token'), merge({ data: { token: 'aG9zdA==' } }))
      await world.settled()
      t.not((await world.virtual.get<Secret>(secrets, at(world, 'token'))).data?.token, 'aG9zdA==')
    },
  },
  {
    title: 'A9: a namespaced syncer does not accept a cluster-scoped kind',
    async run(t) {
      class Reaching extends NamespacedTranslator<KubeObject> {
        async syncDown() {}
        async sync() {}
      }
      t.throws(() => new Reaching({} as never, 'reaching', priorityClasses as Resource), {
        code: 'NOT_NAMESPACED',
      })
    },
  },
  {
    title: 'A10: owners and finalizers of an original are not copied',
    async run(t, world) {
      const owner = await world.virtual.create(configMaps, { metadata: at(world, 'owner') })
      const ownerReferences = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '' },
      ]
      await world.virtual.create(configMaps, {
        metadata: { ...at(world, 'owned'), ownerReferences, finalizers: ['example.com/hold'] },
      })
      await world.settled()
      const { metadata } = await world.host.get(configMaps, copyAt(world, 'owned'))
      t.match(metadata.ownerReferences, [{ kind: 'Service', name: 'vc' }])
      t.equal(metadata.finalizers, undefined)
      await world.virtual.patch(configMaps, at(world, 'owned'), merge({ metadata: { finalizers: null } }))
    },
  },
  {
    title: 'A11: an object that is deleted and recreated at once gets a new copy',
    async run(t, world) {
      for (let round = 0; round < 10; round++) {
        await world.virtual.create(configMaps, { metadata: at(world, 'quick'), data: { round: `${round}` } })
        if (round < 9) await world.virtual.delete(configMaps, at(world, 'quick'))
      }
      const { metadata } = await world.virtual.get(configMaps, at(world, 'quick'))
      await world.settled()
      const copy = await world.host.get(configMaps, copyAt(world, 'quick'))
      t.same(copy.data, { round: '9' })
      t.equal(copy.metadata.annotations?.['vcluster.loft.sh/object-uid'], metadata.uid)
    },
  },
  {
    title: 'A12: an object whose copy is too large is reported and blocks no other object',
    async run(t, world) {
      const annotations = { big: 'x'.repeat(256 * 1024 - 100) }
      await world.virtual.create(configMaps, { metadata: { ...at(world, 'huge'), annotations } })
      await world.virtual.create(configMaps, { metadata: at(world, 'small') })
      await until(async () => (await found(world.host, copyAt(world, 'small'))) !== undefined)
      await until(async () => (await world.events()).some((text) => /SyncError: .*[Tt]oo long/.test(text)))
      t.equal(await found(world.host, copyAt(world, 'huge')), undefined)
      const small = merge({ metadata: { annotations: { big: 'small' } } })
      await world.virtual.patch(configMaps, at(world, 'huge'), small)
      await until(async () => (await found(world.host, copyAt(world, 'huge'))) !== undefined)
    },
  },
  {
    title: 'A13: a flood in one namespace does not block copies of others, and loses no object',
    async run(t, world) {
      const quiet = `quiet-${world.home}`
      await world.virtual.create(namespaces, { metadata: { name: quiet } })
      await world.virtual.create(configMaps, { metadata: at(world, 'busy') })
      await world.settled()
      const before = await world.host.get(configMaps, copyAt(world, 'busy'))
      const flood = Array.from({ length: 300 }, (_, i) =>
        world.virtual.patch(configMaps, at(world, 'busy'), merge({ data: { count: `${i}` } })),
      )
      const many = Array.from({ length: 300 }, (_, i) =>
        world.virtual.create(configMaps, { metadata: at(world, `flood-${i}`) }),
      )
      await world.virtual.create(configMaps, { metadata: { namespace: quiet, name: 'one' } })
      await until(async () => (await copies(world, configMaps, quiet)).length > 0)
      await Promise.all([...flood, ...many])
      await world.settled()
      t.equal(
        (await copies(world, configMaps)).filter(({ metadata }) => metadata.name?.startsWith('flood-'))
          .length,
        300,
      )
      const after = await world.host.get(configMaps, copyAt(world, 'busy'))
      t.not(after.metadata.resourceVersion, before.metadata.resourceVersion)
      const { data } = await world.virtual.get(configMaps, at(world, 'busy'))
      t.same(after.data, data)
    },
  },
  {
    title: 'A14: an exhausted quota is tried once for all objects, reported once, and its end is noticed',
    async run(t, world) {
      // The copies of other namespaces exist now, so the first rejected object is one of this namespace.
      await world.settled()
      const lift = await world.fillQuota()
      const names = Array.from({ length: 30 }, (_, i) => `over-${i}`)
      for (const name of names) await world.virtual.create(configMaps, { metadata: at(world, name) })
      await until(async () => (await world.said()).includes('refuses all writes of this sort'))
      const told = async () => (await world.events()).filter((text) => text.includes('exceeded quota')).length
      await until(async () => (await told()) > 0)
      t.equal(await told(), 1)
      await lift()
      await until(async () => {
        const made = await copies(world, configMaps)
        return made.filter(({ metadata }) => metadata.name?.startsWith('over-')).length === names.length
      })
    },
  },
  {
    title: 'A15: data keys such as __proto__ are data, and pollute no prototype',
    async run(t, world) {
      const data = parseJson('{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d"}')
      await world.virtual.create<ConfigMap>(configMaps, { metadata: at(world, 'proto'), data: data as never })
      const spec = parseJson('{"__proto__":{"polluted":true},"nested":{"constructor":{"prototype":{"x":1}}}}')
      await world.virtual.create(widgets, { metadata: at(world, 'proto'), spec: spec as never })
      await world.settled()
      t.equal(
        stringifyJson(sorted((await world.host.get(configMaps, copyAt(world, 'proto'))).data)),
        stringifyJson(sorted(data)),
      )
      t.equal(
        stringifyJson(sorted((await world.host.get(widgets, copyAt(world, 'proto'))).spec)),
        stringifyJson(sorted(spec)),
      )
      t.equal(({} as { polluted?: boolean }).polluted, undefined)
    },
  },
  {
    title: 'A16: numbers are copied with all digits',
    async run(t, world) {
      const text =
        '{"big":9007199254740993,"least":-9223372036854775808,"most":9223372036854775807,"one":1,"small":0.1}'
      await world.virtual.create(widgets, { metadata: at(world, 'numbers'), spec: parseJson(text) as never })
      await world.settled()
      const { metadata, spec } = await world.host.get(widgets, copyAt(world, 'numbers'))
      t.equal(stringifyJson(spec), text)
      await world.settled()
      const again = await world.host.get(widgets, copyAt(world, 'numbers'))
      t.equal(again.metadata.resourceVersion, metadata.resourceVersion, 'and are equal afterwards')
    },
  },
  {
    title:
      'A16 and A17: for any bytes that a tenant sends, the copy has the content that the API server stores',
    async run(t, world) {
      const deep = (levels: number) => `${'{"d":'.repeat(levels)}1${'}'.repeat(levels)}`
      const specs: Record<string, string> = {
        floats: '{"one":1.0,"hundred":1e2,"zero":-0,"tiny":5e-324}',
        twice: '{"twice":1,"twice":{"last":2}}',
        lone: '{"lone":"\\ud800","pair":"\\ud83d\\ude00","key\\u2028":1}',
        nested: `{"deep":${deep(9000)}}`,
      }
      const kept: string[] = []
      for (const [name, spec] of Object.entries(specs)) {
        const metadata = JSON.stringify(at(world, name))
        const body = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":${metadata},"spec":${spec}}`
        const path = resourcePath(widgets, { namespace: world.home })
        const headers = { 'content-type': 'application/json' }
        const { status } = await world.tenant.request({ method: 'POST', path, headers, body })
        t.ok(status === 201 || (status >= 400 && status < 500), `${name}: ${status}`)
        if (status === 201) kept.push(name)
      }
      t.ok(kept.includes('floats') && kept.includes('lone'), `${kept} were kept`)
      await world.settled()
      const copyOf = (name: string) => world.host.get(widgets, copyAt(world, name))
      const isThere = async (name: string) =>
        (await found(world.host, copyAt(world, name), widgets)) !== undefined
      for (const name of kept) await until(() => isThere(name))
      await world.settled()
      const before = await Promise.all(kept.map(copyOf))
      for (const [i, name] of kept.entries()) {
        const { spec } = await world.virtual.get(widgets, at(world, name))
        t.equal(stringifyJson(before[i]?.spec), stringifyJson(spec), name)
      }
      await world.settled()
      const after = await Promise.all(kept.map(copyOf))
      const versions = (copies: typeof after) => copies.map(({ metadata }) => metadata.resourceVersion)
      t.same(versions(after), versions(before), 'and it is not written again')
    },
  },
  {
    title:
      'A17: unusual strings, a line of a megabyte and deep objects are copied, or the API server rejects them',
    async run(t, world) {
      const odd = '\u0000\u2028\u2029\ud83d\ude00 <&>"\\'
      await world.virtual.create(widgets, {
        metadata: at(world, 'odd'),
        spec: { odd, line: 'x'.repeat(1_000_000) },
      })
      let deep: unknown = 'bottom'
      for (let level = 0; level < 3000; level++) deep = { d: deep }
      await world.virtual.create(widgets, { metadata: at(world, 'deep'), spec: { deep } })
      await world.settled()
      const isThere = async (name: string) =>
        (await found(world.host, copyAt(world, name), widgets)) !== undefined
      await until(async () => (await isThere('odd')) && (await isThere('deep')))
      const copy = await world.host.get(widgets, copyAt(world, 'odd'))
      t.same([copy.spec?.odd, String(copy.spec?.line).length], [odd, 1_000_000])
      const { spec } = await world.host.get(widgets, copyAt(world, 'deep'))
      t.equal(stringifyJson(spec), stringifyJson({ deep }))
    },
  },
  {
    title: 'A18: only the status is copied back, and only the named fields',
    async run(t, world) {
      const status = (fields: object) => ({ ...merge({ status: fields }), subresource: 'status' })
      await world.virtual.create(widgets, { metadata: at(world, 'w'), spec: { size: 1 } })
      await world.virtual.patch(widgets, at(world, 'w'), status({ phase: 'Forged', node: 'mine' }))
      await world.settled()
      t.equal((await world.host.get(widgets, copyAt(world, 'w'))).status, undefined)
      await world.host.patch(widgets, copyAt(world, 'w'), status({ phase: 'Ready', node: 'host-7' }))
      await until(async () => (await world.virtual.get(widgets, at(world, 'w'))).status?.phase === 'Ready')
      t.same((await world.virtual.get(widgets, at(world, 'w'))).status, { phase: 'Ready', node: 'mine' })
    },
  },
  {
    title: 'A19: an object that references an object of the host is not copied',
    async run(t, world) {
      const reaching: Record<string, Record<string, unknown>> = {
        secret: { tls: [{ secretName: 'vc-kubeconfig' }] },
        config: { configMapRef: { name: 'kube-root-ca.crt' } },
        account: { serviceAccountName: 'vc-vcluster' },
        node: { nodeName: 'control-plane' },
        path: { volume: { hostPath: { path: '/' } } },
        pull: { imagePullSecrets: [{ name: 'registry' }] },
        selector: { podSelector: {} },
        pod: { template: { spec: { containers: [{ image: 'sh' }] } } },
      }
      for (const [name, spec] of Object.entries(reaching)) {
        await world.virtual.create(widgets, { metadata: at(world, name), spec })
      }
      await world.settled()
      t.same(await copies(world, widgets), [])
      const told = (await world.events()).filter((text) => text.startsWith('SyncError'))
      t.equal(told.length, Object.keys(reaching).length)
    },
  },
  {
    title: 'A20: the data of a Secret is in no log line, no metric, no Event and no error',
    async run(t, world) {
      const canary = 'c4n4ry-5ecret-value'
      const stringData = { password: canary }
      const applied = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ stringData }) }
      const create = (name: string, more: object) =>
        world.virtual.create<Secret>(secrets, { metadata: { ...at(world, name), ...more }, stringData })
      await create('plain', { annotations: applied })
      // The API server rejects its copy and quotes it in the error.
      await create('refused', { annotations: { ...applied, ...annotationsUpTo(262_000, applied, canary) } })
      await world.host.create(secrets, { metadata: copyAt(world, 'taken'), stringData })
      await create('taken', {})
      await world.settled()
      const said = await world.said()
      const encoded = Buffer.from(canary).toString('base64')
      const events = await world.events()
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
    async run(t, world) {
      const spec = { ports: [{ port: 80 }], selector: { app: 'web' } }
      await world.virtual.create(services, { metadata: at(world, 'web'), spec })
      await world.virtual.patch(services, at(world, 'web'), {
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
      await until(async () => (await copies(world, services)).length === 1)
      const [copy] = await copies(world, services)
      t.same(copy?.status, { loadBalancer: {} })
      t.same(copy?.spec?.selector, {
        app: 'web',
        'vcluster.loft.sh/namespace': world.home,
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

async function tryAll(t: Test, environment: AttackEnvironment): Promise<void> {
  t.teardown(() => environment.close())
  const { virtual, host } = await environment.connect()
  for (const transport of [virtual, host]) await serveWidgets(transport)
  for (const { title, register = copying, run } of attacks) {
    await t.test(title, async (t) => run(t, await openWorld(t, { environment, register, leftovers })))
  }
}

void t.test('attacks on the embedded clusters', async (t) => tryAll(t, await embeddedEnvironment()))

const skip = missingAssets('kube-controller-manager')
void t.test('attacks on real clusters', { skip, timeout: 240_000 }, async (t) =>
  tryAll(t, await realEnvironment()),
)
