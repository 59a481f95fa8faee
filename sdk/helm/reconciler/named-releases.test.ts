// Tests releases whose names and targets are functions of their objects.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { servedOperator } from '../../operator/inspected-operator.fixture.js'
import type { JsonObject } from '../chart/json-object.js'
import { ReleaseStore } from '../release/release-store.js'
import { seedType } from '../release/seed-secret.js'
import { chart, definition, greetings, key, kind } from './greetings.fixture.js'
import { helmController } from './helm-controller.js'
import type { HelmControllerOptions } from './options/options.js'
import { conditionOf, create, edit, eventsOf, find, start, statusOf } from './reconciled.fixture.js'

const serviceAccounts: Resource = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
}

/** Names a release as the spec says. */
const releaseName: HelmControllerOptions['releaseName'] = ({ spec }) => {
  const { as, boom } = (spec ?? {}) as JsonObject
  if (boom) throw new Error('no name')
  return String(as)
}
const byName = { releaseName, reconcilePeriodMs: 0 } as const

type Test = Awaited<ReturnType<typeof start>>
/** The releases of a namespace, each with its revisions. */
async function releasesOf({ client }: Pick<Test, 'client'>, namespace = 'default'): Promise<string[]> {
  const { items } = await client.list(secrets, { namespace, labelSelector: 'owner=helm' })
  const names = [...new Set(items.map(({ metadata }) => metadata.labels?.name ?? ''))].sort()
  const store = new ReleaseStore(client, Date.now)
  const texts = names.map(async (name) => {
    const revisions = await store.revisions(namespace, name)
    return `${name}: ${revisions.map(({ release }) => `${release.version} ${release.info.status}`).join(', ')}`
  })
  return Promise.all(texts)
}
const textOf = async (test: Pick<Test, 'client'>, name: string) =>
  (await find(test, configMaps, name))?.data?.text
const spoil = ({ client }: Test, name: string) =>
  client.patch(
    configMaps,
    { namespace: 'default', name },
    { type: 'merge', body: { data: { text: 'spoiled' } } },
  )

void t.test('a function names the release of an object', async (t) => {
  const test = await start(t, byName)
  await create(test, { as: 'mc-one', text: 'one' })
  await test.settled()
  t.strictSame(await releasesOf(test), ['mc-one: 1 deployed'])
  t.match(await statusOf(test), { deployedRelease: { name: 'mc-one', namespace: 'default' } })
  await spoil(test, 'mc-one')
  await test.settled()
  t.equal(await textOf(test, 'mc-one'), 'one', 'its objects are watched')
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame([await releasesOf(test), await find(test, configMaps, 'mc-one')], [[], undefined])
})

void t.test('a release stays where it is if its object asks for another name', async (t) => {
  const test = await start(t, byName)
  await create(test, { as: 'first', text: 'one' })
  await test.settled()
  await edit(test, { spec: { as: 'second', text: 'two' } })
  await test.settled()
  t.strictSame(await releasesOf(test), ['first: 1 deployed'])
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'TargetChanged',
    message:
      'the release of this object is first in default of the cluster main, and the object asks for second in default of the cluster main now. ' +
      'A release is not moved: it stays as it is. Undo the change, or delete the object and create it again; or run ' +
      'helm uninstall first --namespace default, and a new one is installed',
  })
  t.match(await conditionOf(test, 'Deployed'), { status: 'True' })
  t.equal((await eventsOf(test, 'TargetChanged')).length, 1)
  await spoil(test, 'first')
  await test.settled()
  t.equal(await textOf(test, 'first'), 'one', 'what it has is repaired, and no more')

  await edit(test, { spec: { as: 'first' } })
  await test.settled()
  t.strictSame(await releasesOf(test), ['first: 1 superseded, 2 deployed'], 'the change is undone')
  t.equal(await textOf(test, 'first'), 'two')
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })

  await edit(test, { spec: { as: 'third' } })
  await test.settled()
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(await releasesOf(test), [], 'a deletion uninstalls the release that there is')
  t.strictSame(await find(test, configMaps, 'first'), undefined)
})

