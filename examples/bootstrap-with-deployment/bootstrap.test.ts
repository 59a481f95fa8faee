import t, { type Test } from 'tap'
import { type Deployment, deployments, namespaces } from 'vcluster-plugin-sdk'
import { type TestPlugin, type TestPluginOptions, testPlugin } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

const key = { namespace: 'mynamespace', name: 'mydeployment' }
const merge = (body: object) => ({ type: 'merge', body }) as const

/** Runs the example on both embedded clusters. */
async function started(t: Test, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

/** Starts the plugin again, as after a restart of the vcluster. */
async function restarted(t: Test, test: TestPlugin): Promise<TestPlugin> {
  await test.stop()
  const { virtualServer, hostServer } = test
  return started(t, { virtualServer, hostServer })
}

const deployed = ({ virtual }: TestPlugin): Promise<Deployment> => virtual.get(deployments, key)

void t.test('the Deployment exists when the plugin runs', async (t) => {
  const test = await started(t)
  const { spec } = await deployed(test)
  t.equal(spec?.template.spec?.containers[0]?.name, 'pause')
  t.same(await test.hostObjects(deployments), [], 'it exists only in the virtual cluster')
})

void t.test('a restart changes nothing if the objects are unchanged', async (t) => {
  const test = await started(t)
  const { uid, resourceVersion } = (await deployed(test)).metadata
  const again = await restarted(t, test)
  t.match((await deployed(again)).metadata, { uid, resourceVersion })
})

void t.test(
  'a restart restores changed and deleted objects, and keeps the additions of a user',
  async (t) => {
    const test = await started(t)
    const body = { metadata: { annotations: { note: 'mine' } }, spec: { replicas: 3 } }
    await test.virtual.patch(deployments, key, merge(body))
    const second = await restarted(t, test)
    t.match(await deployed(second), { metadata: { annotations: { note: 'mine' } }, spec: { replicas: 1 } })
    await second.virtual.delete(deployments, key)
    await second.virtual.delete(namespaces, { namespace: '', name: key.namespace })
    await second.settled()
    t.ok(await deployed(await restarted(t, second)))
  },
)
