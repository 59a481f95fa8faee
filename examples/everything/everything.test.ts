import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { customResourceDefinitions, isNotFound, type KubeObject, pods, services } from 'vcluster-plugin-sdk'
import {
  createApiServer,
  startEmbeddedVCluster,
  type TestPlugin,
  testPlugin,
} from 'vcluster-plugin-sdk/testing'
import { type Car, cars } from '../crd-sync/car.js'
import { carDefinition } from '../crd-sync/car-definition.js'
import { register } from './register.js'

// The tests start a program, which takes longer on busy machines.
t.setTimeout(600_000)

const web = {
  metadata: { namespace: 'default', name: 'web' },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
}
const car: Car = { metadata: { namespace: 'kube-system', name: 'test' }, spec: { type: 'Audi', seats: 4 } }
const hooked = { 'created-by-plugin': 'pod-hook' }

/** Runs the example on both embedded clusters, whose host serves cars. */
async function running(t: Test, config: object = {}): Promise<TestPlugin> {
  const hostServer = await createApiServer({ name: 'host' })
  const before = await testPlugin(() => {}, { hostServer })
  await before.host.create(customResourceDefinitions, carDefinition)
  await before.stop()
  const test = await testPlugin(register, { hostServer, config })
  t.teardown(() => test.stop())
  return test
}

void t.test('a syncer, hooks, an interceptor and a configuration work in one plugin', async (t) => {
  const { virtual, host, targetNamespace, settled, ...test } = await running(t, { answer: 'somebody-else' })
  const copyOf = (name: string) => ({ namespace: targetNamespace, name })
  await virtual.create(pods, web)
  await virtual.create(services, { ...web, spec: { ports: [{ name: 'http', port: 80 }] } })
  await virtual.create(cars, car)
  await settled()
  t.match((await host.get(pods, copyOf('web-x-default-x-vc'))).metadata, { labels: hooked })
  const { spec } = await host.get(services, copyOf('web-x-default-x-vc'))
  t.match(spec?.ports, [{ port: 80 }, { port: 19000 }])
  t.same((await host.get(cars, copyOf('test-x-kube-system-x-vc'))).spec, car.spec)

  const stuff = { namespace: 'test', name: 'stuff' }
  t.equal((await virtual.get(pods, stuff)).metadata.name, 'somebody-else')
  t.equal((await virtual.get(pods, web.metadata)).metadata.name, 'web', 'other Pods are unchanged')
  await t.rejects(virtual.get(pods, { ...stuff, name: 'other' }), { code: 404 })
  t.equal(
    (await test.fetch('/api/v1/namespaces/test/pods/stuff/log')).status,
    404,
    'the Pod does not have a log',
  )
})

void t.test('parts that the configuration switches off are not registered', async (t) => {
  const { virtual } = await running(t, { cars: false })
  await t.rejects(virtual.list(cars), { code: 404 })
})

const programs = [fileURLToPath(new URL('main.ts', import.meta.url))]

void t.test('the plugin does the same as a program that vcluster starts', async (t) => {
  const before: Parameters<typeof startEmbeddedVCluster>[0]['before'] = ({ host }) =>
    host.create(customResourceDefinitions, carDefinition)
  const config = { everything: { answer: 'somebody-else' } }
  const { vcluster, virtual, host, targetNamespace, stop } = await startEmbeddedVCluster({
    programs,
    config,
    before,
  })
  t.teardown(() => stop())
  const answer = await fetch(`${vcluster.url}/api/v1/namespaces/test/pods/stuff`)
  t.match(await answer.json(), { kind: 'Pod', metadata: { name: 'somebody-else' } })
  await vcluster.plugins[0]?.program.line('the plugin is running')
  await virtual.create(pods, web)
  await virtual.create(cars, car)
  const copy = (name: string) => ({ namespace: targetNamespace, name })
  const pod = await there(() => host.get(pods, copy('web-x-default-x-vcluster')))
  t.match(pod.metadata.labels, hooked)
  t.same((await there(() => host.get(cars, copy('test-x-kube-system-x-vcluster')))).spec, car.spec)
})

/** Waits for an object that does not exist yet. */
async function there<T extends KubeObject>(get: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await get()
    } catch (error) {
      if (!isNotFound(error)) throw error
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

void t.test('an invalid configuration stops the plugin at its start and is named in the error', async (t) => {
  const wrong = startEmbeddedVCluster({ programs, config: { everything: { cars: 'yes', car: 1 } } })
  await t.rejects(wrong, {
    message: /error starting plugin .*it last said: .*cars: .*must be true or false/s,
  })
})
