// The example inside vcluster's container: started as a child by go-plugin's handshake, first by the test kit's stand-in,
// then, where Go is there, by the library that vcluster itself runs.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { createClient } from '../sdk/client/create-client.js'
import { configMaps, namespaces } from '../sdk/kube/builtin.js'
import { inProcessTransport } from '../sdk/testing/in-process-transport.js'
import { initializePayload } from '../sdk/testing/in-syncer/initialize-payload.js'
import { type PluginProgram, startPluginProgram } from '../sdk/testing/in-syncer/plugin-program.js'
import { PrintedLines } from '../sdk/testing/in-syncer/printed-lines.js'
import { createApiServer, startVClusterWithPlugins } from '../sdk/testing/index.js'

t.setTimeout(120_000)

/** A vcluster process as these tests drive it. */
interface Caller {
  call(name: string, fields?: Record<string, unknown>): Promise<Answer>
  /** Everything that is to be seen in vcluster's own log. */
  readonly lines: readonly string[]
  line(text: string): Promise<string>
  /** Goes as a process that is killed does. */
  leave(): void
}

interface Answer {
  error?: string
  config?: string
  object?: string
  mutated?: boolean
}

/** A folder of plugins with the one program in it that vcluster would start. */
function pluginFolder(t: Test, main: string): string {
  const folder = join(t.testdir({ plugins: {} }), 'plugins/example')
  mkdirSync(folder)
  const sdk = resolve('.')
  const launcher = [
    '#!/bin/sh',
    `cd ${sdk} && exec ${process.execPath} --conditions=vcluster-plugin-sdk:source --import=tsx ${resolve(main)}`,
  ]
  writeFileSync(join(folder, 'plugin'), `${launcher.join('\n')}\n`)
  chmodSync(join(folder, 'plugin'), 0o755)
  return folder
}

const environment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  TMPDIR: '/tmp',
  METRICS_ADDRESS: '0',
}

type Start = (t: Test, folder: string, env?: Record<string, string>) => Promise<Caller>

/** The one in Go: github.com/hashicorp/go-plugin's client, configured as vcluster configures it. */
const goCaller: Start = async (t, folder, env = environment) => {
  const programs = execFileSync('test/go/vcluster/build', { encoding: 'utf8' }).trim()
  return commanded(t, spawn(join(programs, 'in-syncer'), [join(folder, 'plugin')], { env, stdio: pipes }))
}

const pipes: 'pipe'[] = ['pipe', 'pipe', 'pipe', 'pipe']

/** A program that is told by lines of JSON what to call. */
function commanded(t: Test, child: ChildProcess): Caller {
  t.teardown(() => child.kill('SIGKILL'))
  const printed = new PrintedLines()
  for (const stream of [child.stdout, child.stderr]) if (stream) printed.follow(stream)
  const answers = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    lines: printed.all,
    line: (text) => printed.with(text),
    async call(name, fields = {}) {
      child.stdin?.write(`${JSON.stringify({ call: name, ...fields })}\n`)
      const { value } = await answers.next()
      return JSON.parse(value ?? '{"error":"the caller has ended"}')
    },
    leave: () => child.kill('SIGKILL'),
  }
}

/** The one of our own. */
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

/** What the program in Go does by the same names. */
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

async function clusters(t: Test) {
  const virtual = await createApiServer({ name: 'virtual' })
  const host = await createApiServer({ name: 'host' })
  t.teardown(() => Promise.all([virtual.close(), host.close()]))
  await Promise.all([virtual.listen(), host.listen()])
  const hostClient = createClient({ transport: inProcessTransport(host) })
  await hostClient.create(namespaces, { metadata: { name: 'vcluster-vc' } })
  return {
    virtual: createClient({ transport: inProcessTransport(virtual) }),
    host: hostClient,
    virtualKubeconfig: await virtual.kubeconfig(),
    hostKubeconfig: await host.kubeconfig(),
  }
}

