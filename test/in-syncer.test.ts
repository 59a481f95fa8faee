// Tests the example inside vcluster's container: started as a child by go-plugin's handshake, by the
// simulator and, if Go is installed, by the library of vcluster itself.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { initializePayload } from '../simulator/in-syncer/initialize-payload.js'
import { type PluginProgram, startPluginProgram, startVClusterWithPlugins } from '../testing/index.js'
import { type Answer, type Caller, skipWithoutGo, startGoVCluster } from './go-vcluster.js'
import { asked, hookProgram } from './hook-program.js'
import { environment, pluginFolder } from './plugin-folder.js'
import { loadTypeScript } from './plugin-process.js'
import { twoClusters } from './two-clusters.js'
import { isWholeRun } from './whole-run.js'

t.setTimeout(600_000)

type Start = (t: Test, folder: string, env?: Record<string, string>) => Promise<Caller>

/** The Go caller: github.com/hashicorp/go-plugin's client, configured as in vcluster. */
const goCaller: Start = async (t, folder, env = environment) =>
  startGoVCluster(t, { program: 'in-syncer', args: [join(folder, 'plugin')], env })

/** The simulator as the caller. */
const ownCaller: Start = async (t, folder, env = environment) => {
  const program = await startPluginProgram({ file: join(folder, 'plugin'), env })
  t.teardown(() => program.kill())
  return {
    lines: program.lines,
    line: (text) => program.line(text),
    call: (name, fields = {}) =>
      calls[name]?.(program, fields).catch((error) => ({ error: error.message })) ?? Promise.resolve({}),
    leave: () => program.disconnect(),
  }
}

type Fields = Record<string, unknown>

/** The calls of the simulator, by the names of the Go program's calls. */
const calls: Record<string, (program: PluginProgram, fields: Fields) => Promise<Answer>> = {
  Initialize: async (program, { config }) => {
    await program.initialize(String(config))
    return {}
  },
  GetPluginConfig: async (program) => ({ config: await program.getPluginConfig() }),
  SetLeader: async (program) => {
    await program.setLeader()
    return {}
  },
  Mutate: (program, { timeoutMs, ...request }) =>
    program.mutate(request as unknown as Parameters<PluginProgram['mutate']>[0], {
      ...(typeof timeoutMs === 'number' && { timeoutMs }),
    }),
  Ping: async (program) => {
    await program.ping()
    return {}
  },
  Exited: async (program) => {
    await program.exited
    return {}
  },
}

function told(version: '0.19' | '0.36', folder: string, hostKubeconfig: string): string {
  return initializePayload(version, {
    name: 'vc',
    hostKubeconfig,
    syncerKubeconfig: 'none yet',
    port: 13370,
    currentNamespace: 'vcluster-vc',
    targetNamespace: 'vcluster-vc',
    virtualKubeconfigFile: join(folder, 'kubeconfig'),
    workingDir: folder,
  })
}

const callers: Record<string, Start> = { ours: ownCaller, 'go-plugin': goCaller }
/** A folder with the hook program, and the payload of a vcluster process. */
async function hooks(t: Test) {
  const { virtualKubeconfig, hostKubeconfig } = await twoClusters(t)
  const folder = pluginFolder(t, join(t.testdirName, 'plugins/example/main.ts'))
  writeFileSync(join(folder, 'main.ts'), hookProgram)
  writeFileSync(join(folder, 'kubeconfig'), virtualKubeconfig)
  return { folder, config: told('0.36', folder, hostKubeconfig) }
}

async function mirrors(t: Test, start: Start, version: '0.19' | '0.36'): Promise<void> {
  const { virtual, host, virtualKubeconfig, hostKubeconfig } = await twoClusters(t)
  const folder = pluginFolder(t, 'examples/sync-all-configmaps/main.ts')
  writeFileSync(join(folder, 'kubeconfig'), virtualKubeconfig)
  const caller = await start(t, folder)
  t.notOk((await caller.call('Initialize', { config: told(version, folder, hostKubeconfig) })).error)
  t.equal((await caller.call('GetPluginConfig')).config, '{}')
  t.notOk((await caller.call('Mutate', asked('CreatePhysical'))).mutated)
  await virtual.create(configMaps, { metadata: { namespace: 'default', name: 'greeting' }, data: { a: 'b' } })
  t.notOk((await caller.call('SetLeader')).error)
  await caller.line('the plugin is running')
  const at = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
  for (;;) {
    await turn()
    const { items } = await host.list(configMaps, { namespace: 'vcluster-vc' })
    if (items.some(({ metadata }) => metadata.name === at.name)) break
  }
  t.same((await host.get(configMaps, at)).data, { a: 'b' })
  t.notOk(
    caller.lines.some((line) => line.includes('0001-01-01')),
    'every line has a time',
  )
}

