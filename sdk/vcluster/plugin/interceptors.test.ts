import { join } from 'node:path'
import t from 'tap'
import { startVClusterProcess } from '../../../simulator/vcluster-process.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { type InterceptContext, Interceptor } from '../hook/interceptor.js'
import { describePlugin } from './description.js'
import { createPluginRuntime } from './plugin-runtime.js'

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

void t.test('a sidecar with interceptors ends, and says what they need', async (t) => {
  const vcluster = await startVClusterProcess({ virtualKubeconfig: usable, hostKubeconfig: usable })
  t.teardown(() => vcluster.stop())
  const env = { VCLUSTER_PLUGIN_NAME: 'test', VCLUSTER_LISTEN_ADDRESS: vcluster.address }
  const plugin = createPluginRuntime({ env, logger: silentLogger })
  await plugin.init()
  plugin.register(new Teapot())
  await t.rejects(plugin.start(), {
    code: 'INTERCEPTORS_UNSUPPORTED',
    message:
      /^vcluster does not call interceptors of a sidecar; .* vcluster 0\.20 or later and a plugin inside its container/,
  })
})

void t.test('a standalone plugin warns that its interceptors are never called', async (t) => {
  const folder = t.testdir({ kubeconfig: usable })
  const file = join(folder, 'kubeconfig')
  const clusters = { VIRTUAL_KUBECONFIG: file, HOST_KUBECONFIG: file }
  let heard = (_message: string) => {}
  const warned = new Promise<string>((resolve) => {
    heard = resolve
  })
  const logger: Logger = { ...silentLogger, warn: (_, message) => heard(message), child: () => logger }
  const env = { ...clusters, VCLUSTER_NAME: 'vc', TARGET_NAMESPACE: 'vcluster-vc' }
  const plugin = createPluginRuntime({ env, logger })
  await plugin.init()
  plugin.register(new Teapot())
  const ended = plugin.start()
  t.match(
    await warned,
    /no vcluster calls interceptors of a standalone plugin; interceptors need vcluster 0\.20/,
  )
  await plugin.stop()
  await ended
})

void t.test('interceptors that cannot go together are refused where they are registered', async (t) => {
  const plugin = createPluginRuntime({ env: { VCLUSTER_PLUGIN_DESCRIBE: '1' }, logger: silentLogger })
  await plugin.init()
  plugin.register(new Teapot())
  t.throws(() => plugin.register(new Teapot('other')), {
    code: 'INVALID_RULE',
    message: /other \(together with teapot\)/,
  })
})

void t.test('a description tells the interceptors and their rules', async (t) => {
  const description = describePlugin({
    name: 'test',
    runnables: [new Teapot()],
    hostReads: [],
    virtualReads: [],
  })
  t.strictSame(description.interceptors, [
    { name: 'teapot', rules: [{ verbs: ['get'], nonResourceURLs: ['/teapot'] }] },
  ])
  t.notOk('interceptors' in describePlugin({ name: 'test', runnables: [], hostReads: [], virtualReads: [] }))
})
