import t, { type Test } from 'tap'
import { type Pod, pods, type Service, secrets, services } from 'vcluster-plugin-sdk'
import { type TestPlugin, type TestPluginOptions, testPlugin } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

const key = (name: string) => ({ namespace: 'default', name })
const hostKey = (name: string) => ({ namespace: 'vcluster-vc', name: `${name}-x-default-x-vc` })
const versions = ['0.36', '0.19'] as const
const merge = (body: object) => ({ type: 'merge', body }) as const

/** The example on both embedded clusters. */
async function hooked(t: Test, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

const web: Pod = { metadata: key('web'), spec: { containers: [{ name: 'main', image: 'one' }] } }

async function made(test: TestPlugin, spec: Service['spec']): Promise<Service> {
  await test.virtual.create(services, { metadata: key('web'), ...(spec && { spec }) })
  await test.settled()
  return test.host.get(services, hostKey('web'))
}

const portsOf = ({ spec }: Service) => spec?.ports?.map(({ name, port }) => `${name ?? ''}:${port}`)

void t.test('a Pod on the host says which hook it met, and goes on saying so', async (t) => {
  for (const version of versions) {
    const test = await hooked(t, { version })
    await test.virtual.create(pods, web)
    await test.settled()
    const label = async () =>
      (await test.host.get(pods, hostKey('web'))).metadata.labels?.['created-by-plugin']
    t.equal(await label(), 'pod-hook')
    const image = [{ op: 'replace', path: '/spec/containers/0/image', value: 'two' }] as const
    await test.virtual.patch(pods, key('web'), { type: 'json', body: image })
    await test.settled()
    t.equal((await test.host.get(pods, hostKey('web'))).spec?.containers[0]?.image, 'two')
    t.equal(await label(), 'pod-hook')
    const { labels } = (await test.virtual.get(pods, key('web'))).metadata
    t.equal(labels?.['created-by-plugin'], version === '0.19' ? undefined : 'pod-hook')
  }
})

void t.test('a Service on the host has one port more, and its user sees nothing of it', async (t) => {
  for (const version of versions) {
    const test = await hooked(t, { version })
    t.same(portsOf(await made(test, { ports: [{ name: 'http', port: 1000 }] })), [
      'http:1000',
      'plugin:19000',
    ])
    // By now vcluster has created the user's Service anew, with the cluster IP of the host, as it had read it.
    const spec = (await test.virtual.get(services, key('web'))).spec
    t.equal(spec?.clusterIP, (await test.host.get(services, hostKey('web'))).spec?.clusterIP)
    t.same(portsOf({ metadata: {}, ...(spec && { spec }) }), ['http:1000'])
    const ports = [{ op: 'replace', path: '/spec/ports/0/port', value: 2000 }] as const
    await test.virtual.patch(services, key('web'), { type: 'json', body: ports })
    await test.settled()
    t.same(portsOf(await test.host.get(services, hostKey('web'))), ['http:2000', 'plugin:19000'])
    // Since 0.21 this makes vcluster write the user's Service, of which it has seen one port more.
    const labels = { from: 'host' }
    await test.host.patch(services, hostKey('web'), merge({ metadata: { labels } }))
    await test.settled()
    const virtual = await test.virtual.get(services, key('web'))
    t.equal(virtual.metadata.labels?.from, version === '0.19' ? undefined : 'host')
    t.same(portsOf(virtual), ['http:2000'])
  }
})

void t.test('a port without a name gets one, on the host alone', async (t) => {
  const test = await hooked(t)
  t.same(portsOf(await made(test, { ports: [{ port: 80 }] })), ['plugin-unnamed:80', 'plugin:19000'])
  await test.host.patch(services, hostKey('web'), merge({ metadata: { labels: { from: 'host' } } }))
  await test.settled()
  t.same(portsOf(await test.virtual.get(services, key('web'))), [':80'])
})

void t.test('a port that its user has at that place stays, and an alias has none', async (t) => {
  for (const ports of [[{ name: 'mine', port: 19_000 }], [{ name: 'plugin', port: 1 }]]) {
    const [{ name, port } = { name: '', port: 0 }] = ports
    t.same(portsOf(await made(await hooked(t), { ports })), [`${name}:${port}`])
  }
  const alias = await made(await hooked(t), { type: 'ExternalName', externalName: 'example.com' })
  t.notOk(alias.spec?.ports)
})

void t.test('one Secret is copied although no Pod refers to it', async (t) => {
  for (const version of versions) {
    const test = await hooked(t, { version })
    await test.virtual.create(secrets, { metadata: key('other'), stringData: { a: 'b' } })
    await test.settled()
    const names = (await test.hostObjects(secrets)).map(({ metadata }) => metadata.name)
    t.same(names, ['test-x-default-x-vc'])
    await test.stop()
    const { virtualServer, hostServer } = test
    await test.virtual.patch(secrets, key('test'), merge({ stringData: { made: 'by its user' } }))
    const again = await hooked(t, { version, virtualServer, hostServer })
    const data = (await again.virtual.get(secrets, key('test'))).data?.made ?? ''
    t.equal(Buffer.from(data, 'base64').toString(), 'by its user', 'what is there is not made again')
  }
})
