// Tests the order of an uninstallation, and releases that are not whole when their custom resource goes.
import t from 'tap'
import { configMaps, secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, start } from '../reconciled.fixture.js'

/** Notes each request that deletes, and each change of the custom resource. */
const noting =
  (noted: string[]) =>
  (transport: Transport): Transport => ({
    request: (call) => {
      const [path = ''] = call.path.split('?')
      const name = path.replace(/.*default\//, '')
      if (call.method === 'DELETE' || (call.method !== 'GET' && path.endsWith('greetings/hello')))
        noted.push(`${call.method} ${name}`)
      return transport.request(call)
    },
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  })

const wide = functionChart({ name: 'wide', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text: String(text) }),
  { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } } as KubeObject,
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'a', image: 'a' }] },
      },
    },
  } as KubeObject,
])

void t.test(
  "objects go in Helm's order, then the seed and the records, the newest last, then the finalizer",
  async (t) => {
    const noted: string[] = []
    const test = await start(t, { chart: wide }, { wrap: noting(noted) })
    await create(test, { text: 'one' })
    await test.settled()
    await edit(test, { spec: { text: 'two' } })
    await test.settled()
    await test.client.create(secrets, { metadata: { ...key, name: 'sh.helm.seed.v1.hello' } })
    noted.length = 0
    await test.client.delete(greetings, key)
    await test.settled()
    t.strictSame(noted, [
      ...['DELETE services/hello', 'DELETE deployments/hello', 'DELETE configmaps/hello'],
      'DELETE secrets/sh.helm.seed.v1.hello',
      ...['DELETE secrets/sh.helm.release.v1.hello.v1', 'DELETE secrets/sh.helm.release.v1.hello.v2'],
      'PATCH greetings/hello',
    ])
  },
)

void t.test('a custom resource whose release never began goes', async (t) => {
  const test = await start(t, { allow: { kinds: ['Secret'] } })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { reason: 'NotAllowed' })
  t.strictSame(await history(test), [])
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await find(test, greetings), undefined)
})

void t.test('one whose records were deleted by hand while no process ran goes', async (t) => {
  const first = await start(t)
  await create(first, { text: 'one' })
  await first.settled()
  await first.stop()
  await first.client.delete(secrets, { namespace: 'default', name: 'sh.helm.release.v1.hello.v1' })
  await first.client.delete(greetings, key)
  const second = await start(t, {}, { servers: { main: first.server } })
  await second.settled()
  t.equal(await find(second, greetings), undefined)
})

void t.test('a record that is deleted by hand is written again at once', async (t) => {
  const test = await start(t, { reconcilePeriodMs: 0 })
  await create(test, { text: 'one' })
  await test.settled()
  const before = (await find(test, configMaps))?.metadata.uid
  await test.client.delete(secrets, { namespace: 'default', name: 'sh.helm.release.v1.hello.v1' })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  t.equal((await find(test, configMaps))?.metadata.uid, before, 'its objects stay')
})
