import t, { type Test } from 'tap'
import { isNotFound, namespaces, type Secret, secrets } from 'vcluster-plugin-sdk'
import {
  exhaust,
  perturb,
  type Scenario,
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'
import type { PullSecretSyncerOptions } from './pull-secret-syncer.js'
import { register } from './register.js'

const hostKey = { namespace: 'vcluster-vc', name: 'registry' }
const key = { namespace: 'default', name: 'registry' }
const type = 'kubernetes.io/dockerconfigjson'
const config = (password: string) => ({ '.dockerconfigjson': JSON.stringify({ auths: { a: { password } } }) })
const registry = { type, metadata: hostKey, stringData: config('one') }

/** Runs the example on both embedded clusters, with a pull secret on the host. */
async function shown(
  t: Test,
  options: PullSecretSyncerOptions & TestPluginOptions = {},
): Promise<TestPlugin> {
  const test = await testPlugin((plugin, ctx) => register(plugin, ctx, options), options)
  t.teardown(() => test.stop())
  if (!options.hostServer) await test.host.create(secrets, registry)
  await test.settled()
  return test
}

async function copyIn({ virtual }: TestPlugin, at = key): Promise<Secret | undefined> {
  try {
    return await virtual.get(secrets, at)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const contentOf = (secret: Secret | undefined) =>
  Buffer.from(secret?.data?.['.dockerconfigjson'] ?? '', 'base64').toString()
const merge = (body: object) => ({ type: 'merge', body }) as const

void t.test('a pull secret of the host is copied, and no other Secret', async (t) => {
  const test = await shown(t)
  await test.host.create(secrets, { metadata: { ...hostKey, name: 'opaque' }, stringData: { a: 'b' } })
  await test.settled()
  const copy = await copyIn(test)
  t.same([copy?.type, contentOf(copy)], [type, config('one')['.dockerconfigjson']])
  t.same(copy?.metadata.labels, { 'plugin.vcluster.loft.sh/managed-by': 'pull-secret-sync' })
  t.notOk(await copyIn(test, { ...key, name: 'opaque' }))
})

void t.test('copies that vcluster or a plugin made on the host are not copied back', async (t) => {
  const test = await shown(t)
  for (const label of ['vcluster.loft.sh/managed-by', 'plugin.vcluster.loft.sh/managed-by']) {
    await test.host.patch(secrets, hostKey, merge({ metadata: { labels: { [label]: 'someone' } } }))
    await test.settled()
    t.notOk(await copyIn(test), label)
    await test.host.patch(secrets, hostKey, merge({ metadata: { labels: { [label]: null } } }))
    await test.settled()
    t.ok(await copyIn(test), 'even if the label was removed')
  }
})

void t.test('a change of the original is copied, and a change of the copy is reverted', async (t) => {
  const test = await shown(t)
  await test.host.patch(secrets, hostKey, merge({ stringData: config('two') }))
  await test.settled()
  t.equal(contentOf(await copyIn(test)), config('two')['.dockerconfigjson'])
  await test.virtual.patch(secrets, key, merge({ stringData: config('edited') }))
  await test.settled()
  t.equal(contentOf(await copyIn(test)), config('two')['.dockerconfigjson'])
  await test.virtual.delete(secrets, key)
  await test.settled()
  t.ok(await copyIn(test))
})

void t.test(
  'the copy is deleted with the original, and recreated when the original has another type',
  async (t) => {
    const test = await shown(t)
    await test.host.delete(secrets, hostKey)
    await test.settled()
    t.notOk(await copyIn(test))

    await test.host.create(secrets, registry)
    await test.settled()
    await test.stop()
    await test.host.delete(secrets, hostKey)
    await test.host.create(secrets, { metadata: hostKey, stringData: { a: 'b' } })
    const { virtualServer, hostServer } = test
    t.notOk(await copyIn(await shown(t, { virtualServer, hostServer })), 'while the plugin was down')
  },
)

void t.test('a copy whose label was removed belongs to the user', async (t) => {
  const test = await shown(t)
  const labels = { 'plugin.vcluster.loft.sh/managed-by': null }
  await test.virtual.patch(secrets, key, merge({ metadata: { labels } }))
  await test.host.delete(secrets, hostKey)
  await test.settled()
  t.ok(await copyIn(test))
})

void t.test('an existing Secret of the user is not changed', async (t) => {
  const test = await testPlugin(register)
  t.teardown(() => test.stop())
  await test.virtual.create(secrets, { metadata: key, stringData: { mine: 'yes' } })
  await test.host.create(secrets, registry)
  await test.settled()
  t.equal((await copyIn(test))?.type, 'Opaque')
  await test.virtual.delete(secrets, key)
  await test.settled()
  t.equal((await copyIn(test))?.type, type)
})

void t.test(
  'another destination namespace is created, and the copies in the previous one are deleted',
  async (t) => {
    const test = await shown(t)
    await test.stop()
    const { virtualServer, hostServer } = test
    const other = await shown(t, { virtualServer, hostServer, destination: 'build' })
    t.notOk(await copyIn(other))
    t.ok(await copyIn(other, { ...key, namespace: 'build' }))
    await other.virtual.delete(namespaces, { namespace: '', name: 'build' })
    await other.settled()
    t.ok(await copyIn(other, { ...key, namespace: 'build' }), 'the copy is restored with its namespace')
  },
)

void t.test('the copy is correct after crashes, lag and refused requests', async (t) => {
  const scenario: Scenario = {
    register: (plugin, ctx) => register(plugin, ctx, { destination: 'build' }),
    steps: {
      'a pull secret is created': ({ host }) => host.create(secrets, registry),
      'it changes': ({ host }) => host.patch(secrets, hostKey, merge({ stringData: config('two') })),
      'a user deletes the copy': ({ virtual }) => virtual.delete(secrets, { ...key, namespace: 'build' }),
      'it goes': ({ host }) => host.delete(secrets, hostKey),
      'it is recreated with another type': ({ host }) =>
        host.create(secrets, { metadata: hostKey, stringData: { a: 'b' } }),
    },
  }
  await t.resolves(exhaust(scenario, { faults: ['crashes'] }))
  await t.resolves(exhaust(scenario, { faults: ['late-events'] }))
  await t.resolves(exhaust(scenario, { faults: ['lost-events'] }))
  await t.resolves(exhaust(scenario, { faults: ['refusals'] }))
  await t.resolves(perturb(scenario, { runs: 20 }))
})
