// The order in which an operator of Modules stops: signal, end of the calls, metadata, leadership.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { until } from '../../../test/until.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import { createInternalOperator } from '../../operator/operator-runtime.js'
import { modules } from '../kinds/module-kind.js'
import type { Manager } from '../manager/manager.js'
import type { Program } from '../manager/program.js'
import { moduleControllers } from '../module-controllers.js'
import { startedProcesses } from '../process/started-processes.fixture.js'
import type { ModulesOptions } from './connection/modules-options.js'
import { createWorkspace, definitions, moduleOf } from './modules.fixture.js'

/** Notes the writes of metadata, and that of a Lease without a holder. */
const noting = (inner: Transport, note: (text: string) => void): Transport => ({
  ...inner,
  request: async (request) => {
    const body = String(request.body ?? '')
    if (body.includes('"forkspacer.com/manager-data"')) note(`metadata ${/begun[^}]*/.exec(body)?.[0]}`)
    if (request.path.includes('/leases/') && /"holderIdentity":\s*""/.test(body)) note('leadership')
    return inner.request(request)
  },
  stream: (request) => inner.stream(request),
  close: () => inner.close(),
})

async function startLeader(t: { teardown(done: () => Promise<void>): void }, options: ModulesOptions) {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  await serveDefinitions(client, definitions)
  await createWorkspace(client)
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  const operator = createInternalOperator({
    name: 'modules',
    env: {},
    logger: silentLogger,
    leaseNamespace: 'default',
    stopDeadlineMs: 300,
    openClusters: async () => ({ transports: new Map([['main', noting(inProcessTransport(server), note)]]) }),
  })
  operator.register(...moduleControllers(options))
  const ended = operator.start()
  await operator.whenRunning()
  const stop = async () => {
    await operator.stop()
    await ended
  }
  return { client, notes, note, stop }
}

/** A program whose `install` begins, saves a checkpoint, and then does what a test says. */
const programOf = (install: (signal: AbortSignal) => Promise<void>): Program => ({
  name: 'slow',
  version: '1.0.0',
  sdk: '*',
  newManager: () =>
    ({
      async install({ signal }, metaData) {
        metaData.set('begun', 1)
        await metaData.save()
        metaData.set('begun', 2)
        await install(signal)
      },
      uninstall: async () => {},
      sleep: async () => {},
      resume: async () => {},
    }) satisfies Manager,
})

void t.test(
  'a call gets its signal and ends, its metadata is stored, and leadership goes last',
  async (t) => {
    const note = (text: string) => notes.push(text)
    const program = programOf(
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            note('signal')
            setTimeout(() => {
              note('end')
              reject(signal.reason)
            }, 50)
          })
        }),
    )
    const { client, notes, stop } = await startLeader(t, { builtIn: { Noting: program } })
    await client.create(modules, moduleOf())
    await until(() => notes.length > 0)
    await stop()
    t.strictSame(notes, ['metadata begun\\":1', 'signal', 'end', 'metadata begun\\":2', 'leadership'])
  },
)

void t.test('a call that ignores its signal is given up before leadership goes', async (t) => {
  const program = programOf(() => new Promise(() => {}))
  const { client, notes, stop } = await startLeader(t, { builtIn: { Noting: program } })
  await client.create(modules, moduleOf())
  await until(() => notes.length > 0)
  await stop()
  t.strictSame(notes, ['metadata begun\\":1', 'metadata begun\\":2', 'leadership'])
})

const looping = `export default {
  name: 'looping', version: '1.0.0', sdk: '*',
  newManager: () => ({
    async install(ctx, metaData) {
      metaData.set('begun', process.pid)
      await metaData.save()
      for (;;);
    },
    uninstall() {}, sleep() {}, resume() {},
  }),
}`

void t.test('the process of a program that ignores its signal is ended before leadership goes', async (t) => {
  const programs = { allow: [], cacheFolder: t.testdir() }
  const { client, notes, stop } = await startLeader(t, { programs })
  const others = startedProcesses()
  const pids = () => startedProcesses().filter((pid) => !others.includes(pid))
  const name = 'looping'
  await client.create(configMaps, { metadata: { namespace: 'default', name }, data: { plugin: looping } })
  const custom = { program: { configMap: { name } } } as never
  await client.create(modules, moduleOf({ source: undefined, custom }))
  await until(() => notes.length > 0)
  t.equal(pids().length, 1)
  let wasRunning: boolean | undefined
  notes.push = (text) => {
    if (text === 'leadership') wasRunning = pids().length > 0
    return 0
  }
  await stop()
  t.equal(wasRunning, false)
})
