import t, { type Test } from 'tap'
import { isNotFound, namespaces, parseKey, type Secret, secrets } from 'vcluster-plugin-sdk'
import {
  exhaust,
  type Scenario,
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'
import { importAnnotation } from './import-secret-syncer.js'
import { register } from './register.js'

const hostKey = { namespace: 'vcluster-vc', name: 'database' }
const asking = (name: string, target: string, text: string) => ({
  metadata: { ...hostKey, name, annotations: { [importAnnotation]: target } },
  stringData: { text },
})
const merge = (body: object) => ({ type: 'merge', body }) as const

async function started(t: Test, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

/** Runs the example on both embedded clusters, with a Secret on the host that is imported to `shop`. */
async function imported(t: Test): Promise<TestPlugin> {
  const test = await started(t)
  await test.host.create(secrets, asking('database', 'shop/login', 'one'))
  await test.settled()
  return test
}

async function textAt({ virtual }: TestPlugin, at: string): Promise<string | undefined> {
  try {
    const secret: Secret = await virtual.get(secrets, parseKey(at))
    return Buffer.from(secret.data?.text ?? '', 'base64').toString()
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const askFor = async (test: TestPlugin, target: string | null) => {
  await test.host.patch(
    secrets,
    hostKey,
    merge({ metadata: { annotations: { [importAnnotation]: target } } }),
  )
  await test.settled()
}

void t.test('a Secret is copied to the place in its annotation, and the namespace is created', async (t) => {
  const test = await imported(t)
  t.equal(await textAt(test, 'shop/login'), 'one')
  await test.host.patch(secrets, hostKey, merge({ stringData: { text: 'two' } }))
  await test.settled()
  t.equal(await textAt(test, 'shop/login'), 'two')
})

void t.test('another annotation moves the copy, and no annotation deletes it', async (t) => {
  const test = await imported(t)
  await askFor(test, 'other/place')
  t.same([await textAt(test, 'shop/login'), await textAt(test, 'other/place')], [undefined, 'one'])
  for (const target of [null, 'no-namespace', 'a/b/c', '/x', 'Upper/case', 'dotted.namespace/x']) {
    await askFor(test, target)
    t.equal(await textAt(test, 'other/place'), undefined, `${target}`)
    await askFor(test, 'other/place')
    t.equal(await textAt(test, 'other/place'), 'one')
  }
})

void t.test(
  'of two Secrets for one place the first is copied, and the second when the first is gone',
  async (t) => {
    const test = await imported(t)
    await test.host.create(secrets, asking('a-database', 'shop/login', 'first by name'))
    await test.settled()
    t.equal(await textAt(test, 'shop/login'), 'first by name')
    await test.host.delete(secrets, { ...hostKey, name: 'a-database' })
    await test.settled()
    t.equal(await textAt(test, 'shop/login'), 'one')
    await test.host.delete(secrets, hostKey)
    await test.settled()
    t.equal(await textAt(test, 'shop/login'), undefined)
  },
)

void t.test('the copy is restored when it is deleted or edited, or its namespace is deleted', async (t) => {
  const test = await imported(t)
  await test.virtual.delete(secrets, parseKey('shop/login'))
  await test.settled()
  t.equal(await textAt(test, 'shop/login'), 'one')
  await test.virtual.patch(secrets, parseKey('shop/login'), merge({ stringData: { text: 'edited' } }))
  await test.settled()
  t.equal(await textAt(test, 'shop/login'), 'one')
  await test.virtual.delete(namespaces, { namespace: '', name: 'shop' })
  await test.settled()
  t.equal(await textAt(test, 'shop/login'), 'one')
})

void t.test('an existing Secret of the user is not changed', async (t) => {
  const test = await started(t)
  const mine = { metadata: parseKey('default/login'), stringData: { text: 'mine' } }
  await test.virtual.create(secrets, mine)
  await test.host.create(secrets, asking('database', 'default/login', 'theirs'))
  await test.settled()
  t.equal(await textAt(test, 'default/login'), 'mine')
  await test.host.delete(secrets, hostKey)
  await test.settled()
  t.equal(await textAt(test, 'default/login'), 'mine')
})

void t.test(
  'a Secret of another type replaces the copy, also if it was created while the plugin was down',
  async (t) => {
    const test = await imported(t)
    await test.stop()
    await test.host.delete(secrets, hostKey)
    const basic = { ...asking('database', 'shop/login', 'two'), type: 'example.com/login' }
    await test.host.create(secrets, basic)
    const { virtualServer, hostServer } = test
    const again = await started(t, { virtualServer, hostServer })
    t.equal(await textAt(again, 'shop/login'), 'two')
    t.equal((await again.virtual.get(secrets, parseKey('shop/login'))).type, 'example.com/login')
  },
)

void t.test('the copy is correct after crashes, lost events and refused requests', async (t) => {
  const asked = (target: string | null) =>
    merge({ metadata: { annotations: { [importAnnotation]: target } } })
  const scenario: Scenario = {
    register: (plugin, ctx) => register(plugin, ctx),
    steps: {
      'a Secret gets the annotation': ({ host }) =>
        host.create(secrets, asking('database', 'default/a', 'one')),
      'the annotation names another place': ({ host }) => host.patch(secrets, hostKey, asked('default/b')),
      'the annotation is removed': ({ host }) => host.patch(secrets, hostKey, asked(null)),
    },
  }
  await t.resolves(exhaust(scenario, { faults: ['crashes'] }))
  await t.resolves(exhaust(scenario, { faults: ['lost-events'] }))
  await t.resolves(exhaust(scenario, { faults: ['refusals'] }))
})