void t.test('a record that a user edits is not repaired from if the policy refuses it', async (t) => {
  const test = await start(t, { ...byName, allow: { kinds: ['ConfigMap'] } })
  await create(test, { as: 'first', text: 'one' })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [record] = await store.revisions('default', 'first')
  if (!record) throw new Error('there is no record')
  const { release } = record
  const forged = '---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: forged}\n'
  await store.update({ ...record, release: { ...release, manifest: `${release.manifest}${forged}` } })
  await edit(test, { spec: { as: 'second' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotAllowed',
    message: /ServiceAccount default\/forged/,
  })
  const { items } = await test.client.list(serviceAccounts, { namespace: 'default' })
  t.notOk(items.some(({ metadata }) => metadata.name === 'forged'))
})

void t.test('so it does after a new version of the program, with a function or without', async (t) => {
  const server = await createApiServer({})
  const run = (options: Partial<HelmControllerOptions>) => start(t, options, { servers: { main: server } })
  const first = await run({})
  await create(first, { text: 'one' })
  await first.settled()
  await first.stop()
  for (const releaseName of ['name-hash', ({ metadata }: KubeObject) => `x-${metadata.name}`] as const) {
    const next = await run({ releaseName } as never)
    await next.settled()
    t.strictSame(await releasesOf(next), ['hello: 1 deployed'])
    t.match(await conditionOf(next, 'Irreconcilable'), { status: 'True', reason: 'TargetChanged' })
    await next.stop()
  }
  const last = await run({ releaseName: 'name-hash' })
  await last.client.delete(greetings, key)
  await last.settled()
  t.strictSame(await releasesOf(last), [])
})

void t.test('a release that is uninstalled by hand is installed where its object asks for it', async (t) => {
  const test = await start(t, byName)
  await create(test, { as: 'first', text: 'one' })
  await test.settled()
  await edit(test, { spec: { as: 'second' } })
  await test.settled()
  await test.client.delete(configMaps, { namespace: 'default', name: 'first' })
  await test.settled()
  t.equal(await textOf(test, 'first'), 'one', 'it is still repaired')
  await test.client.delete(secrets, { namespace: 'default', name: 'sh.helm.release.v1.first.v1' })
  await test.settled()
  t.strictSame(await releasesOf(test), ['second: 1 deployed'])
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })
})

void t.test('a function that fails is reported once, and a correction of the object goes on', async (t) => {
  let asked = 0
  const counted: typeof releaseName = (object) => {
    asked += 1
    return typeof releaseName === 'function' ? releaseName(object) : ''
  }
  const test = await start(t, { ...byName, releaseName: counted })
  await create(test, { boom: true })
  await test.settled()
  const message =
    'releaseName failed: no name; correct the function, or the fields of the object that it reads'
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'InvalidTarget', message })
  t.strictSame(await eventsOf(test, 'InvalidTarget'), [message])
  t.ok(asked <= 3, `it is not asked again and again: ${asked}`)
  t.strictSame(await releasesOf(test), [])
  await edit(test, { spec: { boom: null, as: 'one' } })
  await test.settled()
  t.strictSame(await releasesOf(test), ['one: 1 deployed'])
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'False' })

  await edit(test, { spec: { boom: true } })
  await spoil(test, 'one')
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'InvalidTarget', message })
  t.equal(await textOf(test, 'one'), 'hi', 'the release is repaired')
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame([await releasesOf(test), await find(test, greetings)], [[], undefined])
})

void t.test('an object whose function fails, and that has no release, can be deleted', async (t) => {
  const test = await start(t, byName)
  await create(test, { boom: true })
  await test.settled()
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await find(test, greetings), undefined)
})

void t.test('of two objects that ask for one name the first one gets it, then the other one', async (t) => {
  const test = await start(t, byName)
  const other = { ...key, name: 'other' }
  await create(test, { as: 'one', text: 'a' })
  await test.settled()
  await test.client.create(greetings, { metadata: other, spec: { as: 'one', text: 'b' } })
  await test.settled()
  const condition = async () =>
    (await test.client.get(greetings, other)).status?.conditions?.find(
      ({ type }) => type === 'Irreconcilable',
    )
  t.match(await condition(), {
    status: 'True',
    reason: 'ReleaseNameTaken',
    message: 'the release one in default belongs to the Greeting hello; uninstall it, or use another name',
  })
  await test.client.delete(greetings, other)
  await test.settled()
  t.strictSame(await releasesOf(test), ['one: 1 deployed'], 'the deletion of the other changes nothing')
  await spoil(test, 'one')
  await test.settled()
  t.equal(await textOf(test, 'one'), 'a', 'the release is still watched')

  await test.client.create(greetings, { metadata: other, spec: { as: 'one', text: 'b' } })
  await test.settled()
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(await releasesOf(test), ['one: 1 deployed'])
  t.equal(await textOf(test, 'one'), 'b', 'the name is free')
  t.match(await condition(), { status: 'False' })
})

void t.test('a release of helm with the name is adopted', async (t) => {
  const test = await start(t, byName)
  await create(test, { as: 'one', text: 'a' })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [{ release } = { release: undefined }] = await store.revisions('default', 'one')
  if (!release) throw new Error('there is no release')
  const foreign = { ...release, name: 'helmed', manifest: '' }
  await store.create({ release: foreign, labels: {} })
  const other = { ...key, name: 'other' }
  await test.client.create(greetings, { metadata: other, spec: { as: 'helmed', text: 'b' } })
  await test.settled()
  t.strictSame(await releasesOf(test), ['helmed: 1 superseded, 2 deployed', 'one: 1 deployed'])
  const { uid } = (await test.client.get(greetings, other)).metadata
  t.equal((await store.revisions('default', 'helmed')).at(-1)?.owner, uid)
})

