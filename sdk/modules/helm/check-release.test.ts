// Tests the checks of Modules with Helm releases.
import t from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { deployments } from '../../engine/kube/builtin.js'
import type { Transport } from '../../engine/transport/transport.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed } from '../module/modules.fixture.js'
import { codeRenderer, createChart, find, helmModule, installForeign } from './helm.fixture.js'

const web = { namespace: 'default', name: 'web' }
const values = [{ raw: { only: ['ConfigMap', 'Deployment'] } }]

/** Counts the reads of Deployments. */
function counting(): { wrap: (inner: Transport) => Transport; reads: number } {
  const counts = {
    reads: 0,
    wrap: (inner: Transport): Transport => ({
      request: (request) => {
        if (request.method === 'GET' && request.path.includes('/deployments/web')) counts.reads++
        return inner.request(request)
      },
      stream: (request) => inner.stream(request),
      close: () => inner.close(),
    }),
  }
  return counts
}

void t.test(
  'a release that is not ready any more is said within a minute, and read once a minute',
  async (t) => {
    const counts = counting()
    const test = await startTimed(t, { modules: { helm: { renderer: codeRenderer } }, wrap: counts.wrap })
    const { client } = test
    await createChart(client)
    await client.create(modules, helmModule({ values }))
    await test.pass(0)
    await test.setReady({ metadata: web })
    await test.pass(5_000)
    const ready = async () => (await test.live()).status?.conditions?.find(({ type }) => type === 'Ready')
    t.match(await ready(), { status: 'True', reason: 'Installed' })
    await client.patch(deployments, web, {
      type: 'merge',
      body: { status: { availableReplicas: 0 } },
      subresource: 'status',
    })
    await test.pass(61_000)
    t.match(await ready(), {
      status: 'False',
      reason: 'NotReady',
      message: 'not ready: Deployment default/web',
    })
    t.match((await test.live()).status, { phase: 'ready' })
    const before = counts.reads
    await test.pass(600_000)
    t.equal(counts.reads - before, 10)
    await client.delete(deployments, web)
    await test.pass(61_000)
    t.match(await ready(), { status: 'False', message: 'not ready: Deployment default/web' }, 'it is absent')
  },
)

void t.test('an adopted release is checked, too', async (t) => {
  const test = await startTimed(t, { modules: { helm: { renderer: codeRenderer } } })
  const { client, server } = test
  await installForeign(client, inProcessTransport(server))
  await client.create(modules, helmModule({ chart: undefined, releaseName: undefined, existingRelease: web }))
  await test.pass(5_000)
  t.ok(await find(client, deployments))
  const { status } = await test.live()
  t.match(status, { phase: 'ready', program: { methods: ['check'] } })
  t.match(status?.conditions, [
    { type: 'Ready', status: 'False', message: /^not ready: Deployment default\/web, / },
  ])
})
