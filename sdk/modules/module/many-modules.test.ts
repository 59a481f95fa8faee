// The cost of many Modules of one loaded program.
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import type { Transport, TransportRequest } from '../../engine/transport/transport.js'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, startModules } from './modules.fixture.js'

/** Notes the calls of the operator, without its watches. */
function noting() {
  const calls: TransportRequest[] = []
  const wrap = (transport: Transport): Transport => ({
    request: (request) => {
      calls.push(request)
      return transport.request(request)
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  })
  return { calls, wrap }
}
const program = `
const own = Math.random()
export default {
  name: 'pids', version: '1.0.0', sdk: '*',
  newManager: () => ({
    async install(ctx, metaData) { metaData.set('own', own) },
    async uninstall() {}, async sleep() {}, async resume() {},
  }),
}
`

void t.test('500 Modules of one program have one process, and each the same few writes', async (t) => {
  const { calls, wrap } = noting()
  const programs = { allow: [], cacheFolder: t.testdir() }
  const test = await startModules(t, { wrap, modules: { programs } })
  await test.client.create(configMaps, {
    metadata: { namespace: 'default', name: 'pids' },
    data: { plugin: program },
  })
  const source = { raw: { kind: 'Custom', spec: { repo: { configMap: { name: 'pids' } } } } }
  const beginMs = performance.now()
  for (let at = 0; at < 500; at++)
    await test.client.create(modules, moduleOf({ source }, { name: `module-${at}` }))
  const isReady = async () =>
    (await test.client.list(modules)).items.every(({ status }) => status?.phase === 'ready')
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 100))
  const seconds = (performance.now() - beginMs) / 1_000
  await test.settled()
  const { items } = await test.client.list(modules)
  const dataOf = (annotations: Record<string, string> = {}) =>
    JSON.parse(annotations['forkspacer.com/manager-data'] ?? '{}') as { own?: number }
  const processes = new Set(items.map(({ metadata }) => dataOf(metadata.annotations).own))
  t.equal(processes.size, 1)
  t.notOk(processes.has(undefined))
  const ofModules = calls.filter(({ method, path }) => method !== 'GET' && path.includes('/modules/'))
  t.ok(ofModules.length <= 500 * 6, `${ofModules.length} writes to Modules`)
  t.comment(`${seconds.toFixed(1)} s, ${ofModules.length} writes to Modules, ${calls.length} calls in all`)
})
