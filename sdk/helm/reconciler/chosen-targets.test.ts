// Tests releases of a plugin whose clusters are functions of their objects.
import t from 'tap'
import type { Client } from '../../engine/client/client.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { createInternalOperator } from '../../operator/operator-runtime.js'
import type { JsonObject } from '../chart/json-object.js'
import { ReleaseStore } from '../release/release-store.js'
import { chart, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import type { HelmControllerOptions } from './options/options.js'
import { conditionOf, hostNamespace, start } from './targets.fixture.js'

const chosen = {
  cluster: 'virtual',
  targets: ['virtual', 'host'],
  reconcilePeriodMs: 0,
  target: ({ spec }) => {
    const { to, as, at } = (spec ?? {}) as JsonObject
    return {
      cluster: String(to),
      ...(as ? { releaseName: String(as) } : {}),
      ...(at ? { namespace: String(at) } : {}),
    }
  },
} satisfies Partial<HelmControllerOptions>

const edit = (virtual: Client, spec: object) =>
  virtual.patch(greetings, key, { type: 'merge', body: { spec } })
const history = async (client: Client, namespace: string, name: string) =>
  (await new ReleaseStore(client, Date.now).revisions(namespace, name)).map(
    ({ release }) => `${release.version} ${release.info.status}`,
  )
const textOf = async (client: Client, namespace: string, name: string) =>
  (await client.list(configMaps, { namespace })).items.find((one) => one.metadata.name === name)?.data?.text

void t.test('the object of a tenant chooses the cluster of its release', async (t) => {
  const { virtual, host, settled } = await start(t, chosen)
  await virtual.create(greetings, { metadata: key, spec: { to: 'virtual', text: 'in' } })
  const other = { ...key, name: 'other' }
  await virtual.create(greetings, { metadata: other, spec: { to: 'host', as: 'mc-other', text: 'on' } })
  await settled()
  t.strictSame(await history(virtual, 'default', 'hello'), ['1 deployed'])
  t.strictSame(await history(host, hostNamespace, 'mc-other'), ['1 deployed'])
  t.equal(await textOf(virtual, 'default', 'hello'), 'in')
  t.equal(await textOf(host, hostNamespace, 'mc-other'), 'on')
  const named = { namespace: hostNamespace, name: 'mc-other' }
  await host.patch(configMaps, named, { type: 'merge', body: { data: { text: 'edited' } } })
  await virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: 'edited' } } })
  await settled()
  t.equal(await textOf(virtual, 'default', 'hello'), 'in', 'both clusters are watched')
  t.equal(await textOf(host, hostNamespace, 'mc-other'), 'on')
  for (const one of [key, other]) await virtual.delete(greetings, one)
  await settled()
  t.equal(await textOf(virtual, 'default', 'hello'), undefined)
  t.equal(await textOf(host, hostNamespace, 'mc-other'), undefined)
})

void t.test('two releases of one name in one namespace of two clusters have nothing in common', async (t) => {
  const { virtual, host, settled } = await start(t, {
    ...chosen,
    targetNamespace: hostNamespace,
    createNamespace: true,
  })
  await virtual.create(greetings, { metadata: key, spec: { to: 'virtual', as: 'a', text: 'in' } })
  await virtual.create(greetings, {
    metadata: { ...key, name: 'other' },
    spec: { to: 'host', as: 'a', text: 'on' },
  })
  await settled()
  const named = { namespace: hostNamespace, name: 'a' }
  for (const client of [virtual, host])
    await client.patch(configMaps, named, { type: 'merge', body: { data: { text: 'edited' } } })
  await settled()
  t.strictSame(
    [await textOf(virtual, hostNamespace, 'a'), await textOf(host, hostNamespace, 'a')],
    ['in', 'on'],
  )
  await virtual.delete(greetings, key)
  await settled()
  await host.patch(configMaps, named, { type: 'merge', body: { data: { text: 'edited' } } })
  await settled()
  t.strictSame(
    [await textOf(virtual, hostNamespace, 'a'), await textOf(host, hostNamespace, 'a')],
    [undefined, 'on'],
  )
})

