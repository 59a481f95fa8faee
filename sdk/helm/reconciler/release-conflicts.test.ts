// Tests that objects and releases of others are left alone.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import { ReleaseStore } from '../release/release-store.js'
import { greetings, key } from './greetings.fixture.js'
import { conditionOf, create, edit, find, history, start } from './reconciled.fixture.js'

void t.test('a foreign object in the way is left alone, and nothing is written', async (t) => {
  const test = await start(t)
  await test.client.create(configMaps, {
    metadata: { namespace: 'default', name: 'hello-a' },
    data: { own: 'yes' },
  })
  await create(test, { more: ['a'] })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'NotOurs',
    message: /^objects exist that do not belong to the release hello: ConfigMap default\/hello-a;/,
  })
  t.strictSame(await history(test), [])
  t.equal(await find(test, configMaps), undefined)
})

void t.test('a release that belongs to another object is not touched', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one' })
  await test.settled()
  const store = new ReleaseStore(test.client, Date.now)
  const [revision] = await store.revisions('default', 'hello')
  if (revision) await store.update({ ...revision, owner: 'somebody', ownerReferences: [] })
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'ReleaseNameTaken', message: /UID somebody/ })
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'], 'its records stay')
})

for (const [adopt, expected] of [
  [undefined, ['1 deployed']],
  ['always', ['1 superseded', '2 deployed']],
] as const)
  void t.test(
    `a release of another chart is ${adopt ? 'adopted with always' : 'not adopted by default'}`,
    async (t) => {
      const test = await start(t, adopt ? { adopt } : {})
      const chart = { metadata: { name: 'other', version: '1.0.0' }, lock: null, templates: [], values: {} }
      await new ReleaseStore(test.client, Date.now).create({
        labels: {},
        release: {
          name: 'hello',
          namespace: 'default',
          version: 1,
          config: {},
          manifest: '',
          hooks: [],
          info: { status: 'deployed', description: 'by hand' },
          chart: { ...chart, schema: null, files: [] },
        },
      })
      await create(test, { text: 'one' })
      await test.settled()
      t.strictSame(await history(test), expected)
      if (!adopt)
        t.match(await conditionOf(test, 'Irreconcilable'), {
          reason: 'ReleaseNameTaken',
          message: /belongs to another program, with the chart other;/,
        })
    },
  )
