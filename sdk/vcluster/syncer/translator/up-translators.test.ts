import t from 'tap'
import { isGone, running } from '../../../../testing/plugin/running.fixture.js'
import type { Register, TestPlugin } from '../../../../testing/plugin/test-plugin.js'
import {
  type ConfigMap,
  configMaps,
  events,
  namespaces,
  priorityClasses,
  type Secret,
  secrets,
} from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import type { SyncContext } from '../../context/sync-context.js'
import { MappedNames } from '../../naming/name-mappings.js'
import { FromHostTranslator, type FromHostTranslatorOptions } from './from-host-translator.js'
import { MirrorTranslator } from './mirror-translator.js'
import { createVirtualCopy } from './write-virtual-copy.js'

const merge = (body: object) => ({ type: 'merge', body }) as const
const at = (text: string) => {
  const [namespace = '', name = ''] = text.split('/')
  return { namespace, name }
}
const madeBy = 'plugin.vcluster.loft.sh/managed-by'

void t.test('names are mapped in both directions, the most exact mapping first', async (t) => {
  const names = new MappedNames(
    { 'a/one': 'x/uno', 'a/*': 'y/*', '/one': 'x/own', '': 'own', 'b/*': 'y/*', 'own/two': 'x/two' },
    'own',
  )
  const there: Record<string, string | undefined> = {
    'a/one': 'x/uno',
    'a/two': 'y/two',
    'own/one': 'x/own',
    'own/two': 'x/two',
    'own/three': 'own/three',
    'c/one': undefined,
  }
  for (const [host, virtual] of Object.entries(there)) {
    t.same(names.toVirtual(at(host)), virtual && at(virtual), host)
    if (virtual && !virtual.startsWith('y/')) t.same(names.toHost(at(virtual)), [at(host)], virtual)
  }
  t.same(names.toHost(at('y/two')), [at('a/two'), at('b/two')])
  t.same(names.toHost(at('y/one')), [at('b/one')], 'a/one goes elsewhere')
  t.same(names.hostNamespaces, ['a', 'own', 'b'])
  for (const [from, to] of [
    ['a', 'b'],
    ['a/', 'b'],
    ['a/b', '/c'],
    ['a/*', 'b/c'],
    ['a/b', 'c/*'],
    ['', ''],
    ['a/b/c', 'd'],
  ]) {
    t.throws(
      () => new MappedNames({ [from ?? '']: to ?? '' }, 'own'),
      { code: 'INVALID_MAPPING' },
      `${from}: ${to}`,
    )
  }
})

const mapsSecrets =
  (options: FromHostTranslatorOptions): Register =>
  (plugin, ctx) =>
    plugin.register(new FromHostTranslator<Secret>(ctx, 'from-host', secrets, { select: 'all', ...options }))

const secret = (where: string, text: string, metadata: object = {}) => ({
  metadata: { ...at(where), ...metadata },
  stringData: { text },
})
const textIn = ({ data }: Secret) => Buffer.from(data?.text ?? '', 'base64').toString()

void t.test(
  'a mapped host object is shown in the virtual cluster, whatever is done to the copy',
  async (t) => {
    const test = await running(t, mapsSecrets({ mappings: { 'shared/*': 'team/*', '/own': 'default/own' } }))
    await test.host.create(namespaces, { metadata: { name: 'shared' } })
    const labels = { app: 'web', 'vcluster.loft.sh/controlled-by': 'x' }
    const annotations = { note: 'hi', 'vcluster.loft.sh/note': 'x' }
    await test.host.create(secrets, secret('shared/a', 'one', { annotations, labels: { app: 'web' } }))
    await test.host.create(secrets, secret('vcluster-vc/own', 'mine'))
    await test.host.create(secrets, secret('vcluster-vc/other', 'not mapped'))
    await test.settled()
    const copy = await test.virtual.get(secrets, at('team/a'))
    t.equal(textIn(copy), 'one')
    t.same(copy.metadata.labels, { app: 'web', [madeBy]: 'from-host' })
    t.same(copy.metadata.annotations, {
      note: 'hi',
      'plugin.vcluster.loft.sh/host-object': 'shared/a',
      'plugin.vcluster.loft.sh/managed-annotations': 'note',
    })
    t.equal(textIn(await test.virtual.get(secrets, at('default/own'))), 'mine')

    const edit = {
      metadata: { labels: { app: null, more: 'x' }, annotations: { own: 'y' } },
      stringData: { text: 'edited' },
    }
    await test.virtual.patch(secrets, at('team/a'), merge(edit))
    await test.host.patch(secrets, at('shared/a'), merge({ metadata: { annotations: { note: null } } }))
    await test.settled()
    const repaired = await test.virtual.get(secrets, at('team/a'))
    t.equal(textIn(repaired), 'one')
    t.same(repaired.metadata.labels, { app: 'web', [madeBy]: 'from-host' })
    t.same(repaired.metadata.annotations, { own: 'y', 'plugin.vcluster.loft.sh/host-object': 'shared/a' })

    await test.virtual.delete(secrets, at('team/a'))
    await test.settled()
    t.equal(textIn(await test.virtual.get(secrets, at('team/a'))), 'one', 'deleted by hand it comes back')

    await test.host.patch(secrets, at('shared/a'), merge({ metadata: { labels } }))
    await test.settled()
    await test.host.patch(secrets, at('shared/a'), merge({ stringData: { text: 'two' } }))
    await test.settled()
    t.equal(
      textIn(await test.virtual.get(secrets, at('team/a'))),
      'one',
      'the host’s controlled-by is obeyed',
    )
    await test.host.delete(secrets, at('shared/a'))
    await test.settled()
    t.ok(await isGone(test.virtual.get(secrets, at('team/a'))))
  },
)

