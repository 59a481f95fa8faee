// Tests releases on the host for objects of tenants.
import t from 'tap'
import type { Client } from '../../engine/client/client.js'
import { configMaps, services } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { functionChart } from '../chart/function-chart.js'
import type { JsonObject } from '../chart/json-object.js'
import { ReleaseStore } from '../release/release-store.js'
import { defaultRenderer } from '../render/default-renderer.js'
import type { ChartRenderer } from '../render/renderer.js'
import { configMap, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import type { HelmControllerOptions } from './options/options.js'
import { conditionOf, hostNamespace, recordsOf, start, startReconciler, textOf } from './targets.fixture.js'

void t.test('an object of a tenant gets a release on the host', async (t) => {
  const test = await start(t, { cluster: 'virtual', target: 'host' })
  const { virtual, host } = test
  await virtual.create(greetings, { metadata: key, spec: { text: 'one' } })
  await test.settled()
  const name = 'hello-x-default-x-vc-helm'
  const at = { namespace: hostNamespace, name }
  const made = await host.get(configMaps, at)
  t.match(made, {
    data: { text: 'one' },
    metadata: {
      annotations: {
        'operator-sdk/primary-resource': 'default/hello',
        'vcluster-plugin-sdk/primary-cluster': 'virtual',
      },
    },
  })
  const service = await host.get(services, { namespace: hostNamespace, name: 'vc' })
  const owners = [{ apiVersion: 'v1', kind: 'Service', name: 'vc', uid: service.metadata.uid }]
  t.strictSame(made.metadata.ownerReferences, owners, 'it goes with the vcluster')
  t.strictSame(
    Object.keys({ ...made.metadata.labels, ...made.metadata.annotations }).filter((one) => /loft/.test(one)),
    [],
    'the syncer of vcluster would delete it as an orphan',
  )
  const records = await recordsOf(host, hostNamespace)
  t.strictSame(
    records.map(({ metadata }) => [metadata.name, metadata.ownerReferences]),
    [[`sh.helm.release.v1.${name}.v1`, owners]],
  )
  t.strictSame(await recordsOf(virtual, 'default'), [], 'tenants do not have the record')
  const { status } = await virtual.get(greetings, key)
  t.match(status, { deployedRelease: { name, namespace: hostNamespace } })
  t.notOk(status?.revisionDigests, 'tenants may be able to write the status')

  await host.patch(configMaps, at, { type: 'merge', body: { data: { text: 'edited' } } })
  await test.settled()
  t.match(await host.get(configMaps, at), { data: { text: 'one' } }, 'its objects are watched')
  await virtual.delete(greetings, key)
  await test.settled()
  await t.rejects(host.get(configMaps, at), { code: 404 })
  t.strictSame(await recordsOf(host, hostNamespace), [])
})

void t.test('the options of a release on the host may be an instance of a class', async (t) => {
  class Greetings implements HelmControllerOptions {
    readonly resource = kind
    readonly chart = textOf
    readonly cluster = 'virtual'
    readonly target = 'host'
    readonly #text = 'of the class'
    translateValues() {
      return { text: this.#text }
    }
  }
  const test = await startReconciler(t, helmController(new Greetings()))
  await test.virtual.create(greetings, { metadata: key, spec: { text: 'one' } })
  await test.settled()
  const name = 'hello-x-default-x-vc-helm'
  t.match(await test.host.get(configMaps, { namespace: hostNamespace, name }), {
    data: { text: 'of the class' },
  })
})

/** The record of the vcluster itself, as helm installs it. */
async function installVcluster(host: Client) {
  const info = { status: 'deployed' } as const
  const metadata = { name: 'text', version: '0.30.0' }
  const chart = { metadata, lock: null, templates: [], files: [], values: {}, schema: null }
  const named = { name: 'vc', namespace: hostNamespace, version: 1 }
  const release = { ...named, info, chart, config: {}, manifest: '', hooks: [] }
  await new ReleaseStore(host, Date.now).create({ release, labels: {} })
  return recordsOf(host, hostNamespace)
}

void t.test('an object with the name of the vcluster does not get the release of that', async (t) => {
  const test = await start(t, { cluster: 'virtual', target: 'host' })
  const { virtual, host } = test
  const before = await installVcluster(host)
  const named = { namespace: 'default', name: 'vc' }
  await virtual.create(greetings, { metadata: named, spec: { called: 'vc' } })
  await test.settled()
  const made = (await virtual.get(greetings, named)).status?.deployedRelease
  t.match(made, { name: 'vc-x-default-x-vc-helm' }, 'it has another name')
  await virtual.delete(greetings, named)
  await test.settled()
  t.strictSame(await recordsOf(host, hostNamespace), before, 'the record is as it was')
})

void t.test('nor does one on the host, whatever may be taken over', async (t) => {
  const test = await start(t, { cluster: 'host', adopt: 'always' })
  const before = await installVcluster(test.host)
  const named = { namespace: hostNamespace, name: 'vc' }
  await test.host.create(greetings, { metadata: named, spec: { text: 'one' } })
  await test.settled()
  const { conditions = [] } = (await test.host.get(greetings, named)).status ?? {}
  t.match(
    conditions.find(({ type }) => type === 'Irreconcilable'),
    {
      status: 'True',
      reason: 'ReleaseNameTaken',
      message: 'the release vc is that of the vcluster itself; use another name',
    },
  )
  await test.host.delete(greetings, named)
  await test.settled()
  t.strictSame(await recordsOf(test.host, hostNamespace), before, 'the record is as it was')
  await t.rejects(test.host.get(configMaps, named), { code: 404 })
})

void t.test('a tenant reaches nothing but the namespace of the release', async (t) => {
  const test = await start(t, { cluster: 'virtual', target: 'host' })
  const { virtual, host } = test
  const refused = async (spec: object, message: RegExp) => {
    await virtual.patch(greetings, key, { type: 'merge', body: { spec } })
    await test.settled()
    t.match(await conditionOf(virtual, 'Irreconcilable'), { status: 'True', reason: 'NotAllowed', message })
  }
  await virtual.create(greetings, { metadata: key, spec: { at: 'kube-system' } })
  await refused(
    { at: 'kube-system' },
    /ConfigMap kube-system\/hello-x-default-x-vc-helm is in another namespace/,
  )
  await refused({ at: null, labels: { 'vcluster.loft.sh/managed-by': 'vc' } }, /annotation of vcluster/)
  await refused({ labels: null, called: 'db-x-default-x-vc' }, /a name as vcluster gives to its copies/)
  t.strictSame(await recordsOf(host, hostNamespace), [], 'nothing was written')
})

/** A chart that places its objects where values say, and adds any objects of values, as many charts do. */
const open = functionChart(
  { name: 'open', version: '1.0.0' },
  ({ namespaceOverride, extraObjects = [] }, { name }) => [
    {
      ...configMap(name, {}),
      metadata: { name, ...(namespaceOverride ? { namespace: String(namespaceOverride) } : {}) },
    },
    ...(extraObjects as KubeObject[]),
  ],
)

void t.test('all objects that a tenant must not have are named, and nothing is written', async (t) => {
  const test = await start(t, { cluster: 'virtual', target: 'host', chart: open })
  const before = test.hostServer.resourceVersion
  const metadata = { name: 'forged' }
  const extraObjects = [
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules: [] },
    { apiVersion: 'v1', kind: 'Secret', metadata, type: 'helm.sh/release.v1' },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'token' },
      type: 'kubernetes.io/service-account-token',
    },
  ] as unknown as JsonObject[]
  await test.virtual.create(greetings, {
    metadata: key,
    spec: { namespaceOverride: 'kube-system', extraObjects },
  })
  await test.settled()
  const { status, reason, message = '' } = (await conditionOf(test.virtual, 'Irreconcilable')) ?? {}
  t.strictSame([status, reason], ['True', 'NotAllowed'])
  for (const named of [
    'ConfigMap kube-system/hello-x-default-x-vc-helm is in another namespace',
    'ClusterRole forged has no namespace',
    `Secret ${hostNamespace}/forged is a Secret of the control plane`,
    `Secret ${hostNamespace}/token is a Secret of the control plane`,
  ])
    t.match(message, named)
  t.equal(test.hostServer.resourceVersion, before, 'nothing was written')
})

