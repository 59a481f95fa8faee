// Tests which releases an object has: selected objects, long names, and operations of other programs that were
// interrupted.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Transport } from '../../engine/transport/transport.js'
import { ReleaseStore } from '../release/release-store.js'
import { greetings, key } from './greetings.fixture.js'
import { ofReleases } from './objects/release-object.js'
import {
  conditionOf,
  create,
  edit,
  eventsOf,
  find,
  history,
  start,
  statusOf,
  until,
} from './reconciled.fixture.js'

const referencesIn = ({ metadata }: KubeObject) => metadata.ownerReferences?.map(({ name }) => name) ?? []

void t.test(
  'an object outside of the selector has no release; one that leaves keeps it, and takes it back',
  async (t) => {
    const test = await start(t, { selector: { matchLabels: { managed: 'yes' } } })
    const label = (managed: string | null) => edit(test, { metadata: { labels: { managed } } })
    const owners = async () =>
      (await new ReleaseStore(test.client, Date.now).revisions('default', 'hello')).map(({ owner }) => owner)
    const { uid } = (await create(test, { text: 'one' })).metadata
    await test.settled()
    t.strictSame(await history(test), [])
    await label('yes')
    await test.settled()
    t.strictSame([await history(test), await owners()], [['1 deployed'], [uid]])
    await label(null)
    await test.settled()
    t.strictSame(await owners(), [undefined], 'the release belongs to no object')
    t.match(await find(test, configMaps), { data: { text: 'one' } })
    t.strictSame((await find(test, greetings))?.metadata.finalizers ?? [], [])
    await label('yes')
    await test.settled()
    t.strictSame([await history(test), await owners()], [['1 deployed'], [uid]], 'no revision is written')
    t.match(await find(test, configMaps), { metadata: { ownerReferences: [{ uid }] } })
  },
)

void t.test('the release of an object that left the selector stays when the object is deleted', async (t) => {
  const test = await start(t, { selector: { matchLabels: { managed: 'yes' } } })
  const label = (managed: string | null) => edit(test, { metadata: { labels: { managed } } })
  await create(test, { text: 'one', more: ['b', 'foreign'] })
  await label('yes')
  await test.settled()
  await edit(test, { spec: { more: ['foreign'] } })
  await test.settled()
  const other = { 'meta.helm.sh/release-name': 'other' }
  const foreign = { type: 'merge', body: { metadata: { annotations: other } } } as const
  await test.client.patch(configMaps, { ...key, name: 'hello-foreign' }, foreign)
  await label(null)
  await test.settled()
  const { items } = await test.client.list(configMaps, { namespace: 'default', labelSelector: ofReleases })
  t.strictSame(items.map(referencesIn), [[], ['hello']], 'only references of the own release are removed')
  await test.client.delete(greetings, key)
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } })
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
})

void t.test('it also leaves with objects and records that the operator cannot read', async (t) => {
  const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message: 'no' })
  let isNarrowed = false
  const wrap = (transport: Transport): Transport => ({
    close: () => transport.close(),
    request: async (request) => {
      if (isNarrowed && request.path.endsWith('/configmaps/hello-b')) throw forbidden
      if (isNarrowed && request.path.startsWith('/apis/down.example.com')) throw new ApiError({ code: 503 })
      return transport.request(request)
    },
    stream: (request) => transport.stream(request),
  })
  const test = await start(t, { selector: { matchLabels: { managed: 'yes' } } }, { wrap })
  const label = (managed: string | null) => edit(test, { metadata: { labels: { managed } } })
  await create(test, { text: 'one' })
  await label('yes')
  await test.settled()
  for (const more of [['c'], ['b']]) {
    await edit(test, { spec: { more } })
    await test.settled()
  }
  const store = new ReleaseStore(test.client, Date.now)
  const revisions = await store.revisions('default', 'hello')
  const manifests = ['---\na: [', '---\napiVersion: down.example.com/v1\nkind: Thing\nmetadata: {name: a}']
  for (const [index, manifest] of manifests.entries()) {
    const revision = revisions[index]
    if (revision) await store.update({ ...revision, release: { ...revision.release, manifest } })
  }
  isNarrowed = true
  await label(null)
  await test.settled()
  t.strictSame(
    (await store.revisions('default', 'hello')).map(({ owner }) => owner),
    [undefined, undefined, undefined],
  )
  const [warning = ''] = await eventsOf(test, 'StillOwned')
  t.match(warning, /Greeting default\/hello as their owner/)
  t.match(warning, /the Secret \S+\.v1 cannot be read: .*; ConfigMap default\/hello-b \(v1\): no$/)
  t.match(warning, /the API down\.example\.com\/v1 does not answer/)
})

