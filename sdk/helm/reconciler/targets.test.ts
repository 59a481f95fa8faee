// Tests releases in the other cluster of a plugin: on the host for objects of tenants, and the reverse.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import type { Client } from '../../client/client.js'
import { createClient } from '../../client/create-client.js'
import { configMaps, customResourceDefinitions, secrets, services } from '../../kube/builtin.js'
import type { KubeObject } from '../../kube/object.js'
import { silentLogger } from '../../observe/logger.js'
import { functionChart } from '../chart/function-chart.js'
import { ReleaseStore } from '../release/release-store.js'
import { defaultRenderer } from '../render/default-renderer.js'
import type { ChartRenderer } from '../render/renderer.js'
import { configMap, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmReconciler } from './helm-reconciler.js'
import type { HelmReconcilerOptions } from './options.js'

const hostNamespace = 'vcluster-vc'

/** A server that serves the kind. */
async function served(name: string) {
  const server = await createApiServer({ name })
  const client = createClient({ transport: inProcessTransport(server) })
  await client.create(customResourceDefinitions, definition)
  const isServed = () =>
    client.list(greetings).then(
      () => true,
      () => false,
    )
  while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
  return { server, client }
}

const textOf = functionChart(
  { name: 'text', version: '1.0.0' },
  ({ text = 'a', at, called, labels = {} }, { name }) => [
    {
      ...configMap(name, { text: String(text) }),
      metadata: {
        name: called ? String(called) : name,
        labels: labels as Record<string, string>,
        ...(at ? { namespace: String(at) } : {}),
      },
    },
  ],
)

async function start(t: Test, options: Partial<HelmReconcilerOptions>) {
  const [virtual, host] = [await served('virtual'), await served('host')]
  const reconciler = helmReconciler({ resource: kind, chart: textOf, ...options })
  const test = await testPlugin((plugin) => plugin.register(reconciler), {
    ...{ virtualServer: virtual.server, hostServer: host.server, logger: silentLogger },
  })
  t.teardown(() => test.stop())
  return test
}

const recordsOf = async (client: Client, namespace: string) =>
  (await client.list(secrets, { namespace })).items.filter(({ type }) => type === 'helm.sh/release.v1')
const conditionOf = async (client: Client, type: string) =>
  (await client.get(greetings, key)).status?.conditions?.find((one) => one.type === type)

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
  const records = await recordsOf(host, hostNamespace)
  t.strictSame(
    records.map(({ metadata }) => [metadata.name, metadata.ownerReferences]),
    [[`sh.helm.release.v1.${name}.v1`, owners]],
  )
  t.strictSame(await recordsOf(virtual, 'default'), [], 'tenants do not have the record')
  t.match((await virtual.get(greetings, key)).status, { deployedRelease: { name, namespace: hostNamespace } })

  await host.patch(configMaps, at, { type: 'merge', body: { data: { text: 'edited' } } })
  await test.settled()
  t.match(await host.get(configMaps, at), { data: { text: 'one' } }, 'its objects are watched')
  await virtual.delete(greetings, key)
  await test.settled()
  await t.rejects(host.get(configMaps, at), { code: 404 })
  t.strictSame(await recordsOf(host, hostNamespace), [])
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
      ...{ status: 'True', reason: 'ReleaseNameTaken' },
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
  const see = async (options: Partial<HelmReconcilerOptions>, namespace = hostNamespace) => {
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

void t.test('an object on the host gets a release in the virtual cluster', async (t) => {
  const test = await start(t, { cluster: 'host', target: 'virtual', targetNamespace: 'default' })
  const { virtual, host } = test
  await host.create(greetings, { metadata: { ...key, namespace: hostNamespace }, spec: { text: 'one' } })
  await test.settled()
  const made = await virtual.get(configMaps, key)
  t.match(made, { data: { text: 'one' } })
  t.equal(made.metadata.ownerReferences, undefined, 'the garbage collector would take it for an orphan')
  t.equal((await recordsOf(virtual, 'default')).length, 1)
  await host.delete(greetings, { ...key, namespace: hostNamespace })
  await test.settled()
  await t.rejects(virtual.get(configMaps, key), { code: 404 })
})
