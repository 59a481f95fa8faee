// Runs each recipe for plugins once between two embedded clusters.
import t, { type Test } from 'tap'
import {
  configMaps,
  isNotFound,
  namespaces,
  type Pod,
  pods,
  secrets,
  services,
  silentLogger,
} from 'vcluster-plugin-sdk'
import {
  type Register,
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'

async function start(t: Test, recipe: string, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const { register } = (await import(`./${recipe}.ts`)) as { register: Register }
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

const at = (name: string, namespace = 'default') => ({ namespace, name })
const merge = (body: object) => ({ type: 'merge', body }) as const
const orNothing = <T>(found: Promise<T>) =>
  found.catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
const copyOf = (test: TestPlugin, name: string) =>
  orNothing(test.host.get(configMaps, at(`${name}-x-default-x-vc`, test.targetNamespace)))
const secretCopyOf = (test: TestPlugin, name: string) =>
  orNothing(test.host.get(secrets, at(`${name}-x-default-x-vc`, test.targetNamespace)))
const pod = (name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod => ({
  metadata: at(name),
  spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec },
})

void t.test('filter by label', async (t) => {
  const test = await start(t, 'filter-by-label')
  await test.virtual.create(secrets, { metadata: { ...at('a'), labels: { shared: 'true' } } })
  await test.virtual.create(secrets, { metadata: at('b') })
  await test.settled()
  t.ok(await secretCopyOf(test, 'a'))
  t.notOk(await secretCopyOf(test, 'b'))
  await test.virtual.patch(secrets, at('a'), merge({ metadata: { labels: { shared: null } } }))
  await test.settled()
  t.notOk(await secretCopyOf(test, 'a'), 'one that loses the label loses its copy')
})

void t.test('change the copies', async (t) => {
  const test = await start(t, 'change-copies')
  await test.virtual.create(configMaps, { metadata: at('a'), data: { text: 'hi' } })
  await test.settled()
  t.strictSame((await copyOf(test, 'a'))?.data, { text: 'hi', PROXY: 'http://proxy.internal:3128' })
  await test.virtual.patch(configMaps, at('a'), merge({ data: { text: 'ho' } }))
  await test.settled()
  t.strictSame((await copyOf(test, 'a'))?.data, { text: 'ho', PROXY: 'http://proxy.internal:3128' })
})

void t.test('keep fields of the host', async (t) => {
  const test = await start(t, 'keep-host-fields')
  const spec = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] }
  const original = await test.virtual.create(services, { metadata: at('web'), spec })
  await test.settled()
  const [copy] = (await test.hostObjects(services)).filter(({ metadata }) => metadata.name?.startsWith('web'))
  t.ok(copy?.spec?.clusterIP)
  t.not(copy?.spec?.clusterIP, original.spec?.clusterIP)
  t.equal(copy?.spec?.ports?.[0]?.port, 80)
})

void t.test('both directions', async (t) => {
  const test = await start(t, 'both-directions')
  const flags = 'feature-flags'
  await test.virtual.create(configMaps, { metadata: at(flags), data: { dark: 'off' } })
  await test.settled()
  const key = at(`${flags}-x-default-x-vc`, test.targetNamespace)
  await test.host.patch(configMaps, key, merge({ data: { dark: 'on' } }))
  await test.settled()
  t.strictSame((await test.virtual.get(configMaps, at(flags))).data, { dark: 'on' })
  await test.virtual.patch(configMaps, at(flags), merge({ data: { dark: 'off' } }))
  await test.settled()
  t.strictSame((await copyOf(test, flags))?.data, { dark: 'off' })
})

void t.test('from the host', async (t) => {
  const test = await start(t, 'from-the-host')
  await test.host.create(namespaces, { metadata: { name: 'shared' } })
  await test.host.create(secrets, { metadata: at('wildcard-tls', 'shared'), stringData: { a: 'b' } })
  await test.host.create(secrets, { metadata: at('another', 'shared'), stringData: { a: 'b' } })
  await test.settled()
  t.strictSame((await test.virtual.get(secrets, at('tls'))).data, { a: 'Yg==' })
  t.notOk(await orNothing(test.virtual.get(secrets, at('another'))))
})

