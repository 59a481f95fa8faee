import t, { type Test } from 'tap'
import { type HookContext, type Pod, pods, type Service, secrets, services } from 'vcluster-plugin-sdk'
import { type TestPlugin, type TestPluginOptions, testPlugin } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'
import { ServiceHook } from './service-hook.js'

const key = (name: string) => ({ namespace: 'default', name })
const hostKey = (name: string) => ({ namespace: 'vcluster-vc', name: `${name}-x-default-x-vc` })
const versions = ['0.36', '0.19'] as const
const merge = (body: object) => ({ type: 'merge', body }) as const

/** Runs the example on both embedded clusters. */
async function hooked(t: Test, options: TestPluginOptions = {}): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

const web: Pod = { metadata: key('web'), spec: { containers: [{ name: 'main', image: 'one' }] } }

/**
 * The ways to create a Service. vcluster's API filters only POST requests for Services and writes those to
 * the host first.
 */
const ways = {
  'by a POST': (test: TestPlugin, service: Service) => test.virtual.create(services, service),
  'by server-side apply': (test: TestPlugin, service: Service) =>
    test.virtual.patch(services, key('web'), {
      type: 'apply',
      fieldManager: 'test',
      body: { apiVersion: 'v1', kind: 'Service', ...service },
    }),
} as const

async function made(
  test: TestPlugin,
  spec: Service['spec'],
  way: keyof typeof ways = 'by a POST',
): Promise<Service> {
  await ways[way](test, { metadata: key('web'), ...(spec && { spec }) })
  await test.settled()
  return test.host.get(services, hostKey('web'))
}

const users = async (test: TestPlugin) => portsOf(await test.virtual.get(services, key('web')))

const portsOf = ({ spec }: Service) => spec?.ports?.map(({ name, port }) => `${name ?? ''}:${port}`)

