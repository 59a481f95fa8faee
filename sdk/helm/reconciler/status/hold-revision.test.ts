// Tests revisions of other programs, which are followed by an upgrade back, or left as they are until the spec changes.
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, events } from '../../../engine/kube/builtin.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { latestOf } from '../../release/history.js'
import type { ReleaseStatus } from '../../release/release.js'
import { ReleaseStore } from '../../release/release-store.js'
import { key } from '../greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, start, statusOf } from '../reconciled.fixture.js'

/** Does what `helm rollback` and `helm upgrade` do: labels are copied, annotations are not. */
async function byHelm({ client }: TestOperator, text: string, status: ReleaseStatus = 'deployed') {
  const store = new ReleaseStore(client, Date.now)
  const latest = latestOf(await store.revisions('default', 'hello'))
  if (!latest) throw new Error('there is no release')
  const { release, owner, labels } = latest
  await store.update({ ...latest, release: { ...release, info: { ...release.info, status: 'superseded' } } })
  const manifest = release.manifest.replace(/"text": "\w+"/, `"text": "${text}"`)
  const info = { ...release.info, status, description: 'by hand' }
  await store.create({
    owner,
    labels,
    release: { ...release, version: release.version + 1, info, manifest, config: { text } },
  })
  await client.patch(configMaps, key, { type: 'merge', body: { data: { text } } })
}
const textOf = async (test: TestOperator) => (await find(test, configMaps))?.data?.text

void t.test('by default, it is upgraded back', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one' })
  await test.settled()
  await byHelm(test, 'foreign')
  await test.settled()
  t.equal(await textOf(test), 'one')
  t.strictSame(await history(test), ['1 superseded', '2 superseded', '3 deployed'])
  t.match(await eventsOf(test, 'ForeignRevision'), [/revision 2 of hello is of another program: by hand/])
  t.equal(await conditionOf(test, 'Paused'), undefined)
})

void t.test('with hold, it is left until the spec changes', async (t) => {
  const test = await start(t, { onForeignRevision: 'hold' })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Paused'), { status: 'False' })
  await byHelm(test, 'foreign')
  await test.settled()
  t.equal(await textOf(test), 'foreign')
  t.strictSame(await history(test), ['1 superseded', '2 deployed'])
  t.match(await conditionOf(test, 'Paused'), {
    status: 'True',
    reason: 'ForeignRevision',
    message: 'revision 2 of hello is of another program; it is left as it is until the spec changes',
  })
  t.match(await statusOf(test), { deployedRelease: { revision: 2 } })
  await edit(test, { metadata: { labels: { any: 'thing' } } })
  await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'again' } } })
  await test.settled()
  t.equal(await textOf(test), 'again', 'nothing is put right meanwhile')
  const { items } = await test.client.list(events, { namespace: 'default' })
  const told = items.filter(({ reason }) => reason === 'ForeignRevision')
  t.match(told, [{ series: undefined }], 'one Event says so')

  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.equal(await textOf(test), 'two')
  t.strictSame((await history(test)).slice(1), ['2 superseded', '3 deployed'])
  t.match(await conditionOf(test, 'Paused'), { status: 'False' })
  await byHelm(test, 'other')
  await test.settled()
  t.equal(await textOf(test), 'other', 'the next one is left, too')
})

void t.test('with hold, a spec that changed before the revision was seen is not held', async (t) => {
  const server = await createApiServer({})
  const first = await start(t, { onForeignRevision: 'hold' }, { servers: { main: server } })
  await create(first, { text: 'one' })
  await first.settled()
  await first.stop()
  await byHelm(first, 'foreign')
  await edit(first, { spec: { text: 'two' } })
  const second = await start(t, { onForeignRevision: 'hold' }, { servers: { main: server } })
  await second.settled()
  t.equal(await textOf(second), 'two')
  t.strictSame(await history(second), ['1 superseded', '2 superseded', '3 deployed'])
  t.match(await conditionOf(second, 'Paused'), { status: 'False' })
  t.match(await eventsOf(second, 'ForeignRevision'), [/revision 2 of hello is of another program: by hand/])

  await second.stop()
  await byHelm(second, 'other')
  await edit(second, { metadata: { labels: { any: 'thing' } } })
  const third = await start(t, { onForeignRevision: 'hold' }, { servers: { main: server } })
  await third.settled()
  t.equal(await textOf(third), 'other', 'without a change of the spec it is')
})

void t.test(
  'with hold, a foreign revision that failed is left as well, and retry ends the pause',
  async (t) => {
    const test = await start(t, { onForeignRevision: 'hold', annotations: annotationNames })
    await create(test, { text: 'one' })
    await test.settled()
    await byHelm(test, 'foreign', 'failed')
    await test.settled()
    t.equal(await textOf(test), 'foreign')
    t.match(await conditionOf(test, 'Paused'), { status: 'True' })
    await edit(test, { metadata: { annotations: { [annotationNames.retry]: 'now' } } })
    await test.settled()
    t.equal(await textOf(test), 'one')
    t.strictSame((await history(test)).at(-1), '3 deployed')
  },
)

void t.test('with hold, a foreign revision that equals what is wanted does not pause', async (t) => {
  const test = await start(t, { onForeignRevision: 'hold' })
  await create(test, { text: 'one' })
  await test.settled()
  await byHelm(test, 'one')
  await test.settled()
  t.match(await conditionOf(test, 'Paused'), { status: 'False' })
  await test.client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'edited' } } })
  await test.settled()
  t.equal(await textOf(test), 'one', 'drift is put right')
})