void t.test('names of your own', async (t) => {
  const test = await start(t, 'names-of-your-own')
  const { targetNamespace: namespace } = test
  await test.host.create(configMaps, { metadata: { namespace, name: 'settings-web' }, data: { a: 'b' } })
  await test.host.create(configMaps, { metadata: { namespace, name: 'another' } })
  await test.settled()
  const { items } = await test.virtual.list(configMaps, { namespace: 'platform' })
  const shown = items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
  t.strictSame(
    shown.map(({ metadata, data }) => [metadata.name, data]),
    [['web', { a: 'b' }]],
  )
})

void t.test('watch a second kind', async (t) => {
  const test = await start(t, 'watch-a-second-kind')
  await test.virtual.create(configMaps, { metadata: at('a') })
  await test.settled()
  t.strictSame((await copyOf(test, 'a'))?.data, { TEAM: 'none' })
  await test.virtual.patch(namespaces, at('default', ''), merge({ metadata: { labels: { team: 'blue' } } }))
  await test.settled()
  t.strictSame((await copyOf(test, 'a'))?.data, { TEAM: 'blue' })
})

void t.test('only what Pods use', async (t) => {
  const test = await start(t, 'only-what-pods-use')
  await test.virtual.create(secrets, { metadata: at('a') })
  await test.settled()
  t.notOk(await secretCopyOf(test, 'a'))
  const volumes = [{ name: 'a', secret: { secretName: 'a' } }]
  await test.virtual.create(pods, pod('web', { volumes }))
  await test.settled()
  t.ok(await secretCopyOf(test, 'a'))
  await test.virtual.delete(pods, at('web'), { gracePeriodSeconds: 0 })
  await test.settled()
  t.notOk(await secretCopyOf(test, 'a'))
})

void t.test('wait for another object', async (t) => {
  const test = await start(t, 'wait-for-another-object')
  await test.virtual.create(configMaps, { metadata: at('a') })
  await test.settled()
  t.notOk(await copyOf(test, 'a'))
  await test.virtual.create(secrets, { metadata: at('a') })
  await test.settled()
  t.ok(await copyOf(test, 'a'))
})

void t.test('read a configuration', async (t) => {
  const test = await start(t, 'configure', { config: { skip: ['kube-system'] } })
  for (const namespace of ['default', 'kube-system'])
    await test.virtual.create(configMaps, { metadata: at('a', namespace) })
  await test.settled()
  const names = (await test.hostObjects(configMaps)).map(({ metadata }) => metadata.name)
  t.ok(names.includes('a-x-default-x-vc'))
  t.notOk(names.includes('a-x-kube-system-x-vc'))
  const wrong = testPlugin((await import('./configure.js')).register, { config: { skip: 'x' } })
  await t.rejects(wrong, { code: 'INVALID_CONFIG' })
})

void t.test('refuse Pods', async (t) => {
  const test = await start(t, 'refuse-pods', { logger: silentLogger })
  await test.virtual.create(pods, pod('good'))
  await test.virtual.create(pods, pod('bad', { hostNetwork: true }))
  await test.settled()
  const names = (await test.hostObjects(pods)).map(({ metadata }) => metadata.name)
  t.strictSame(names, ['good-x-default-x-vc'])
})

void t.test('add to Pods', async (t) => {
  const test = await start(t, 'add-to-pods')
  await test.virtual.create(pods, pod('web'))
  await test.settled()
  const [copy] = await test.hostObjects(pods)
  t.strictSame(copy?.spec?.nodeSelector, { team: 'blue' })
  t.ok(copy?.spec?.tolerations?.some(({ key, value }) => key === 'team' && value === 'blue'))
})

void t.test('start with objects', async (t) => {
  const test = await start(t, 'start-with-objects')
  t.strictSame((await test.virtual.get(configMaps, at('welcome', 'platform'))).data, { text: 'hello' })
})