void t.test('a tenant cannot make the plugin forget a release on the host', async (t) => {
  const first = await start(t, chosen)
  const { virtual, host } = first
  const { uid = '' } = (await virtual.create(greetings, { metadata: key, spec: { to: 'host', as: 'db' } }))
    .metadata
  await first.settled()
  const [own] = await new ReleaseStore(host, Date.now).revisions(hostNamespace, 'db')
  if (!own) throw new Error('there is no release')
  await first.stop()
  // The object asks for the virtual cluster, where the tenant has written a record with the label of the owner.
  const release = { ...own.release, name: 'hello', namespace: 'default' }
  await new ReleaseStore(virtual, Date.now).create({ release, labels: {}, owner: uid, written: own.written })
  await edit(virtual, { to: 'virtual', as: null, text: 'moved' })
  const servers = { virtualServer: first.virtualServer, hostServer: first.hostServer }
  const second = await start(t, chosen, servers)
  await second.settled()
  t.match(await conditionOf(virtual, 'Irreconcilable'), {
    status: 'True',
    reason: 'TargetChanged',
    message:
      /^the release of this object is db in vcluster-vc of the cluster host, and .* hello in default of the cluster virtual now/,
  })
  t.strictSame(await history(host, hostNamespace, 'db'), ['1 deployed'])
  await virtual.delete(greetings, key)
  await second.settled()
  t.strictSame(await history(host, hostNamespace, 'db'), [], 'it goes with its object')
  t.equal(await textOf(host, hostNamespace, 'db'), undefined)
})

void t.test('a tenant gets neither the release of the vcluster nor another one on the host', async (t) => {
  const { virtual, host, settled } = await start(t, { ...chosen, chart })
  const info = { status: 'deployed' } as const
  const metadata = { name: 'greeter', version: '1.0.0' }
  const made = { metadata, lock: null, templates: [], files: [], values: {}, schema: null }
  for (const name of ['vc', 'platform'])
    await new ReleaseStore(host, Date.now).create({
      release: {
        name,
        namespace: hostNamespace,
        version: 1,
        info,
        chart: made,
        config: {},
        manifest: '',
        hooks: [],
      },
      labels: {},
    })
  await virtual.create(greetings, { metadata: key, spec: { to: 'host', as: 'vc' } })
  await settled()
  t.match(await conditionOf(virtual, 'Irreconcilable'), {
    status: 'True',
    reason: 'ReleaseNameTaken',
    message: 'the release vc is that of the vcluster itself; use another name',
  })
  await edit(virtual, { as: 'platform' })
  await settled()
  t.match(await conditionOf(virtual, 'Irreconcilable'), {
    status: 'True',
    reason: 'ReleaseNameTaken',
    message: /^the release platform in vcluster-vc belongs to another program, with the chart greeter;/,
  })
  await edit(virtual, { as: 'a', at: 'kube-system' })
  await settled()
  t.match(await conditionOf(virtual, 'Irreconcilable'), { status: 'True', reason: 'NotAllowed' })
  await edit(virtual, { to: 'moon', at: null })
  await settled()
  t.match(await conditionOf(virtual, 'Irreconcilable'), {
    status: 'True',
    reason: 'InvalidTarget',
    message: 'target answered the cluster "moon": answer one of virtual, host, or add it to targets',
  })
  await virtual.delete(greetings, key)
  await settled()
  t.strictSame(await history(host, hostNamespace, 'vc'), ['1 deployed'])
  t.strictSame(await history(host, hostNamespace, 'platform'), ['1 deployed'])
})

void t.test('the permissions are those for all clusters that a function may answer', async (t) => {
  const operator = createInternalOperator({ name: 'mine', env: {} })
  const allow = { namespaces: ['stage'] }
  operator.register(helmController({ resource: kind, chart, allow, createNamespace: true, ...chosen }))
  const { controllers } = await operator.describe()
  const rules = controllers.flatMap((one) => one.rules)
  const of = (resource: string, verb: string) =>
    rules
      .filter((rule) => rule.resource === resource && rule.verbs.includes(verb))
      .map(({ cluster, namespace = '' }) => `${cluster} ${namespace}`.trim())
      .sort()
  const all = ['host', 'host stage', 'virtual']
  t.strictSame(of('secrets', 'delete'), all)
  t.strictSame(of('configmaps', 'delete'), all, 'the objects of the chart')
  t.strictSame(of('namespaces', 'create'), ['host', 'virtual'])
})