void t.test('templates of tenants see nothing of the host', async (t) => {
  const found: unknown[] = []
  const inner = await defaultRenderer([textOf])
  const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: hostNamespace, name: '' }
  const renderer: ChartRenderer = {
    name: 'test',
    render: async (request, signal) => {
      found.push(await request.lookup?.(query, signal))
      return inner.render(request, signal)
    },
    close: () => inner.close(),
  }
  const see = async (options: Partial<HelmControllerOptions>, namespace = hostNamespace) => {
    query.namespace = namespace
    found.length = 0
    const test = await start(t, { cluster: 'virtual', target: 'host', renderer, ...options })
    await test.host.create(configMaps, { metadata: { namespace: hostNamespace, name: 'platform' } })
    for (const at of ['default', 'kube-system'])
      await test.virtual.create(configMaps, { metadata: { namespace: at, name: `of-${at}` } })
    await test.virtual.create(greetings, { metadata: key })
    await test.settled()
    const list = found[0] as { items?: KubeObject[] } | undefined
    return list?.items?.map(({ metadata }) => metadata.name) ?? []
  }
  t.strictSame(await see({}), [])
  t.ok((await see({ allow: {} })).includes('platform'), 'unless the program says so')
  for (const allow of [undefined, {}]) {
    const options = { virtualNames: true, ...(allow && { allow }) }
    t.strictSame(await see(options), [], 'virtualNames: they see the virtual cluster in its place')
    t.ok((await see(options, 'default')).includes('of-default'), 'the namespace of their object')
    t.strictSame(await see(options, 'kube-system'), [], 'and no other one')
  }
})