function told(version: '0.19' | '0.36', folder: string, hostKubeconfig: string): string {
  return initializePayload(version, {
    ...{ name: 'vc', hostKubeconfig, syncerKubeconfig: 'none yet', port: 13370 },
    ...{ currentNamespace: 'vcluster-vc', targetNamespace: 'vcluster-vc' },
    virtualKubeconfigFile: join(folder, 'kubeconfig'),
    workingDir: folder,
  })
}

const hookProgram = `import { ClientHook, configMaps, plugin } from 'vcluster-plugin-sdk'

class Keep extends ClientHook {
  mutateCreatePhysical(_, object) {
    return { ...object, metadata: { ...object.metadata, labels: { hooked: 'yes' } } }
  }

  mutateDeletePhysical() {
    throw new Error('keep it: not this one')
  }

  async mutateUpdatePhysical(ctx) {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    console.log('slow hook given up')
  }

  mutateGetPhysical(ctx) {
    process.stdout.write('raw: process ' + process.pid + '\\n')
    ctx.logger.info({ long: 'x'.repeat(200_000) }, 'a long line')
  }

  mutateGetVirtual() {
    process.exit(7)
  }
}

await plugin.init()
plugin.register(new Keep('keep', configMaps))
await plugin.start()
`

const callers: Record<string, Start> = { ours: ownCaller, 'go-plugin': goCaller }
const hasGo = (() => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    // Then there is none.
    return false
  }
})()

/** A folder with the hook program in it, and what a vcluster process tells it. */
async function hooks(t: Test) {
  const { virtualKubeconfig, hostKubeconfig } = await clusters(t)
  const folder = pluginFolder(t, join(t.testdirName, 'plugins/example/main.ts'))
  writeFileSync(join(folder, 'main.ts'), hookProgram)
  writeFileSync(join(folder, 'kubeconfig'), virtualKubeconfig)
  return { folder, config: told('0.36', folder, hostKubeconfig) }
}

const asked = (type: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  object: '{"metadata":{"name":"a"}}',
  type,
})

async function mirrors(t: Test, start: Start, version: '0.19' | '0.36'): Promise<void> {
  const { virtual, host, virtualKubeconfig, hostKubeconfig } = await clusters(t)
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
    'every line has its time',
  )
}

/** Resolves when the program that is started in the folder next has ended, whoever its parent is by then. */
function lifeline(folder: string): Promise<unknown> {
  const pipe = join(folder, 'lifeline')
  execFileSync('mkfifo', [pipe])
  const launcher = readFileSync(join(folder, 'plugin'), 'utf8')
  writeFileSync(join(folder, 'plugin'), launcher.replace('\n', `\nexec 8>${pipe}\n`))
  return once(createReadStream(pipe).resume(), 'end')
}

