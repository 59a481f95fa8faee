// The example inside vcluster's container: started as a child by go-plugin's handshake, first by a caller of our own, then,
// where Go is there, by the library that vcluster itself runs.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { ChannelCredentials, type Client } from '@grpc/grpc-js'
import t, { type Test } from 'tap'
import { createClient } from '../sdk/client/create-client.js'
import { configMaps, namespaces } from '../sdk/kube/builtin.js'
import { PluginClient } from '../sdk/remote/proto/gen/v2.js'
import { inProcessTransport } from '../sdk/testing/in-process-transport.js'
import { createApiServer } from '../sdk/testing/index.js'

t.setTimeout(120_000)

/** A vcluster process as these tests drive it. */
interface Caller {
  call(name: string, fields?: Record<string, unknown>): Promise<Answer>
  /** Everything that is to be seen in vcluster's own log. */
  readonly lines: readonly string[]
  line(text: string): Promise<string>
  end(signal?: NodeJS.Signals): Promise<void>
}

interface Answer {
  error?: string
  config?: string
  object?: string
  mutated?: boolean
}

class Lines {
  readonly all: string[] = []
  readonly #waiting = new Set<() => void>()

  follow(input: Interface): void {
    input.on('line', (line) => {
      this.all.push(line)
      for (const look of this.#waiting) look()
    })
  }

  with(text: string): Promise<string> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.all.find((line) => line.includes(text))
        if (found === undefined) return
        this.#waiting.delete(look)
        resolve(found)
      }
      this.#waiting.add(look)
      look()
    })
  }
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
  VCLUSTER_PLUGIN: 'vcluster',
  PLUGIN_PROTOCOL_VERSIONS: '1',
}

