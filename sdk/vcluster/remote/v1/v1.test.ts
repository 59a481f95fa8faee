import { createServer, type Socket } from 'node:net'
import { filter, firstValueFrom } from 'rxjs'
import t, { type Test } from 'tap'
import { callHook } from '../../../../simulator/call-hook.js'
import { listenGrpc } from '../../../../simulator/listen-grpc.js'
import { startVClusterProcess } from '../../../../simulator/vcluster-process.js'
import type { VClusterProcessOptions } from '../../../../simulator/vcluster-process-options.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { type GrpcCallOptions, GrpcClient } from '../../../engine/grpc/client.js'
import { GrpcError } from '../../../engine/grpc/grpc-error.js'
import { GrpcServer } from '../../../engine/grpc/server.js'
import { GrpcStatus } from '../../../engine/grpc/status.js'
import { type LogFields, type Logger, silentLogger } from '../../../engine/observe/logger.js'
import { noMetrics } from '../../../engine/observe/metrics.js'
import { type Clock, systemClock } from '../../../engine/time/clock.js'
import { HookChain } from '../../hook/hook-chain.js'
import { type Context, VClusterDefinition } from '../proto/gen/v1.js'
import { toIpLiteral } from './address.js'
import { type ConnectOptions, connect } from './connect.js'
import { parseContext } from './context.js'
import { vclusterMethods } from './methods.js'
import { serveHooks } from './serve-hooks.js'
import { untilReachable } from './until-reachable.js'
import { vclusterLeadership } from './vcluster-leadership.js'

const secret = 'canary-7f3a'
const kubeconfigs = {
  virtualKubeconfig: `kind: Config # ${secret} v`,
  hostKubeconfig: `kind: Config # ${secret} h`,
}

/** Pauses are a few milliseconds long, whatever was asked for. */
const hastyClock: Clock = {
  ...systemClock,
  schedule: (_delayMs, callback) => systemClock.schedule(5, callback),
}

async function start(test: Test, options: Partial<VClusterProcessOptions> = {}) {
  const vcluster = await startVClusterProcess({ ...kubeconfigs, name: 'vc', ...options })
  test.teardown(() => vcluster.stop())
  return vcluster
}

async function dial(test: Test, address: string, options: ConnectOptions = {}) {
  const connection = await connect({ address, clock: hastyClock, ...options })
  test.teardown(() => connection.close())
  return connection
}

function rawClient(test: Test, address: string) {
  const client = new GrpcClient({ address })
  test.teardown(() => client.close())
  return client
}

function listening(onMessage: (message: string, fields: LogFields) => void): Logger {
  const line = (fields: LogFields, message: string) => onMessage(message, fields)
  return { ...silentLogger, info: line, warn: line }
}

function messageOf(action: () => unknown): string {
  try {
    action()
    return 'nothing was thrown'
  } catch (error) {
    return String(error)
  }
}

/** A server that is there and never answers. */
async function silentServer(test: Test): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  test.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function serve(test: Test, server: GrpcServer): Promise<string> {
  const { port, kill } = await listenGrpc(server, '127.0.0.1:0')
  test.teardown(kill)
  return `127.0.0.1:${port}`
}

void t.test('an address', async (t) => {
  void t.test('gets an IP literal for its host', async (t) => {
    const table = [
      ['localhost:14000', '127.0.0.1:14000'],
      ['127.0.0.1:14000', '127.0.0.1:14000'],
      ['0.0.0.0:14000', '127.0.0.1:14000'],
      [':14000', '127.0.0.1:14000'],
      ['[::]:14000', '127.0.0.1:14000'],
      ['[::1]:14000', '[::1]:14000'],
      ['10.1.2.3:14000', '10.1.2.3:14000'],
    ] as const
    for (const [given, registered] of table) t.equal(toIpLiteral(given, 'X'), registered)
  })

  void t.test('that is none is refused by the name of its variable', async (t) => {
    for (const wrong of ['plugin:14000', '127.0.0.1', 'localhost:', 'localhost:x', 'localhost:70000', '']) {
      t.throws(() => toIpLiteral(wrong, 'VCLUSTER_PLUGIN_ADDRESS'), {
        code: 'INVALID_ADDRESS',
        message: `VCLUSTER_PLUGIN_ADDRESS must be 127.0.0.1:<port>, got "${wrong}"`,
      })
    }
  })
})