/** The embedded server answers without a turn of the event loop, which its sockets need. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

for (const [who, start] of Object.entries(callers)) {
  const skip = who === 'go-plugin' && !hasGo && 'needs Go on the PATH'
  for (const version of ['0.19', '0.36'] as const) {
    const title = `called by ${who} as ${version} does, the example mirrors once it leads`
    void t.test(title, { skip }, (t) => mirrors(t, start, version))
  }

  void t.test(`called by ${who}, hooks change, deny, hang and are heard`, { skip }, async (t) => {
    const { folder, config } = await hooks(t)
    // A socket's path would be too long below it, so the plugin listens on loopback.
    const TMPDIR = join(folder, 'x'.repeat(100))
    mkdirSync(TMPDIR)
    const caller = await start(t, folder, { ...environment, TMPDIR })
    t.notOk((await caller.call('Initialize', { config })).error)
    t.match(JSON.parse((await caller.call('GetPluginConfig')).config ?? ''), {
      clientHooks: [{ apiVersion: 'v1', kind: 'ConfigMap', types: ['CreatePhysical', 'UpdatePhysical'] }],
    })
    t.match(await caller.call('Mutate', asked('CreatePhysical')), {
      mutated: true,
      object: '{"metadata":{"name":"a","labels":{"hooked":"yes"}}}',
    })
    t.match((await caller.call('Mutate', asked('DeletePhysical'))).error, /keep it: not this one/)
    const late = await caller.call('Mutate', { ...asked('UpdatePhysical'), timeoutMs: 100 })
    t.match(late.error, /DeadlineExceeded|DEADLINE_EXCEEDED/)
    t.equal(await caller.line('given up'), 'slow hook given up', 'as it was printed')
    t.notOk((await caller.call('Ping')).error)
    await caller.call('Mutate', asked('GetPhysical'))
    t.match(await caller.line('raw: '), /^raw: process \d+$/)
    t.match(await caller.line('a long line'), /\[INFO\].*a long line… \(cut, the line had 200\d\d\d bytes\)/)
    t.match((await caller.call('Mutate', asked('GetVirtual'))).error, /Unavailable|UNAVAILABLE/)
    t.notOk((await caller.call('Exited')).error, 'a plugin that has ended is known to have')
  })

  void t.test(`called by ${who}, a plugin ends with the process that has started it`, { skip }, async (t) => {
    const { folder, config } = await hooks(t)
    const ended = lifeline(folder)
    const caller = await start(t, folder)
    t.notOk((await caller.call('Initialize', { config })).error)
    caller.leave()
    await ended
  })

  void t.test(
    `called by ${who} with what it cannot use, the plugin says so by Initialize`,
    { skip },
    async (t) => {
      const caller = await start(t, pluginFolder(t, 'examples/sync-all-configmaps/main.ts'))
      t.match(
        (await caller.call('Initialize', { config: '{"workingDir":"/tmp"}' })).error,
        /currentNamespace/,
      )
    },
  )
}

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

/** The guard program inside a vcluster, whose virtual cluster has two ConfigMaps. */
async function guarded(t: Test, version: '0.19' | '0.36') {
  const { virtual, virtualKubeconfig, hostKubeconfig } = await clusters(t)
  const folder = pluginFolder(t, join(t.testdirName, 'plugins/example/main.ts'))
  writeFileSync(join(folder, 'main.ts'), guardProgram)
  writeFileSync(join(folder, 'kubeconfig'), virtualKubeconfig)
  for (const name of ['hidden', 'shown'])
    await virtual.create(configMaps, { metadata: { namespace: 'default', name } })
  const programs = [join(folder, 'plugin')]
  const clusterFiles = { virtualKubeconfigFile: join(folder, 'kubeconfig'), hostKubeconfig }
  return {
    virtual,
    starting: startVClusterWithPlugins({ programs, ...clusterFiles, version, env: environment }),
  }
}

void t.test('an interceptor stands before the virtual cluster', async (t) => {
  const { virtual, starting } = await guarded(t, '0.36')
  const vcluster = await starting
  t.teardown(() => vcluster.stop())
  const get = (path: string, init?: RequestInit) => fetch(vcluster.url + path, init)
  const at = '/api/v1/namespaces/default/configmaps'
  const spoofed = await get(`${at}/hidden`, { headers: { 'vcluster-plugin-handler-name': 'other' } })
  t.equal(await spoofed.text(), 'nothing to see')
  t.match(await (await get(`${at}/shown`)).json(), { kind: 'ConfigMap', metadata: { name: 'shown' } })
  t.strictSame(await (await get('/probe/x')).json(), { verb: 'get', path: '/probe/x' })
  t.equal((await get('/api/v1/namespaces/default/secrets')).status, 200, 'the rest goes to the API server')
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

void t.test('vcluster 0.19, which has no interceptors, is told what they need', async (t) => {
  const { starting } = await guarded(t, '0.19')
  await t.rejects(starting, { message: /error starting plugin .*interceptors need vcluster 0\.20 or later/ })
})
