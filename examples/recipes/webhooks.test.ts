// Runs each recipe for webhooks once in an embedded cluster that calls them.
import t, { type Test } from 'tap'
import { configMaps, namespaces } from 'vcluster-plugin-sdk'
import { controller, crdOf } from 'vcluster-plugin-sdk/operator'
import { type TestWebhookOptions, testOperator } from 'vcluster-plugin-sdk/testing'
import { apps } from './apps.js'

async function start(t: Test, recipe: string) {
  const { webhooks } = (await import(`./${recipe}.ts`)) as { webhooks: TestWebhookOptions['kinds'] }
  const controllerOfApps = controller(apps, { reconcile: (ctx) => ctx.condition('Ready', true, 'Seen') })
  const test = await testOperator((operator) => operator.register(controllerOfApps), {
    definitions: [crdOf(apps)],
    webhooks: { kinds: webhooks, reads: [apps] },
  })
  t.teardown(() => test.stop())
  return test
}

const key = { namespace: 'default', name: 'web' }
const spec = { image: 'nginx:1.29' }

void t.test('default a field', async (t) => {
  const { client } = await start(t, 'default-a-field')
  t.equal((await client.create(apps, { metadata: key, spec })).spec.port, 8080)
  const other = { ...key, name: 'other' }
  t.equal((await client.create(apps, { metadata: other, spec: { ...spec, port: 80 } })).spec.port, 80)
})

void t.test('unique in its namespace', async (t) => {
  const { client, settled } = await start(t, 'unique-in-its-namespace')
  await client.create(apps, { metadata: key, spec })
  await settled()
  const other = { metadata: { ...key, name: 'other' }, spec }
  await t.rejects(client.create(apps, other), { message: /spec\.image.*is that of the App web/s })
  await client.create(apps, { ...other, spec: { image: 'nginx:1.30' } })
  await client.patch(apps, key, { type: 'merge', body: { spec: { port: 80 } } })
})

void t.test('limit per namespace', async (t) => {
  const { client, settled } = await start(t, 'limit-per-namespace')
  for (const name of ['a', 'b', 'c']) await client.create(apps, { metadata: { ...key, name }, spec })
  await settled()
  await t.rejects(client.create(apps, { metadata: key, spec }), { message: /has 3 Apps already/ })
  await client.patch(apps, { ...key, name: 'a' }, { type: 'merge', body: { spec: { port: 80 } } })
})

void t.test('protect from deletion', async (t) => {
  const { client } = await start(t, 'protect-from-deletion')
  // The namespace of the operator is left out.
  await client.create(namespaces, { metadata: { name: 'team' } })
  const settings = { namespace: 'team', name: 'settings' }
  await client.create(configMaps, { metadata: { ...settings, labels: { protected: 'true' } } })
  await t.rejects(client.delete(configMaps, settings), { message: /remove this label first/ })
  const labels = { protected: null }
  await client.patch(configMaps, settings, { type: 'merge', body: { metadata: { labels } } })
  await client.delete(configMaps, settings)
})