const context: Context = {
  virtualClusterConfig: 'virtual',
  physicalClusterConfig: 'host',
  syncerConfig: 'syncer',
  targetNamespace: 'target',
  currentNamespace: 'current',
  options:
    '{"name":"vc","targetNamespace":"from-options","serviceName":"svc","setOwner":true,"new":{"a":[1]}}',
}

void t.test('a context', async (t) => {
  void t.test('is read with every option kept', async (t) => {
    t.strictSame(parseContext(context), {
      vclusterName: 'vc',
      virtualKubeconfig: 'virtual',
      hostKubeconfig: 'host',
      syncerKubeconfig: 'syncer',
      targetNamespace: 'target',
      currentNamespace: 'current',
      serviceName: 'svc',
      setOwner: true,
      labelMode: undefined,
      options: JSON.parse(context.options),
    })
  })

  void t.test('without a target namespace has that of the options, else the current one', async (t) => {
    const multiNamespace = { ...context, targetNamespace: '' }
    t.equal(parseContext(multiNamespace).targetNamespace, 'from-options')
    t.equal(parseContext({ ...multiNamespace, options: '{"name":"vc"}' }).targetNamespace, 'current')
  })

  void t.test("with absent or null options has Go's zero values", async (t) => {
    for (const options of ['{"name":"vc"}', '{"name":"vc","serviceName":null,"setOwner":null}']) {
      t.match(parseContext({ ...context, options }), { serviceName: 'vc', setOwner: false })
    }
  })

  void t.test('of a vcluster before 0.20 asks for hashed labels', async (t) => {
    t.equal(parseContext({ ...context, options: '{"name":"vc","controllers":["-x"]}' }).labelMode, 'hashed')
    t.equal(parseContext({ ...context, options: '{"name":"vc","DeprecatedSuffix":""}' }).labelMode, 'hashed')
  })

  void t.test('with a name that cannot be is refused, and the name is quoted', async (t) => {
    const path = 'bad/configmaps/../../kube-system'
    const table: [Partial<Context>, RegExp][] = [
      [
        { targetNamespace: path },
        /^the vcluster's target namespace must be a DNS label, got "bad\/conf.*": use at most 63/,
      ],
      [{ currentNamespace: 'Upper' }, /^the vcluster's own namespace must be a DNS label, got "Upper"/],
      [
        { options: '{"name":"v_c"}' },
        /^the vcluster's name \(options\.name\) must be a DNS label, got "v_c"/,
      ],
    ]
    for (const [wrong, message] of table)
      t.throws(() => parseContext({ ...context, ...wrong }), { code: 'INVALID_NAME', message })
  })

  void t.test('that cannot be used names the field and shows no kubeconfig', async (t) => {
    const table: [Partial<Context>, RegExp][] = [
      [{ virtualClusterConfig: '' }, /field virtualClusterConfig is wrong/],
      [{ physicalClusterConfig: '' }, /field physicalClusterConfig is wrong/],
      [{ currentNamespace: '' }, /field currentNamespace is wrong/],
      [{ options: '' }, /field options is not JSON/],
      [{ options: '[]' }, /field options is wrong/],
      [{ options: '{}' }, /field options\.name is wrong/],
      [
        { options: '{"name":"vc","setOwner":"yes"}' },
        /field options\.setOwner is wrong .*must be true or false/,
      ],
    ]
    for (const [wrong, message] of table) {
      const broken = { ...context, virtualClusterConfig: secret, ...wrong }
      t.throws(() => parseContext(broken), { code: 'INVALID_CONTEXT', message })
      t.notMatch(
        messageOf(() => parseContext(broken)),
        secret,
      )
    }
  })
})

void t.test('attempts pause 100 ms, then twice as long up to 5 s', async (t) => {
  const clock = new VirtualClock()
  const delays: number[] = []
  const unreachable = new GrpcError(GrpcStatus.UNAVAILABLE, 'no')
  const attempt = async () => {
    if (delays.length < 8) throw unreachable
    return 'there'
  }
  const result = untilReachable(attempt, { clock, onRetry: (_error, delayMs) => delays.push(delayMs) })
  await clock.advance(60_000)
  t.equal(await result, 'there')
  t.strictSame(delays, [100, 200, 400, 800, 1600, 3200, 5000, 5000])
})

void t.test('connecting', async (t) => {
  void t.test('learns what 0.36 says', async (t) => {
    const vcluster = await start(t, { currentNamespace: 'vc-host' })
    const connection = await dial(t, vcluster.address.replace('127.0.0.1', 'localhost'))
    t.equal(connection.address, vcluster.address)
    t.equal(connection.runID, vcluster.runID)
    t.match(connection.context, {
      vclusterName: 'vc',
      ...kubeconfigs,
      syncerKubeconfig: kubeconfigs.virtualKubeconfig,
      targetNamespace: 'vc-host',
      currentNamespace: 'vc-host',
      serviceName: 'vc',
      setOwner: true,
      labelMode: undefined,
    })
    t.notOk(Object.hasOwn(connection.context.options, 'targetNamespace'))
  })

  void t.test('learns what 0.19 says', async (t) => {
    const vcluster = await start(t, { version: '0.19', targetNamespace: 'elsewhere' })
    const { context } = await dial(t, vcluster.address)
    t.match(context, { targetNamespace: 'elsewhere', currentNamespace: 'vcluster-vc', labelMode: 'hashed' })
    t.match(context.options, { targetNamespace: 'elsewhere', controllers: Array })
  })

  void t.test('waits for a process that is not there yet, and says so', async (t) => {
    const vcluster = await start(t)
    await vcluster.stop()
    let hear = (_message: string) => {}
    const heard = new Promise<string>((resolve) => {
      hear = resolve
    })
    const connecting = dial(t, vcluster.address, { logger: listening((message) => hear(message)) })
    t.equal(await heard, `waiting for the vcluster process at ${vcluster.address}`)
    await vcluster.start()
    t.equal((await connecting).runID, vcluster.runID)
  })

  void t.test('gives up when its signal says so', async (t) => {
    const abort = new AbortController()
    const address = await silentServer(t)
    const logger = listening(() => abort.abort(new Error('stopped')))
    await t.rejects(connect({ address, timeoutMs: 50, signal: abort.signal, logger }), { message: 'stopped' })
    await t.rejects(connect({ address, signal: abort.signal }), { message: 'stopped' })
  })

  void t.test('gives up in the middle of a call', { timeout: 60_000 }, async (t) => {
    const address = await silentServer(t)
    const abort = new AbortController()
    const { signal } = abort
    const client = rawClient(t, address)
    setImmediate(() => abort.abort(new Error('stopped')))
    const connecting = connect({ address, signal })
    await t.rejects(client.call(vclusterMethods.getContext, {}, { signal }), { message: 'stopped' })
    await t.rejects(connecting, { message: 'stopped' })
    await t.rejects(client.call(vclusterMethods.getContext, {}, { signal }), { message: 'stopped' })
  })

  void t.test('explains a vcluster that is too old', async (t) => {
    const address = await serve(t, new GrpcServer({ maxRequestBytes: 1024 }))
    await t.rejects(connect({ address }), { code: 'VCLUSTER_TOO_OLD', message: /0\.9\.1/ })
  })

  void t.test('goes past a proxy', async (t) => {
    const vcluster = await start(t)
    const { http_proxy } = process.env
    process.env.http_proxy = 'http://127.0.0.1:1'
    t.teardown(() => {
      delete process.env.http_proxy
      if (http_proxy !== undefined) process.env.http_proxy = http_proxy
    })
    const signal = AbortSignal.timeout(60_000)
    t.equal((await dial(t, vcluster.address, { signal })).runID, vcluster.runID)
  })
})

void t.test('registering', async (t) => {
  void t.test('tells the process an IP literal and the hooks', async (t) => {
    const vcluster = await start(t, { waitsFor: ['mine'] })
    const connection = await dial(t, vcluster.address)
    const clientHooks = [{ apiVersion: 'v1', kind: 'Pod', types: ['CreatePhysical'] }]
    const registered = vcluster.registered('mine')
    await connection.register({ name: 'mine', address: 'localhost:14000', clientHooks })
    t.strictSame(await registered, { name: 'mine', address: '127.0.0.1:14000', clientHooks })
    await connection.register({ name: 'mine' })
    t.strictSame(await vcluster.registered('mine'), { name: 'mine', address: '127.0.0.1:0', clientHooks: [] })
  })

  void t.test('continues while the process restarts', async (t) => {
    const vcluster = await start(t, { waitsFor: ['mine'] })
    let retried = () => {}
    const firstRetry = new Promise<void>((resolve) => {
      retried = resolve
    })
    const connection = await dial(t, vcluster.address, { logger: listening(() => retried()) })
    await vcluster.stop()
    const registering = connection.register({ name: 'mine' })
    await firstRetry
    await vcluster.start()
    await registering
    t.match(await vcluster.registered('mine'), { name: 'mine' })
  })

  void t.test('gives up when its signal says so', async (t) => {
    const vcluster = await start(t)
    const abort = new AbortController()
    const logger = listening(() => abort.abort(new Error('stopped')))
    const connection = await dial(t, vcluster.address, { logger })
    await vcluster.stop()
    await t.rejects(connection.register({ name: 'mine', signal: abort.signal }), { message: 'stopped' })
  })

  void t.test('gives up in the middle of a call', { timeout: 60_000 }, async (t) => {
    const abort = new AbortController()
    const server = new GrpcServer({ maxRequestBytes: 1024 })
    server.serve(VClusterDefinition, {
      getContext: () => context,
      isLeader: () => ({ leader: false, runID: 'run' }),
      async registerPlugin(_request, { signal }) {
        abort.abort(new Error('stopped'))
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return {}
      },
      register: () => t.fail('the older call must not be used') as never,
    })
    const connection = await dial(t, await serve(t, server))
    await t.rejects(connection.register({ name: 'mine', signal: abort.signal }), { message: 'stopped' })
  })

  void t.test("passes vcluster's refusal on", async (t) => {
    const vcluster = await start(t)
    const connection = await dial(t, vcluster.address)
    const hooks = (apiVersion: string, kind: string) => [{ apiVersion, kind, types: [] }]
    const register = (clientHooks: ReturnType<typeof hooks>) =>
      connection.register({ name: 'mine', address: 'localhost:1', clientHooks })
    await t.rejects(register(hooks('', 'Pod')), {
      code: 'VCLUSTER_REFUSED',
      message: /plugin mine: .*: generate client hooks: api version is empty in plugin mine hook/,
    })
    await t.rejects(register(hooks('v1', '')), {
      message: /generate client hooks: kind is empty in plugin mine hook/,
    })
  })

  void t.test('needs a name, and with hooks an address', async (t) => {
    const vcluster = await start(t)
    const connection = await dial(t, vcluster.address)
    await t.rejects(connection.register({ name: '' }), {
      code: 'NO_PLUGIN_NAME',
      message: /VCLUSTER_PLUGIN_NAME/,
    })
    const clientHooks = [{ apiVersion: 'v1', kind: 'Pod', types: [] }]
    await t.rejects(connection.register({ name: 'mine', clientHooks }), {
      code: 'MISSING_ENVIRONMENT',
      message: /hooks/,
    })
  })
})

void t.test('the stand-in process', async (t) => {
  void t.test('leads once every plugin it waits for has registered', async (t) => {
    const clock = new VirtualClock()
    const vcluster = await start(t, { waitsFor: ['one', 'two'], leaderDelayMs: 700, clock })
    const connection = await dial(t, vcluster.address)
    await clock.advance(600_000)
    t.strictSame(await connection.isLeader(), { leader: false, runID: connection.runID })
    await connection.register({ name: 'one' })
    await connection.register({ name: 'wrong' })
    await clock.advance(600_000)
    t.match(await connection.isLeader(), { leader: false })
    await connection.register({ name: 'two' })
    await clock.advance(699)
    t.match(await connection.isLeader(), { leader: false })
    await clock.advance(1)
    t.strictSame(await connection.isLeader(), { leader: true, runID: connection.runID })
    t.match(connection.runID, /^[0-9a-z]{12}$/)
  })

  void t.test('takes a nameless registration and forgets it', async (t) => {
    const vcluster = await start(t, { waitsFor: [''] })
    const client = rawClient(t, vcluster.address)
    const nameless = { version: 'v1', name: '', address: '', clientHooks: [] }
    t.strictSame(await client.call(vclusterMethods.registerPlugin, nameless), {})
    t.match(await client.call(vclusterMethods.isLeader, {}), { leader: false })
  })

  void t.test('answers the older way to register with its context', async (t) => {
    const vcluster = await start(t, { waitsFor: ['old'] })
    const client = rawClient(t, vcluster.address)
    const context = await client.call(vclusterMethods.register, { name: 'old' })
    t.equal(context.physicalClusterConfig, kubeconfigs.hostKubeconfig)
    t.strictSame(await vcluster.registered('old'), { name: 'old', address: '', clientHooks: [] })
  })

  void t.test('is another run after a restart, which waits again', async (t) => {
    const clock = new VirtualClock()
    const vcluster = await start(t, { waitsFor: ['mine'], clock })
    const connection = await dial(t, vcluster.address)
    await connection.register({ name: 'mine' })
    await clock.advance(1)
    t.equal(vcluster.leader, true)
    await vcluster.stop()
    await t.rejects(connection.isLeader(), { code: 14 })
    await vcluster.start()
    await clock.advance(1000)
    const again = await dial(t, vcluster.address)
    t.not(again.runID, connection.runID)
    t.match(await again.isLeader(), { leader: false })
    await connection.register({ name: 'mine' })
    await clock.advance(1)
    t.strictSame(await again.isLeader(), { leader: true, runID: vcluster.runID })
    await vcluster.restart()
    t.equal(vcluster.leader, false)
    await connection.register({ name: 'mine' })
    await vcluster.stop()
    t.equal(clock.pending, 0)
  })

  void t.test('says when its port is taken', async (t) => {
    const vcluster = await start(t)
    const second = startVClusterProcess({ ...kubeconfigs, listenAddress: vcluster.address })
    await t.rejects(second, {
      code: 'CANNOT_LISTEN',
      message: /cannot listen on 127\.0\.0\.1:\d+: the port is in use/,
    })
    const elsewhere = startVClusterProcess({ ...kubeconfigs, listenAddress: '192.0.2.1:80' })
    await t.rejects(elsewhere, { message: /cannot listen on 192\.0\.2\.1:80: / })
  })
})

void t.test('leadership ends with the run of the process that the plugin registered with', async (t) => {
  const vcluster = await start(t, { waitsFor: ['mine'], clock: hastyClock })
  const connection = await dial(t, vcluster.address)
  const isLeader = (options: GrpcCallOptions) => connection.isLeader(options)
  const leadership = vclusterLeadership({ isLeader, runID: connection.runID, clock: hastyClock })
  t.teardown(() => leadership.release())
  await connection.register({ name: 'mine' })
  await firstValueFrom(leadership.leader$.pipe(filter((leads) => leads)))
  t.ok(leadership.deadline() > hastyClock.now())
  await vcluster.restart()
  await firstValueFrom(leadership.leader$.pipe(filter((leads) => !leads)))
  t.equal(leadership.deadline(), Number.NEGATIVE_INFINITY)
})

void t.test('a hook server refuses messages that are larger than any object', async (t) => {
  const clock = new VirtualClock()
  const hooks = new HookChain({ hooks: [], logger: silentLogger, metrics: noMetrics, clock })
  const server = await serveHooks({ address: '127.0.0.1:0', hooks, logger: silentLogger })
  t.teardown(() => server.close())
  const ask = (bytes: number) => {
    const object = JSON.stringify({ metadata: { name: 'large' }, data: { text: 'x'.repeat(bytes) } })
    return callHook(server.address, { apiVersion: 'v1', kind: 'ConfigMap', type: 'CreatePhysical', object })
  }
  t.match(await ask(3 * 2 ** 20), { mutated: false })
  await t.rejects(ask(9 * 2 ** 20), {
    code: GrpcStatus.RESOURCE_EXHAUSTED,
    details: /the message has \d+ bytes, and at most 8388608 are received/,
  })
  t.match(await ask(1), { mutated: false }, 'and serves on')
})

void t.test('a taken port for hooks is an error that says what to do', async (t) => {
  const hooks = new HookChain({ hooks: [], logger: silentLogger, metrics: noMetrics, clock: systemClock })
  const first = await serveHooks({ address: '127.0.0.1:0', hooks, logger: silentLogger })
  t.teardown(() => first.close())
  await t.rejects(serveHooks({ address: first.address, hooks, logger: silentLogger }), {
    code: 'CANNOT_LISTEN',
    message: /VCLUSTER_PLUGIN_ADDRESS 127\.0\.0\.1:\d+ for hooks \(listen EADDRINUSE: .+\): stop the program/,
  })
})
