// Tests that objects are left alone which somebody else creates or changes while a release is written.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { conditionOf, create, edit, find, history, start } from '../reconciled.fixture.js'

/** An operator; `before` is called right before its first write of the ConfigMap of the release. */
async function started(t: Test, options: Partial<HelmControllerOptions>, before: () => Promise<unknown>) {
  const hook = { isSet: true }
  const test = await start(t, options, {
    wrap: (transport) => ({
      request: async (call) => {
        const isWrite = call.method === 'PATCH' && call.path.includes('/configmaps/hello?')
        if (isWrite && hook.isSet) {
          hook.isSet = false
          await before()
        }
        return transport.request(call)
      },
      stream: transport.stream.bind(transport),
      close: () => transport.close(),
    }),
  })
  return { test, hook }
}

/** Installs the release, and then calls `before` in its upgrade. */
async function upgrade(test: TestOperator, hook: { isSet: boolean }): Promise<void> {
  hook.isSet = false
  await create(test, { text: 'one' })
  await test.settled()
  hook.isSet = true
  await edit(test, { spec: { text: 'two' } })
  await test.settled()
}

const metadataOf = (release: string) => ({
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': 'default' },
})

void t.test('an object that somebody creates between the look and the write stays as it is', async (t) => {
  const { test } = await started(t, {}, () =>
    test.client.create(configMaps, { metadata: key, data: { own: 'yes' } }),
  )
  await create(test, { text: 'one' })
  await test.settled()
  const found = await find(test, configMaps)
  t.strictSame([found?.data, found?.metadata.labels], [{ own: 'yes' }, undefined])
  const message = /^objects exist that do not belong to the release hello: ConfigMap default\/hello;/
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotOurs', message })

  await test.client.delete(configMaps, key)
  await edit(test, { metadata: { labels: { look: 'again' } } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'one' } }, 'it goes on without the object')
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('one that is replaced by another release in between is not upgraded', async (t) => {
  const { test, hook } = await started(t, {}, async () => {
    await test.client.delete(configMaps, key)
    await test.client.create(configMaps, {
      metadata: { ...key, ...metadataOf('other') },
      data: { own: 'yes' },
    })
  })
  await upgrade(test, hook)
  t.strictSame((await find(test, configMaps))?.data, { own: 'yes' })
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotOurs' })
})

void t.test('one that changes in between and still belongs to the release is written', async (t) => {
  const { test, hook } = await started(t, {}, () =>
    test.client.patch(configMaps, key, { type: 'merge', body: { data: { other: 'mine' } } }),
  )
  await upgrade(test, hook)
  t.strictSame((await find(test, configMaps))?.data, { text: 'two', other: 'mine' })
  t.strictSame(await history(test), ['1 superseded', '2 deployed'], 'in the same run')
})

void t.test('the repair of an object leaves those of others alone', async (t) => {
  const { test, hook } = await started(t, {}, () =>
    test.client.create(configMaps, { metadata: key, data: { own: 'yes' } }),
  )
  hook.isSet = false
  await create(test, { text: 'one' })
  await test.settled()
  const change = (metadata: object) =>
    test.client.patch(configMaps, key, { type: 'merge', body: { metadata, data: { text: 'edited' } } })
  await change({ labels: { 'app.kubernetes.io/managed-by': null } })
  await edit(test, { metadata: { labels: { look: 'again' } } })
  await test.settled()
  t.match(
    await find(test, configMaps),
    { metadata: metadataOf('hello'), data: { text: 'one' } },
    'it has drifted',
  )

  await change(metadataOf('other'))
  await edit(test, { metadata: { labels: { look: 'twice' } } })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'edited' } }, 'it belongs to another release')
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'NotOurs' })

  hook.isSet = true
  await test.client.delete(configMaps, key)
  await edit(test, { metadata: { labels: { look: 'thrice' } } })
  await test.settled()
  t.strictSame((await find(test, configMaps))?.data, { own: 'yes' }, 'somebody was faster')
})
