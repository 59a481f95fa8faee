import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { customResourceDefinitions, isNotFound } from 'vcluster-plugin-sdk'
import { startEmbeddedVCluster } from 'vcluster-plugin-sdk/testing'
import { type Car, cars } from '../crd-sync/car.js'
import { carDefinition } from '../crd-sync/car-definition.js'

// Programs are started here, on machines that may be busy.
t.setTimeout(120_000)

const programs = [fileURLToPath(new URL('main.ts', import.meta.url))]

/** The example inside a vcluster, whose host serves cars. */
async function running(t: Test, config: object = {}) {
  const before: Parameters<typeof startEmbeddedVCluster>[0]['before'] = ({ host }) =>
    host.create(customResourceDefinitions, carDefinition)
  const example = await startEmbeddedVCluster({ programs, config: { everything: config }, before })
  t.teardown(() => example.stop())
  return example
}

void t.test('syncer, hooks, interceptor and configuration are one plugin', async (t) => {
  const { vcluster, virtual, host, targetNamespace } = await running(t, { answer: 'somebody-else' })
  const get = async (path: string) => (await fetch(vcluster.url + path)).json()
  t.match(await get('/api/v1/namespaces/test/pods/stuff'), {
    kind: 'Pod',
    metadata: { name: 'somebody-else' },
  })
  t.match(await get('/api/v1/namespaces/test/pods/other'), { kind: 'Status', code: 404 })

  const pod = { metadata: { namespace: targetNamespace, name: 'web-x-default-x-vcluster' } }
  const shown = { apiVersion: 'v1', kind: 'Pod', type: 'CreatePhysical', object: JSON.stringify(pod) }
  t.match(JSON.parse(await vcluster.mutate(shown)), {
    metadata: { labels: { 'created-by-plugin': 'pod-hook' } },
  })

  await vcluster.plugins[0]?.program.line('the plugin is running')
  const car: Car = { metadata: { namespace: 'kube-system', name: 'test' }, spec: { type: 'Audi', seats: 4 } }
  await virtual.create(cars, car)
  const key = { namespace: targetNamespace, name: 'test-x-kube-system-x-vcluster' }
  const copy = async (): Promise<Car> => {
    try {
      return await host.get(cars, key)
    } catch (error) {
      if (!isNotFound(error)) throw error
      await new Promise((resolve) => setImmediate(resolve))
      return copy()
    }
  }
  t.same((await copy()).spec, car.spec)
})

void t.test('a configuration that does not fit ends the start, and says where', async (t) => {
  const wrong = startEmbeddedVCluster({ programs, config: { everything: { cars: 'yes', car: 1 } } })
  await t.rejects(wrong, { message: /error starting plugin .*it last said: .*cars: .*expected boolean/s })
})