void t.test(
  'an object with a long name has a release of a shorter one, the same after a restart',
  async (t) => {
    const name = 'a'.repeat(60)
    const server = await createApiServer({})
    const first = await start(t, {}, { servers: { main: server } })
    await first.client.create(greetings, { metadata: { ...key, name }, spec: { text: 'one' } })
    await first.settled()
    const records = async () =>
      (await first.client.list(secrets, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)
    const made = await records()
    t.match(made, [/^sh\.helm\.release\.v1\.a{44}-[0-9a-f]{8}\.v1$/])
    await first.stop()
    const second = await start(t, {}, { servers: { main: server } })
    await second.settled()
    t.strictSame(await records(), made)
  },
)

void t.test(
  'an operation of another program is left alone, and counts as interrupted after five minutes',
  async (t) => {
    const clock = new VirtualClock()
    const test = await start(
      t,
      { reconcilePeriodMs: 0 },
      { clock, servers: { main: await createApiServer({ clock }) } },
    )
    await create(test, { text: 'one' })
    await test.settled()
    const store = new ReleaseStore(test.client, () => clock.date().getTime())
    const [deployed] = await store.revisions('default', 'hello')
    if (!deployed) throw new Error('there is no release')
    const { release, owner, labels } = deployed
    const info = {
      ...release.info,
      status: 'pending-upgrade',
      last_deployed: clock.date().toISOString(),
    } as const
    await store.create({ labels, owner, release: { ...release, version: 2, info } })
    await edit(test, { spec: { text: 'two' } })
    await until(async () => (await conditionOf(test, 'Irreconcilable'))?.status === 'True')
    t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'OperationInProgress' })
    for (let minute = 1; minute < 5; minute++) await clock.advance(60_000)
    t.strictSame(await history(test), ['1 deployed', '2 pending-upgrade'])
    await until(async () => {
      await clock.advance(5_000)
      return (await history(test)).join() === '1 superseded,2 failed,3 deployed'
    })
    t.match(await find(test, configMaps), { data: { text: 'two' } })
    t.match(await statusOf(test), { deployedRelease: { revision: 3 } })
  },
)

void t.test(
  'a release that another program uninstalled, and whose history it kept, is installed again',
  async (t) => {
    const test = await start(t)
    await create(test, { text: 'one' })
    await test.settled()
    await edit(test, { spec: { text: 'two' } })
    await test.settled()
    const store = new ReleaseStore(test.client, Date.now)
    const deployed = (await store.revisions('default', 'hello')).at(-1)
    if (!deployed) throw new Error('there is no release')
    const info = { ...deployed.release.info, status: 'uninstalled' } as const
    await test.client.delete(configMaps, key)
    await store.update({ ...deployed, written: undefined, release: { ...deployed.release, info } })
    await test.settled()
    t.strictSame(await history(test), ['1 superseded', '2 uninstalled', '3 deployed'])
    t.match(await conditionOf(test, 'Deployed'), { reason: 'InstallSuccessful' })
    await edit(test, { spec: { text: 'three' } })
    await test.settled()
    t.strictSame((await history(test)).slice(1), ['2 uninstalled', '3 superseded', '4 deployed'])
    t.match(await conditionOf(test, 'Deployed'), { reason: 'UpgradeSuccessful' })
  },
)

void t.test('an uninstallation by another program is left alone for five minutes, too', async (t) => {
  const clock = new VirtualClock()
  const servers = { main: await createApiServer({ clock }) }
  const test = await start(t, { reconcilePeriodMs: 0 }, { clock, servers })
  await create(test, { text: 'one' })
  await test.settled()
  const store = new ReleaseStore(test.client, () => clock.date().getTime())
  const [deployed] = await store.revisions('default', 'hello')
  if (!deployed) throw new Error('there is no release')
  await clock.advance(3_600_000)
  const deleted = clock.date().toISOString()
  const info = { ...deployed.release.info, status: 'uninstalling', deleted } as const
  await store.update({ ...deployed, written: undefined, release: { ...deployed.release, info } })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'OperationInProgress')
  for (let minute = 1; minute < 5; minute++) await clock.advance(60_000)
  t.strictSame(await history(test), ['1 uninstalling'])
  await until(async () => {
    await clock.advance(5_000)
    return (await history(test)).join() === '1 uninstalling,2 deployed'
  })
  t.match(await conditionOf(test, 'Deployed'), { reason: 'InstallSuccessful' })
})