void t.test('a copy follows its namespace, and what it cannot become it is replaced by', async (t) => {
  const test = await running(t, mapsSecrets({ mappings: { '': 'team' } }))
  await test.host.create(secrets, { ...secret('vcluster-vc/a', 'one'), immutable: true })
  await test.settled()
  const before = await test.virtual.get(secrets, at('team/a'))
  t.equal(before.immutable, true)
  await test.virtual.delete(namespaces, { namespace: '', name: 'team' })
  await test.settled()
  t.equal(textIn(await test.virtual.get(secrets, at('team/a'))), 'one')

  await test.stop()
  await test.host.delete(secrets, at('vcluster-vc/a'))
  const other = { type: 'example.com/other', ...secret('vcluster-vc/a', 'two') }
  await test.host.create(secrets, other)
  const { virtualServer, hostServer } = test
  await running(t, mapsSecrets({ mappings: { '': 'team' } }), { virtualServer, hostServer })
  const after = await test.virtual.get(secrets, at('team/a'))
  t.same([after.type, textIn(after), after.immutable], ['example.com/other', 'two', undefined])
})

void t.test('a namespace that is not to be made is waited for', async (t) => {
  const test = await running(t, mapsSecrets({ mappings: { '': 'team' }, createsNamespaces: false }))
  await test.host.create(secrets, secret('vcluster-vc/a', 'one'))
  await test.settled()
  t.ok(await isGone(test.virtual.get(namespaces, at('/team'))))
  await test.virtual.create(namespaces, { metadata: { name: 'team' } })
  await test.settled()
  t.equal(textIn(await test.virtual.get(secrets, at('team/a'))), 'one')
})

class Counted extends FromHostTranslator<Secret> {
  lookups = 0

  override hostToVirtual(host: Secret) {
    this.lookups++
    return super.hostToVirtual(host)
  }
}

void t.test('another label of a namespace does not make a syncer go through all host objects', async (t) => {
  const options = { mappings: { '': 'team' }, select: 'all' } as const
  const syncers: Counted[] = []
  const test = await running(t, (plugin, ctx) => {
    const syncer = new Counted(ctx, 'from-host', secrets, options)
    syncers.push(syncer)
    plugin.register(syncer)
  })
  await test.host.create(secrets, secret('vcluster-vc/a', 'one'))
  await test.settled()
  const lookups = () => syncers[0]?.lookups
  const before = lookups()
  await test.virtual.patch(namespaces, at('/team'), merge({ metadata: { labels: { step: 'two' } } }))
  await test.settled()
  t.equal(lookups(), before)
  await test.virtual.delete(namespaces, at('/team'))
  await test.settled()
  t.equal(
    textIn(await test.virtual.get(secrets, at('team/a'))),
    'one',
    'it is created again with its namespace',
  )
})

void t.test('the value of a Secret that is refused in a new namespace is in no error', async (t) => {
  const value = 'c2VjcmV0'
  const answers = [
    new ApiError({ code: 404, reason: 'NotFound', message: 'namespaces "team" not found' }),
    new ApiError({ code: 422, reason: 'Invalid', message: `data: Invalid value: "${value}"` }),
  ]
  const create = async ({ kind }: Resource) => {
    if (kind === 'Secret') throw answers.shift()
  }
  const ctx = { logger: silentLogger, virtual: { client: { create } } } as unknown as SyncContext
  const virtual: Secret = { metadata: at('team/a'), data: { text: value } }
  const error = await createVirtualCopy(ctx, secrets, { virtual, createsNamespaces: true }).catch(String)
  t.equal(error, 'ApiError: the API server refused the Secret: 422 Invalid')
})

const reasonsAbout = async (test: TestPlugin, name: string) => {
  const { items } = await test.virtual.list(events, { namespace: 'default' })
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason)
}

