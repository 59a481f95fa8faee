import { createServer } from 'node:http'
import t from 'tap'
import type { ProcessView } from '../../../sdk/engine/inspector/model.js'
import { freePort } from '../../../simulator/free-ports.js'
import { until } from '../../../test/until.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { ProgramData } from './program-data.js'
import { ProgramRecords } from './program-records.js'

const plugin = { name: 'demo', isRunning: true }
const overview = { plugin, syncers: [], controllers: [], methods: [], calls: [] }

void t.test('a program that stops answering is asked once at a time, and does not start', async (t) => {
  const port = await freePort()
  let requests = 0
  let isHeld = false
  const server = createServer((_, response) => {
    requests++
    if (!isHeld) response.end(JSON.stringify(overview))
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  let process: ProcessView = { state: 'starting', sinceMs: 0, text: 'process 7' }
  const clock = new VirtualClock()
  const data = new ProgramData({
    records: new ProgramRecords(clock),
    clock,
    programAddress: `127.0.0.1:${port}`,
    process: () => process,
    clusters: () => [],
    run: () => false,
  })
  t.match(await data.overview(), { dev: { process: { state: 'running', text: 'process 7' } } })

  isHeld = true
  const late = [data.overview(), data.overview(), data.overview()]
  await until(() => requests >= 2)
  server.closeAllConnections()
  const held = {
    plugin: { isRunning: false },
    dev: { process: { state: 'not answering', text: 'process 7' } },
  }
  for (const one of await Promise.all(late)) t.match(one, held)
  t.equal(requests, 2)

  process = { state: 'starting', sinceMs: 0, text: 'process 8' }
  const next = data.overview()
  await until(() => requests === 3)
  server.closeAllConnections()
  t.match(await next, { dev: { process: { state: 'starting', text: 'process 8' } } })
})