void t.test('a Pod on the host has the label of the hook, and keeps it', async (t) => {
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

for (const way of ['by a POST', 'by server-side apply'] as const) {
  void t.test(
    `a Service created ${way} has one more port on the host, and its user does not see the port`,
    async (t) => {
      for (const version of versions) {
        const test = await hooked(t, { version })
        const host = await made(test, { ports: [{ name: 'http', port: 1000 }] }, way)
        t.same(portsOf(host), ['http:1000', 'plugin:19000'], version)
        t.same(await users(test), ['http:1000'], version)
        const { clusterIP } = (await test.virtual.get(services, key('web'))).spec ?? {}
        t.equal(
          clusterIP,
          host.spec?.clusterIP,
          'vcluster has recreated it, or has created it on the host first',
        )
        const ports = [{ op: 'replace', path: '/spec/ports/0/port', value: 2000 }] as const
        await test.virtual.patch(services, key('web'), { type: 'json', body: ports })
        await test.settled()
        t.same(portsOf(await test.host.get(services, hostKey('web'))), ['http:2000', 'plugin:19000'])
        // Since 0.21 this change makes vcluster write the user's Service, which it has read with one more
        // port.
        const labels = { from: 'host' }
        await test.host.patch(services, hostKey('web'), merge({ metadata: { labels } }))
        await test.settled()
        const { metadata } = await test.virtual.get(services, key('web'))
        t.equal(metadata.labels?.from, version === '0.19' ? undefined : 'host')
        t.same(await users(test), ['http:2000'])
      }
    },
  )

  void t.test(
    `a port without a name, of a Service created ${way}, gets a name on the host only`,
    async (t) => {
      for (const version of versions) {
        const test = await hooked(t, { version })
        t.same(portsOf(await made(test, { ports: [{ port: 80 }] }, way)), [
          'plugin-unnamed:80',
          'plugin:19000',
        ])
        t.same(await users(test), [':80'], version)
        await test.host.patch(services, hostKey('web'), merge({ metadata: { labels: { from: 'host' } } }))
        await test.settled()
        t.same(await users(test), [':80'], version)
      }
    },
  )
}

void t.test(
  'an ExternalName Service has no port, and gets one on the host when it becomes a ClusterIP Service',
  async (t) => {
    for (const version of versions) {
      const test = await hooked(t, { version })
      t.notOk((await made(test, { type: 'ExternalName', externalName: 'example.com' })).spec?.ports)
      const { metadata } = await test.virtual.get(services, key('web'))
      await test.virtual.update(services, { metadata, spec: { type: 'ClusterIP', ports: [{ port: 80 }] } })
      await test.settled()
      t.same(await users(test), [':80'], version)
      const host = await test.host.get(services, hostKey('web'))
      t.same(portsOf(host), ['plugin-unnamed:80', 'plugin:19000'], version)
    }
  },
)

void t.test('a NodePort Service gets no port', async (t) => {
  for (const version of versions) {
    for (const type of ['NodePort', 'LoadBalancer']) {
      const test = await hooked(t, { version })
      const host = await made(test, { type, ports: [{ port: 80 }] }, 'by server-side apply')
      t.same(portsOf(host), [':80'], `${type} ${version}`)
      t.same(await users(test), [':80'])
    }
  }
})

void t.test('Services that are not copies, and the API server’s own, get no port', async (t) => {
  const hook = new ServiceHook()
  // The hook does not use its context.
  const ctx = {} as HookContext
  const spec = { ports: [{ port: 443 }] }
  const own = { metadata: { namespace: 'vcluster-vc', name: 'vc-node-worker' }, spec }
  t.equal(hook.mutateCreatePhysical(ctx, own), own)
  t.equal(hook.mutateUpdatePhysical(ctx, own), own)
  const kubernetes = { metadata: key('kubernetes'), spec }
  t.equal(hook.mutateGetVirtual(ctx, kubernetes), kubernetes)
})

void t.test('an annotation of vcluster that a user writes does not prevent the port', async (t) => {
  for (const version of versions) {
    const test = await hooked(t, { version })
    const annotations = { 'vcluster.loft.sh/block-deletion': 'true' }
    const metadata = { ...key('web'), annotations }
    await ways['by server-side apply'](test, { metadata, spec: { ports: [{ name: 'http', port: 80 }] } })
    await test.settled()
    t.same(portsOf(await test.host.get(services, hostKey('web'))), ['http:80', 'plugin:19000'], version)
    t.same(await users(test), ['http:80'], version)
  }
})

void t.test('a port of the user with the same number is kept', async (t) => {
  for (const ports of [[{ name: 'mine', port: 19_000 }], [{ name: 'plugin', port: 1 }]]) {
    const [{ name, port } = { name: '', port: 0 }] = ports
    t.same(portsOf(await made(await hooked(t), { ports })), [`${name}:${port}`])
  }
})

void t.test('the annotation that requests the copy is not written to the user’s Secret', async (t) => {
  for (const version of versions) {
    const test = await hooked(t, { version })
    const labels = { from: 'host' }
    await test.host.patch(secrets, hostKey('test'), merge({ metadata: { labels } }))
    await test.settled()
    const { metadata } = await test.virtual.get(secrets, key('test'))
    t.equal(metadata.labels?.from, version === '0.19' ? undefined : 'host', 'since 0.21 vcluster wrote it')
    t.notOk(metadata.annotations, version)
  }
})

void t.test('an annotation that the user wrote is kept', async (t) => {
  const test = await hooked(t)
  const annotations = { 'vcluster.loft.sh/force-sync': 'true' }
  await test.virtual.patch(secrets, key('test'), merge({ metadata: { annotations } }))
  await test.host.patch(secrets, hostKey('test'), merge({ metadata: { labels: { from: 'host' } } }))
  await test.settled()
  t.same((await test.virtual.get(secrets, key('test'))).metadata.annotations, annotations)
})

void t.test('one Secret is copied although no Pod uses it', async (t) => {
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
    t.equal(Buffer.from(data, 'base64').toString(), 'by its user', 'an existing Secret is not created again')
  }
})