/** The one in Go: github.com/hashicorp/go-plugin's client, configured as vcluster configures it. */
async function goCaller(t: Test, folder: string): Promise<Caller> {
  const programs = execFileSync('test/go/vcluster/build', { encoding: 'utf8' }).trim()
  const child = spawn(join(programs, 'in-syncer'), [join(folder, 'plugin')], {
    env: { ...environment, VCLUSTER_PLUGIN: '' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const lines = new Lines()
  for (const stream of [child.stdout, child.stderr]) lines.follow(createInterface({ input: stream }))
  const answers = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    lines: lines.all,
    line: (text) => lines.with(text),
    async call(name, fields = {}) {
      child.stdin.write(`${JSON.stringify({ call: name, ...fields })}\n`)
      const { value } = await answers.next()
      return JSON.parse(value ?? '{"error":"the caller has ended"}')
    },
    end: (signal = 'SIGKILL') => ended(child, signal),
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** The one of our own: the handshake line, then the same calls. */
async function ownCaller(t: Test, folder: string): Promise<Caller> {
  const child = spawn(join(folder, 'plugin'), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const lines = new Lines()
  const said = new Lines()
  said.follow(createInterface({ input: child.stdout }))
  lines.follow(createInterface({ input: child.stderr }))
  const [, , network, path] = (await said.with('|grpc')).split('|')
  t.same([said.all.length, network], [1, 'unix'], 'the handshake is the one line on standard output')
  const client = new PluginClient(`unix:${path}`, ChannelCredentials.createInsecure())
  t.teardown(() => client.close())
  return {
    lines: lines.all,
    line: (text) => lines.with(text),
    call: (name, fields = {}) => unary(client, name, fields),
    end: () => ended(child, 'SIGKILL'),
  }
}

function unary(client: Client, name: string, fields: Record<string, unknown>): Promise<Answer> {
  const method: unknown = Reflect.get(client, name[0]?.toLowerCase() + name.slice(1))
  if (typeof method !== 'function') return Promise.resolve({})
  return new Promise((resolve) =>
    method.call(client, fields, (error: Error | null, answer: Answer) =>
      resolve(error ? { error: error.message } : answer),
    ),
  )
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

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What `Initialize` carries, in the form of two generations; pkg/plugin/v2/config.go @ v0.19.10 and @ v0.36.1. */
const payloads = {
  '0.19': (file: string, kubeconfig: string, workingDir: string) => ({
    pro: {},
    physicalClusterConfig: base64(kubeconfig),
    syncerConfig: base64('none yet'),
    currentNamespace: 'vcluster-vc',
    options: base64(
      JSON.stringify({
        controllers: ['-configmaps'],
        kubeConfig: file,
        name: 'vc',
        targetNamespace: 'vcluster-vc',
      }),
    ),
    workingDir,
  }),
  '0.36': (file: string, kubeconfig: string, workingDir: string) => ({
    pro: {},
    syncerConfig: base64('none yet'),
    workloadConfig: base64(kubeconfig),
    controlPlaneConfig: base64(kubeconfig),
    physicalClusterConfig: base64(kubeconfig),
    config: base64(
      JSON.stringify({
        name: 'vc',
        hostNamespace: 'vcluster-vc',
        experimental: { virtualClusterKubeConfig: { kubeConfig: file } },
      }),
    ),
    currentNamespace: 'vcluster-vc',
    options: base64(JSON.stringify({ name: 'vc', serviceName: 'vc' })),
    workingDir,
    port: 13370,
  }),
}

const hookProgram = `import { ClientHook, configMaps, plugin } from 'vcluster-plugin-sdk'

class Keep extends ClientHook {
  mutateCreatePhysical(_, object) {
    return { ...object, metadata: { ...object.metadata, labels: { hooked: 'yes' } } }
  }

  mutateDeletePhysical() {
    throw new Error('keep it: not this one')
  }
}

await plugin.init()
plugin.register(new Keep('keep', configMaps))
await plugin.start()
`

const callers: Record<string, (t: Test, folder: string) => Promise<Caller>> = {
  ours: ownCaller,
  'go-plugin': goCaller,
}
const hasGo = (() => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    // Then there is none.
    return false
  }
})()

for (const [who, start] of Object.entries(callers)) {
  const skip = who === 'go-plugin' && !hasGo && 'needs Go on the PATH'
  for (const [version, payload] of Object.entries(payloads)) {
    void t.test(
      `called by ${who} as ${version} does, the example mirrors once it leads`,
      { skip },
      async (t) => {
        const { virtual, host, virtualKubeconfig, hostKubeconfig } = await clusters(t)
        const folder = pluginFolder(t, 'examples/sync-all-configmaps/main.ts')
        const file = join(folder, 'kubeconfig')
        writeFileSync(file, virtualKubeconfig)
        const caller = await start(t, folder)
        const config = JSON.stringify(payload(file, hostKubeconfig, folder))
        t.notOk((await caller.call('Initialize', { config })).error)
        t.equal((await caller.call('GetPluginConfig')).config, '{}')
        const object = '{"metadata":{"name":"a"}}'
        t.notOk(
          (
            await caller.call('Mutate', {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              object,
              type: 'CreatePhysical',
            })
          ).mutated,
        )
        await virtual.create(configMaps, {
          metadata: { namespace: 'default', name: 'greeting' },
          data: { a: 'b' },
        })
        t.notOk((await caller.call('SetLeader')).error)
        await caller.line('the plugin is running')
        const at = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
        for (;;) {
          // The embedded server answers without a turn of the event loop, which its sockets need.
          await new Promise((resolve) => setImmediate(resolve))
          const { items } = await host.list(configMaps, { namespace: 'vcluster-vc' })
          if (items.some(({ metadata }) => metadata.name === at.name)) break
        }
        t.same((await host.get(configMaps, at)).data, { a: 'b' })
        t.notOk(
          caller.lines.some((line) => line.includes('0001-01-01')),
          'every line has its time',
        )
      },
    )
  }

  void t.test(`called by ${who}, a hook changes an object, and its denial is told`, { skip }, async (t) => {
    const { virtualKubeconfig, hostKubeconfig } = await clusters(t)
    const folder = pluginFolder(t, join(t.testdirName, 'plugins/example/main.ts'))
    writeFileSync(join(folder, 'main.ts'), hookProgram)
    const file = join(folder, 'kubeconfig')
    writeFileSync(file, virtualKubeconfig)
    const caller = await start(t, folder)
    const initialization = payloads['0.36'](file, hostKubeconfig, folder)
    t.notOk((await caller.call('Initialize', { config: JSON.stringify(initialization) })).error)
    t.same(JSON.parse((await caller.call('GetPluginConfig')).config ?? ''), {
      clientHooks: [{ apiVersion: 'v1', kind: 'ConfigMap', types: ['CreatePhysical', 'DeletePhysical'] }],
    })
    const asked = { apiVersion: 'v1', kind: 'ConfigMap', object: '{"metadata":{"name":"a"}}' }
    t.match(await caller.call('Mutate', { ...asked, type: 'CreatePhysical' }), {
      mutated: true,
      object: '{"metadata":{"name":"a","labels":{"hooked":"yes"}}}',
    })
    t.match(
      (await caller.call('Mutate', { ...asked, type: 'DeletePhysical' })).error,
      /keep it: not this one/,
    )
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