void t.test(
  'the seed of a release that never began goes when its object asks for another name',
  async (t) => {
    const paused = ({ resource }: { resource: { spec?: unknown } }) =>
      (resource.spec as JsonObject).wait === true
    const test = await start(t, { ...byName, paused })
    const { uid = '' } = (await create(test, { as: 'first', wait: true })).metadata
    await test.settled()
    const seed = (name: string, of: string) => ({
      metadata: { ...key, name: `sh.helm.seed.v1.${name}`, labels: { 'vcluster-plugin-sdk/owner': of } },
      type: seedType,
    })
    await test.client.create(secrets, seed('first', uid))
    await test.client.create(secrets, seed('others', 'another'))
    await edit(test, { spec: { as: 'second', wait: false } })
    await test.settled()
    const { items } = await test.client.list(secrets, { namespace: 'default' })
    t.strictSame(
      items.map(({ metadata }) => metadata.name),
      ['sh.helm.release.v1.second.v1', 'sh.helm.seed.v1.others'],
    )
  },
)

void t.test('an object outside of the selector leaves its release, whatever it is called', async (t) => {
  const test = await start(t, { ...byName, selector: { matchLabels: { managed: 'yes' } } })
  const label = (managed: string | null) => edit(test, { metadata: { labels: { managed } } })
  await create(test, { as: 'one', text: 'a' })
  await label('yes')
  await test.settled()
  await edit(test, { spec: { boom: true }, metadata: { labels: { managed: null } } })
  await test.settled()
  const [revision] = await new ReleaseStore(test.client, Date.now).revisions('default', 'one')
  t.equal(revision?.release.info.status, 'deployed')
  t.equal(revision?.owner, undefined, 'the release belongs to no object')
  t.strictSame((await find(test, greetings))?.metadata.finalizers ?? [], [])
})

void t.test('target chooses among the namespaces that the policy allows', async (t) => {
  const target: HelmControllerOptions['target'] = ({ spec }) => ({
    namespace: String((spec as JsonObject).in),
  })
  const test = await start(t, { target, allow: { namespaces: ['stage'] }, createNamespace: true })
  await create(test, { in: 'stage', text: 'one' })
  await test.settled()
  t.strictSame([await releasesOf(test, 'stage'), await releasesOf(test)], [['hello: 1 deployed'], []])
  await edit(test, { spec: { in: 'kube-system' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotAllowed',
    message:
      /^target answered the namespace "kube-system" of the cluster main, and the release may be in default, stage: /,
  })
  t.strictSame(await releasesOf(test, 'stage'), ['hello: 1 deployed'])
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(await releasesOf(test, 'stage'), [])
})

void t.test(
  'the inspector shows the release that an object has, and not the one that it asks for',
  async (t) => {
    const { client, settled, why } = await servedOperator(
      t,
      (operator) => operator.register(helmController({ resource: kind, chart, ...byName })),
      [definition],
    )
    await client.create(greetings, { metadata: key, spec: { as: 'first' } })
    await settled()
    await client.patch(greetings, key, { type: 'merge', body: { spec: { as: 'second' } } })
    await settled()
    const [shown] = await why('kind=greeting&name=hello')
    t.match(shown?.releaseDetails, { name: 'first', isOwn: true, latest: { revision: 1 } })
    const other = { ...key, name: 'other' }
    await client.create(greetings, { metadata: other, spec: { as: 'Ü' } })
    await settled()
    const [refused] = await why('kind=greeting&name=other')
    t.match(refused, { releaseDetails: null, releaseError: /^releaseName answered the name "Ü", which Helm/ })
  },
)

interface Typed extends KubeObject {
  spec: { team: string }
}

void t.test('the type of the objects reaches the functions', (t) => {
  const typed: Resource<Typed> = kind
  const { name } = helmController({
    resource: typed,
    chart,
    releaseName: ({ spec }) => spec.team,
    target: ({ spec }) => ({ namespace: spec.team }),
  })
  t.equal(name, 'greetings')
  // @ts-expect-error The objects have no such field.
  helmController({ resource: typed, chart, releaseName: ({ spec }) => spec.teams })
  // @ts-expect-error A target has no such member.
  helmController({ resource: typed, chart, target: () => ({ side: 'host' }) })
  t.end()
})

void t.test('options that do not fit each other are refused at once', (t) => {
  const refused = (options: Partial<HelmControllerOptions>, message: RegExp) =>
    t.throws(() => helmController({ resource: kind, chart, ...options }), {
      code: 'INVALID_REGISTRATION',
      message,
    })
  const target = () => ({})
  refused({ targets: ['host'] }, /has targets: they are for a function as target/)
  refused({ target, targets: [] }, /has no targets/)
  refused({ target, targets: ['host'] }, /has the target "host": name the cluster of its objects/)
  refused({ target, cluster: 'virtual', targets: ['host'], adopt: 'always' }, /adopt: always/)
  for (const name of ['team-*', '*', ''])
    refused(
      { target, allow: { namespaces: ['stage', name] } },
      /list each namespace, patterns are not supported/,
    )
  t.end()
})
