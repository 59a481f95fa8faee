// Tests that objects and releases of others are left alone.
import t from 'tap'
import { configMaps } from '../../kube/builtin.js'
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
