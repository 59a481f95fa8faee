// Tests the WAL hooks of a plugin as instances ask them, over its socket, and its end while a hook runs.

import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { HookError } from '../sdk/cnpg/calls/hook-error.js'
import { walMethods } from '../sdk/cnpg/calls/methods.js'
import type { CnpgCluster } from '../sdk/cnpg/cluster/cluster.js'
import type { CnpgPlugin } from '../sdk/cnpg/cnpg-plugin.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import { WALRestoreRequest_Mode as Mode } from '../sdk/cnpg/proto/gen/wal.js'
import { RemoteCaller } from '../testing/cnpg/remote-caller.js'
import { warningLogger } from '../testing/plugin/warning-logger.js'
import { startPlugin } from './plugin-process.js'
import { until } from './until.js'

const name = 'archive.example.org'
const file = '/var/lib/postgresql/data/pgdata/pg_wal/000000010000000000000001'
const container = { name: 'archive', image: 'example.org/archive:1' }

/** The definition of a Cluster with these plugins. */
function definition(plugins: NonNullable<CnpgCluster['spec']['plugins']>): Buffer {
  const cluster: CnpgCluster = { metadata: { namespace: 'default', name: 'db' }, spec: { plugins } }
  return Buffer.from(JSON.stringify(cluster))
}

const toArchive = (clusterDefinition: Buffer) => ({
  clusterDefinition,
  sourceFileName: file,
  parameters: {},
  checkEmptyWalArchive: undefined,
})

async function served(t: Test, register: (plugin: CnpgPlugin) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'cnpg-'))
  const lines: string[] = []
  const logger = warningLogger((line) => void lines.push(line))
  const plugin = new PluginRuntime({ name, version: '1', logger, env: {}, args: ['--plugin-path', folder] })
  register(plugin)
  const ended = plugin.start()
  await until(() => plugin.address !== undefined)
  const caller = new RemoteCaller({ socket: join(folder, name) })
  t.teardown(async () => {
    caller.close()
    await plugin.stop()
    await ended
    await rm(folder, { recursive: true })
  })
  return { caller, lines }
}

void t.test('a plugin archives only if it is the archiver of the Cluster', async (t) => {
  const archived: string[] = []
  const { caller, lines } = await served(t, (plugin) => {
    plugin.sidecar(container)
    plugin.wal({ archive: (_ctx, wal) => void archived.push(wal.file) })
  })
  const other = { name: 'other.example.org', isWALArchiver: true }
  const archive = (plugins: Parameters<typeof definition>[0]) =>
    caller.call(walMethods.archive, toArchive(definition(plugins)))
  t.strictSame(await archive([{ name, isWALArchiver: false }, other]), {})
  t.strictSame([archived, lines], [[], []], 'the other plugin archives')
  t.strictSame(await archive([{ name, isWALArchiver: false }]), {})
  t.strictSame(archived, [])
  t.match(lines, [/isWALArchiver: false for this plugin and for no other: no file is archived/])
  await archive([{ name, isWALArchiver: true }, { name: other.name }])
  t.strictSame(archived, [file])
})

void t.test('the error of a missing file has the code NOT_FOUND', async (t) => {
  const { caller } = await served(t, (plugin) => {
    plugin.sidecar(container)
    plugin.wal({
      restore(_ctx, { name }) {
        throw new HookError(`there is no ${name}`, { code: 'NOT_FOUND' })
      },
    })
  })
  const request = { parameters: {}, sourceWalName: '00000002.history', destinationFileName: '/tmp/x' }
  const clusterDefinition = definition([{ name }])
  await t.rejects(
    caller.call(walMethods.restore, { ...request, clusterDefinition, mode: Mode.MODE_RECOVERY }),
    {
      code: 5,
      message: /there is no 00000002\.history/,
    },
  )
})

void t.test('hooks that nothing can ask, because there is no sidecar, are warned of', async (t) => {
  const warned = async (register: (plugin: CnpgPlugin) => void) =>
    (await served(t, register)).lines.join('\n')
  const metrics = { metrics: [], collect: () => [] }
  const postgres = { configuration() {} }
  const restore = { restore: () => ({ config: '' }) }
  t.match(
    await warned((plugin) => plugin.wal({ archive() {} }).metrics(metrics)),
    /the hooks of wal, metrics are never called, because the plugin has no sidecar in Pods of instances: call plugin\.sidecar/,
  )
  t.match(
    await warned((plugin) => plugin.sidecar(container).restoreJob(restore)),
    /the hooks of restoreJob are never called.*Pods of Jobs/,
  )
  t.match(await warned((plugin) => plugin.postgres(postgres)), /the hooks of postgres are never called/)
  const complete = (plugin: CnpgPlugin) =>
    plugin
      .sidecar(container, { jobs: true })
      .wal({ archive() {} })
      .metrics(metrics)
      .postgres(postgres)
      .restoreJob(restore)
  t.equal(await warned(complete), '')
})

/** A hook that ignores its signal, and whose timer would keep the process alive. */
const blocking = `import { createCnpgPlugin } from 'vcluster-plugin-sdk/cnpg'

const plugin = createCnpgPlugin({ name: '${name}', version: '0.1.0', stopDeadlineMs: 500 })
plugin.sidecar({ name: 'archive', image: 'example.org/archive:1' })
plugin.wal({
  async archive() {
    console.log('archives without end')
    await new Promise((resolve) => setTimeout(resolve, 3_600_000))
  },
})
await plugin.start()
`

void t.test('a plugin at a socket ends after SIGTERM, also while a hook does not return', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cnpg-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const main = join(t.testdir(), 'main.ts')
  await writeFile(main, blocking)
  const plugin = startPlugin(main, { PLUGIN_PATH: folder })
  await plugin.line('serves the operator')
  const caller = new RemoteCaller({ socket: join(folder, name) })
  t.teardown(() => caller.close())
  const call = caller.call(walMethods.archive, toArchive(definition([{ name, isWALArchiver: true }])))
  const failed = t.rejects(call, { code: 14, message: /has stopped/ })
  await plugin.line('archives without end')
  t.equal(await plugin.end('SIGTERM'), 0, 'and does not wait for the hook')
  await failed
  t.match(plugin.lines.at(-1), /WAL\/Archive.*hooks did not return/)
  t.notOk(existsSync(join(folder, name)), 'the socket is removed')
})