/** Resolves when the program that is started next in the folder has exited, whatever its parent is. */
function lifeline(folder: string): Promise<unknown> {
  const pipe = join(folder, 'lifeline')
  execFileSync('mkfifo', [pipe])
  const launcher = readFileSync(join(folder, 'plugin'), 'utf8')
  writeFileSync(join(folder, 'plugin'), launcher.replace('\n', `\nexec 8>${pipe}\n`))
  return once(createReadStream(pipe).resume(), 'end')
}

/** The embedded server answers within one turn of the event loop, but its sockets need several. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

for (const [who, start] of Object.entries(callers)) {
  const skip = who === 'go-plugin' && skipWithoutGo
  // The simulator is the older one at night only; go-plugin's client is always both.
  const versions = who === 'ours' && !isWholeRun ? (['0.36'] as const) : (['0.19', '0.36'] as const)
  for (const version of versions) {
    const title = `called by ${who} as ${version} does, the example mirrors once it leads`
    void t.test(title, { skip }, (t) => mirrors(t, start, version))
  }

  void t.test(`called by ${who}, hooks change, deny, time out and log`, { skip }, async (t) => {
    const { folder, config } = await hooks(t)
    // A socket's path would be too long below it, so the plugin uses loopback.
    const tmpdir = join(folder, 'x'.repeat(100))
    mkdirSync(tmpdir)
    const caller = await start(t, folder, { ...environment, TMPDIR: tmpdir })
    t.notOk((await caller.call('Initialize', { config })).error)
    t.match(JSON.parse((await caller.call('GetPluginConfig')).config ?? ''), {
      clientHooks: [{ apiVersion: 'v1', kind: 'ConfigMap', types: ['CreatePhysical', 'UpdatePhysical'] }],
    })
    t.match(await caller.call('Mutate', asked('CreatePhysical')), {
      mutated: true,
      object: '{"metadata":{"name":"a","labels":{"hooked":"yes"}}}',
    })
    t.match((await caller.call('Mutate', asked('DeletePhysical'))).error, /keep it: not this one/)
    const late = await caller.call('Mutate', { ...asked('UpdatePhysical'), timeoutMs: 3000 })
    t.match(late.error, /DeadlineExceeded|DEADLINE_EXCEEDED/)
    t.equal(await caller.line('given up'), 'slow hook given up', 'as it was printed')
    t.notOk((await caller.call('Ping')).error)
    await caller.call('Mutate', asked('GetPhysical'))
    t.match(await caller.line('raw: '), /^raw: process \d+$/)
    t.match(await caller.line('a long line'), /\[INFO\].*a long line… \(cut, the line had 200\d\d\d bytes\)/)
    t.match((await caller.call('Mutate', asked('GetVirtual'))).error, /Unavailable|UNAVAILABLE/)
    t.notOk((await caller.call('Exited')).error, 'the exit of a plugin is noticed')
  })

  void t.test(`called by ${who}, a plugin exits with the process that started it`, { skip }, async (t) => {
    const { folder, config } = await hooks(t)
    const ended = lifeline(folder)
    const caller = await start(t, folder)
    t.notOk((await caller.call('Initialize', { config })).error)
    caller.leave()
    await ended
  })

  void t.test(
    `called by ${who} with an unusable configuration, the plugin reports it in Initialize`,
    { skip },
    async (t) => {
      const caller = await start(t, pluginFolder(t, 'examples/sync-all-configmaps/main.ts'))
      t.match(
        (await caller.call('Initialize', { config: '{"workingDir":"/tmp"}' })).error,
        /currentNamespace/,
      )
      const { folder, config } = await hooks(t)
      const misled = await start(t, folder, { ...environment, PLUGIN_CONFIG: 'a: [' })
      t.match((await misled.call('Initialize', { config })).error, /PLUGIN_CONFIG.* does not parse as YAML/)
    },
  )
}

const earlyProgram = `import { plugin } from 'vcluster-plugin-sdk'
console.log('before init')
await plugin.init()
await plugin.start()
`

void t.test('with the preload a program from its sources may print before init', async (t) => {
  const folder = pluginFolder(t, join(t.testdirName, 'plugins/example/main.ts'))
  writeFileSync(join(folder, 'main.ts'), earlyProgram)
  await t.rejects(startPluginProgram({ file: join(folder, 'plugin'), env: environment }), /before init/)
  const launcher = readFileSync(join(folder, 'plugin'), 'utf8')
  writeFileSync(
    join(folder, 'plugin'),
    launcher.replace(loadTypeScript, '$& --import=vcluster-plugin-sdk/preload'),
  )
  const program = await startPluginProgram({ file: join(folder, 'plugin'), env: environment })
  t.teardown(() => program.kill())
  t.match(await program.line('before init'), /before init/)
})

const guardProgram = `import { Interceptor, plugin } from 'vcluster-plugin-sdk'

class Guard extends Interceptor {
  constructor() {
    super('guard', [
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] },
      { verbs: ['get'], nonResourceURLs: ['/probe/*'] },
    ])
  }

  handle(request, ctx) {
    if (ctx.attributes.name === 'hidden') return new Response('nothing to see', { status: 404 })
    return 'path' in ctx.attributes ? Response.json(ctx.attributes) : ctx.forward(request, { as: 'plugin' })
  }
}

await plugin.init()
plugin.register(new Guard())
await plugin.start()
`

/** The guard program inside a vcluster whose virtual cluster has two ConfigMaps. */
async function guarded(t: Test, version: '0.19' | '0.36', name = 'vc') {
  const { virtual, virtualKubeconfig, hostKubeconfig } = await twoClusters(t)
  const folder = pluginFolder(t, join(t.testdirName, 'plugins/example/main.ts'))
  writeFileSync(join(folder, 'main.ts'), guardProgram)
  writeFileSync(join(folder, 'kubeconfig'), virtualKubeconfig)
  for (const map of ['hidden', 'shown'])
    await virtual.create(configMaps, { metadata: { namespace: 'default', name: map } })
  const programs = [join(folder, 'plugin')]
  const clusterFiles = { virtualKubeconfigFile: join(folder, 'kubeconfig'), hostKubeconfig }
  return {
    virtual,
    starting: startVClusterWithPlugins({ programs, ...clusterFiles, name, version, env: environment }),
  }
}