void t.test('an existing virtual object is left alone, unless it is to be adopted', async (t) => {
  const test = await running(t, mapsSecrets({ mappings: { '': 'default' } }))
  await test.virtual.create(secrets, secret('default/a', 'theirs'))
  await test.host.create(secrets, secret('vcluster-vc/a', 'ours'))
  await test.settled()
  t.equal(textIn(await test.virtual.get(secrets, at('default/a'))), 'theirs')
  t.same(await reasonsAbout(test, 'a'), ['SyncError'])
  await test.host.delete(secrets, at('vcluster-vc/a'))
  await test.settled()
  t.notOk(await isGone(test.virtual.get(secrets, at('default/a'))), 'nor is it deleted')
  await test.host.create(secrets, secret('vcluster-vc/a', 'ours'))
  await test.virtual.delete(secrets, at('default/a'))
  await test.settled()
  t.equal(
    textIn(await test.virtual.get(secrets, at('default/a'))),
    'ours',
    'its place is taken when it leaves',
  )

  const adopting = await running(t, mapsSecrets({ mappings: { '': 'default' }, adopts: true }))
  await adopting.virtual.create(secrets, secret('default/a', 'theirs'))
  await adopting.host.create(secrets, secret('vcluster-vc/a', 'ours'))
  await adopting.settled()
  t.equal(textIn(await adopting.virtual.get(secrets, at('default/a'))), 'ours')
})

void t.test('a second host object under one name takes over when the first leaves', async (t) => {
  const test = await running(t, mapsSecrets({ mappings: { 'one/*': 'team/*', 'two/*': 'team/*' } }))
  for (const name of ['one', 'two']) {
    await test.host.create(namespaces, { metadata: { name } })
    await test.host.create(secrets, secret(`${name}/a`, name))
  }
  await test.settled()
  t.equal(textIn(await test.virtual.get(secrets, at('team/a'))), 'one')
  await test.host.delete(secrets, at('one/a'))
  await test.settled()
  t.equal(textIn(await test.virtual.get(secrets, at('team/a'))), 'two')
})

void t.test(
  'the copy of a host object that was deleted without the plugin is deleted at its start',
  async (t) => {
    const register = mapsSecrets({ mappings: { '': 'default' } })
    const first = await running(t, register)
    await first.host.create(secrets, secret('vcluster-vc/a', 'ours'))
    await first.settled()
    await first.stop()
    await first.host.delete(secrets, at('vcluster-vc/a'))
    const { virtualServer, hostServer } = first
    await running(t, register, { virtualServer, hostServer })
    t.ok(await isGone(first.virtual.get(secrets, at('default/a'))))
  },
)

void t.test('copies of a vcluster and root certificates are not treated as originals', async (t) => {
  const test = await running(t, (plugin, ctx) =>
    plugin.register(
      new FromHostTranslator<ConfigMap>(ctx, 'from-host', configMaps, {
        mappings: { '': 'team' },
        select: 'all',
      }),
    ),
  )
  const labels = { 'vcluster.loft.sh/managed-by': 'other' }
  await test.host.create(configMaps, { metadata: { ...at('vcluster-vc/copy'), labels } })
  await test.host.create(configMaps, { metadata: at('vcluster-vc/mine') })
  await test.settled()
  const { items } = await test.virtual.list(configMaps, { namespace: 'team' })
  t.same(
    items.filter(({ metadata }) => metadata.labels?.[madeBy]).map(({ metadata }) => metadata.name),
    ['mine'],
  )
  await test.host.patch(configMaps, at('vcluster-vc/mine'), merge({ metadata: { labels } }))
  await test.settled()
  t.ok(await isGone(test.virtual.get(configMaps, at('team/mine'))), 'what is none any more loses its copy')
})

const mirrored: Resource<KubeObject & { value?: number }> = priorityClasses

void t.test('a cluster-scoped host object is mirrored under its own name', async (t) => {
  const test = await running(t, (plugin, ctx) => {
    t.throws(() => new MirrorTranslator(ctx, 'x', secrets), { code: 'NOT_CLUSTER_SCOPED' })
    t.throws(() => new FromHostTranslator(ctx, 'x', mirrored, { mappings: {} }), { code: 'NOT_NAMESPACED' })
    plugin.register(new MirrorTranslator(ctx, 'mirror', mirrored))
  })
  const high = at('/high')
  await test.host.create(mirrored, { metadata: { name: 'high', labels: { tier: 'a' } }, value: 7 })
  const labels = { 'vcluster.loft.sh/managed-by': 'other' }
  await test.host.create(mirrored, { metadata: { name: 'vcluster-low-x-other-x-vc', labels }, value: 1 })
  await test.settled()
  const copy = await test.virtual.get(mirrored, high)
  t.same([copy.value, copy.metadata.labels], [7, { tier: 'a', [madeBy]: 'mirror' }])
  t.ok(await isGone(test.virtual.get(mirrored, at('/vcluster-low-x-other-x-vc'))))
  await test.host.delete(mirrored, high)
  await test.settled()
  t.ok(await isGone(test.virtual.get(mirrored, high)))
})
