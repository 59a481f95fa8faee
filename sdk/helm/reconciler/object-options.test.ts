// Tests the options about the objects of a release.
import t from 'tap'
import { configMaps } from '../../kube/builtin.js'
import type { KubeObject } from '../../kube/object.js'
import { greetings, key } from './greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, start, until } from './reconciled.fixture.js'

void t.test('modifyObjects changes objects, but not which ones they are', async (t) => {
  const labelled = (object: KubeObject, team: string): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, labels: { team } },
  })
  let suffix = ''
  const test = await start(t, {
    modifyObjects: (objects, { resource }) =>
      objects.map((object) => {
        const made = labelled(object, String(resource.metadata.namespace))
        return { ...made, metadata: { ...made.metadata, name: `${object.metadata.name}${suffix}` } }
      }),
  })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await find(test, configMaps), { metadata: { labels: { team: 'default' } }, data: { text: 'one' } })
  await test.client.patch(configMaps, key, {
    type: 'merge',
    body: { metadata: { labels: { team: 'other' } } },
  })
  await test.settled()
  t.match(await find(test, configMaps), { metadata: { labels: { team: 'default' } } }, 'drift is put right')
  t.strictSame(await history(test), ['1 deployed'])
  suffix = '-renamed'
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    status: 'True',
    reason: 'RenderError',
    message: /hello-renamed/,
  })
})

void t.test('takeOwnership takes objects that belong to no release, and no others', async (t) => {
  const test = await start(t, { takeOwnership: true })
  const annotations = { 'meta.helm.sh/release-name': 'other', 'meta.helm.sh/release-namespace': 'default' }
  await test.client.create(configMaps, { metadata: key, data: { text: 'mine' } })
  await test.client.create(configMaps, { metadata: { ...key, name: 'hello-a', annotations } })
  await create(test, { text: 'one', more: ['a'] })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), {
    reason: 'NotOurs',
    message: /^ConfigMap default\/hello-a exist/,
  })
  t.match(await find(test, configMaps), { data: { text: 'mine' } }, 'nothing was written')
  await edit(test, { spec: { more: [] } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } })
})

void t.test('an object whose release cannot be uninstalled is let go after a time', async (t) => {
  let attempts = 0
  const preUninstallHooks = [
    () => {
      attempts++
      throw new Error('the cluster is gone')
    },
  ]
  const test = await start(t, { preUninstallHooks, abandonAfterMs: 1_500 })
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.delete(greetings, key)
  await until(async () => (await find(test, greetings)) === undefined)
  t.ok(attempts > 1, 'it was tried again first')
  t.match(await eventsOf(test, 'Abandoned'), [/the release hello in default is given up/])
})