void t.test('an interceptor handles requests before the virtual cluster', async (t) => {
  const { virtual, starting } = await guarded(t, '0.36')
  const vcluster = await starting
  t.teardown(() => vcluster.stop())
  const get = (path: string, init?: RequestInit) => fetch(vcluster.url + path, init)
  const at = '/api/v1/namespaces/default/configmaps'
  const spoofed = await get(`${at}/hidden`, { headers: { 'vcluster-plugin-handler-name': 'other' } })
  t.equal(await spoofed.text(), 'nothing to see')
  t.match(await (await get(`${at}/shown`)).json(), { kind: 'ConfigMap', metadata: { name: 'shown' } })
  t.strictSame(await (await get('/probe/x')).json(), { verb: 'get', path: '/probe/x' })
  t.equal(
    (await get('/api/v1/namespaces/default/secrets')).status,
    200,
    'other requests go to the API server',
  )
  const watch = await get(`${at}?watch=true&fieldSelector=metadata.name%3Dlater`)
  const reader = watch.body?.getReader()
  await virtual.create(configMaps, { metadata: { namespace: 'default', name: 'later' } })
  const { value } = (await reader?.read()) ?? {}
  t.match(JSON.parse(Buffer.from(value ?? []).toString()), {
    type: 'ADDED',
    object: { metadata: { name: 'later' } },
  })
  await reader?.cancel()
})

void t.test(
  'vcluster 0.19, which has no interceptors, gets an error with the required version',
  async (t) => {
    const { starting } = await guarded(t, '0.19')
    await t.rejects(starting, {
      message: /error starting plugin .*interceptors need vcluster 0\.20 or later/,
    })
  },
)

void t.test('Initialize returns the reason of a failed start', async (t) => {
  const { starting } = await guarded(t, '0.36', 'gone')
  await t.rejects(starting, {
    message: /error starting plugin .*the host cluster has no namespace vcluster-gone, .*create it/,
  })
})
