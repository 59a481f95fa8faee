import { join } from 'node:path'
import { ChannelCredentials } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { type InterceptContext, Interceptor } from '../hook/interceptor.js'
import { systemClock } from '../observe/clock.js'
import { type Logger, silentLogger } from '../observe/logger.js'
import { PluginClient } from '../remote/proto/gen/v2.js'
import { StandardStreams } from '../remote/v2/standard-streams.js'
import { freePort } from '../testing/free-port.js'
import { startVClusterProcess } from '../testing/vcluster-process.js'
import { describePlugin } from './description.js'
import { openInSyncer } from './in-syncer.js'
import { createPlugin } from './plugin.js'

class Teapot extends Interceptor {
  constructor(name = 'teapot') {
    super(name, [{ verbs: ['get'], nonResourceURLs: ['/teapot'] }])
  }

  override handle(_: Request, ctx: InterceptContext) {
    return Response.json(ctx.attributes, { status: 418 })
  }
}

const usable = `{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], users: [{name: u, user: {}}],
  contexts: [{name: x, context: {cluster: c, user: u}}], current-context: x}`

/** A plugin inside vcluster's container, and the process that has started it, both here. */
async function inSyncer(t: Test) {
  const folder = t.testdir({ kubeconfig: usable })
  let heard = (_line: string) => {}
  const handshake = new Promise<string>((resolve) => {
    heard = resolve
  })
  const stdout = { write: (line: string) => heard(line) } as unknown as NodeJS.WriteStream
  const stderr = { write: () => true, on: () => {} } as unknown as NodeJS.WriteStream
  const streams = new StandardStreams({ stdout, stderr }, systemClock)
  const surroundings = { streams, chdir: () => {} }
  const env = { VCLUSTER_PLUGIN: 'vcluster' }
  const openSession = (options: Parameters<typeof openInSyncer>[0]) => openInSyncer(options, surroundings)
  const plugin = createPlugin({ env, logger: silentLogger, openSession })
  const initialised = plugin.init()
  const client = new PluginClient(
    `unix:${(await handshake).split('|')[3]}`,
    ChannelCredentials.createInsecure(),
  )
  t.teardown(() => client.close())
  const call = <T>(send: (reply: (error: Error | null, answer: T) => void) => void) =>
    new Promise<T>((resolve, reject) => send((error, answer) => (error ? reject(error) : resolve(answer))))
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const told = (port?: number) => ({
    physicalClusterConfig: base64(usable),
    currentNamespace: 'vcluster-vc',
    options: base64(JSON.stringify({ name: 'vc', kubeConfig: join(folder, 'kubeconfig') })),
    workingDir: folder,
    ...(port && { port }),
  })
  return {
    plugin,
    initialised,
    initialize: (port?: number) =>
      call((reply) => client.initialize({ config: JSON.stringify(told(port)) }, reply)),
    config: async () =>
      JSON.parse((await call<{ config: string }>((reply) => client.getPluginConfig({}, reply))).config),
  }
}

void t.test('inside the container vcluster is told the rules once interceptors are served', async (t) => {
  const { plugin, initialised, initialize, config } = await inSyncer(t)
  const port = await freePort()
  const answered = initialize(port)
  await initialised
  plugin.register(new Teapot())
  const ended = plugin.start()
  await answered
  const response = fetch(`http://127.0.0.1:${port}/teapot`, {
    headers: { 'vcluster-plugin-handler-name': 'teapot' },
  })
  t.equal((await response).status, 418)
  t.strictSame(await (await response).json(), { verb: 'get', path: '/teapot' })
  t.strictSame(await config(), {
    interceptors: { teapot: [{ verbs: ['get'], nonResourceURLs: ['/teapot'] }] },
  })
  await plugin.stop()
  await ended
  await t.rejects(fetch(`http://127.0.0.1:${port}/teapot`), 'a stopped plugin serves none')
})

void t.test('vcluster 0.19, which knows no interceptors, is told so by Initialize', async (t) => {
  const { plugin, initialised, initialize } = await inSyncer(t)
  const answered = initialize()
  answered.catch(() => {})
  await initialised
  plugin.register(new Teapot())
  await t.rejects(plugin.start(), { code: 'NO_INTERCEPTORS' })
  await t.rejects(answered, { message: /interceptors need vcluster 0\.20 or later/ })
})

void t.test('a sidecar with interceptors ends, and says what they need', async (t) => {
  const vcluster = await startVClusterProcess({ virtualKubeconfig: usable, hostKubeconfig: usable })
  t.teardown(() => vcluster.stop())
  const env = { VCLUSTER_PLUGIN_NAME: 'test', VCLUSTER_LISTEN_ADDRESS: vcluster.address }
  const plugin = createPlugin({ env, logger: silentLogger })
  await plugin.init()
  plugin.register(new Teapot())
  await t.rejects(plugin.start(), {
    code: 'NO_INTERCEPTORS',
    message: /^a sidecar has none; .* vcluster 0\.20 or later and a plugin inside its container/,
  })
})

void t.test('a plugin on its own warns that nobody asks its interceptors', async (t) => {
  const folder = t.testdir({ kubeconfig: usable })
  const file = join(folder, 'kubeconfig')
  const clusters = { VIRTUAL_KUBECONFIG: file, HOST_KUBECONFIG: file }
  let heard = (_message: string) => {}
  const warned = new Promise<string>((resolve) => {
    heard = resolve
  })
  const logger: Logger = { ...silentLogger, warn: (_, message) => heard(message), child: () => logger }
  const env = { ...clusters, VCLUSTER_NAME: 'vc', TARGET_NAMESPACE: 'vcluster-vc' }
  const plugin = createPlugin({ env, logger })
  await plugin.init()
  plugin.register(new Teapot())
  const ended = plugin.start()
  t.match(await warned, /nobody asks interceptors here; interceptors need vcluster 0\.20/)
  await plugin.stop()
  await ended
})

void t.test('interceptors that cannot go together are refused where they are registered', async (t) => {
  const plugin = createPlugin({ env: { VCLUSTER_PLUGIN_DESCRIBE: '1' }, logger: silentLogger })
  await plugin.init()
  plugin.register(new Teapot())
  t.throws(() => plugin.register(new Teapot('other')), {
    code: 'BAD_RULE',
    message: /other \(beside teapot\)/,
  })
})

void t.test('a description tells the interceptors and their rules', async (t) => {
  const description = describePlugin({ name: 'test', registrants: [new Teapot()], hostReads: [] })
  t.strictSame(description.interceptors, [
    { name: 'teapot', rules: [{ verbs: ['get'], nonResourceURLs: ['/teapot'] }] },
  ])
  t.notOk('interceptors' in describePlugin({ name: 'test', registrants: [], hostReads: [] }))
})
