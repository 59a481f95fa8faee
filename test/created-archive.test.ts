// Performs the section "Archive WAL" of the README that `create --kind cnpg` writes, and archives by the result.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { claimParameter } from '../cli/create/templates/cnpg/archive.js'
import { walMethods } from '../sdk/cnpg/calls/methods.js'
import type { CnpgCluster } from '../sdk/cnpg/cluster/cluster.js'
import type { CnpgPlugin } from '../sdk/cnpg/cnpg-plugin.js'
import { PluginRuntime } from '../sdk/cnpg/plugin.js'
import type { CnpgPluginOptions } from '../sdk/cnpg/plugin-options.js'
import { WALRestoreRequest_Mode as Mode } from '../sdk/cnpg/proto/gen/wal.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { RemoteCaller } from '../testing/cnpg/remote-caller.js'
import { testCnpgOperator } from '../testing/cnpg/test-operator.js'
import { testCnpgPlugin } from '../testing/cnpg/test-plugin.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'
import { Tutorial } from './tutorial.js'
import { until } from './until.js'

t.setTimeout(600_000)
const wal = '000000010000000000000001'
const project = await Tutorial.create('archived-databases', '--kind', 'cnpg')
t.teardown(() => rm(project.parent, { recursive: true, force: true }))
const source = (name: string) => join(project.folder, 'src', name)

await t.test('its lines fit into the project, whose tests still pass', async (t) => {
  t.strictSame([...project.files.keys()], ['src/archive.ts'])
  await project.writeFiles()
  const blocks = [...project.page.matchAll(/^```ts\n(.*)\n```$/gm)].map(([, line = '']) => line)
  t.strictSame(blocks, [
    claimParameter,
    "import { registerArchive } from './archive.js'",
    'registerArchive(plugin)',
  ])
  const [parameter = '', imported = '', called = ''] = blocks
  await change('plugin.ts', /^(\}\)\n)/m, `  ${parameter}\n$1`)
  await change('hooks.ts', /^(import type)/m, `${imported}\n$1`)
  await change('hooks.ts', /^\}\n$/m, `  ${called}\n}\n`)
  t.strictSame(await project.typesOf('src', ['main.ts', 'hooks.test.ts']), { checked: 5, problems: [] })
  const flags = ['--conditions=vcluster-plugin-sdk:source', '--import=tsx', loadTypeScript]
  t.match(await run(project.folder, [process.execPath, ...flags, '--test', 'src/hooks.test.ts']), /pass 4$/m)
})

async function change(file: string, place: RegExp, text: string): Promise<void> {
  const before = await readFile(source(file), 'utf8')
  await writeFile(source(file), before.replace(place, text))
}

interface Project {
  readonly options: CnpgPluginOptions<unknown>
  readonly register: (plugin: CnpgPlugin<unknown>) => void
  readonly registerArchive: (plugin: CnpgPlugin<unknown>, mountPath?: string) => void
}

/** The modules of the project, as JavaScript. */
async function load(): Promise<Project> {
  const modules: object[] = []
  for (const name of ['plugin', 'archive', 'hooks']) {
    const { outputText } = ts.transpileModule(await readFile(source(`${name}.ts`), 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    })
    await writeFile(source(`${name}.js`), outputText)
    modules.push(await import(pathToFileURL(source(`${name}.js`)).href))
  }
  return Object.assign({}, ...modules)
}

const clusterOf = (name: string): CnpgCluster => ({
  metadata: { namespace: 'default', name: 'db' },
  spec: { plugins: [{ name, isWALArchiver: true, parameters: { team: 'shop' } }] },
})

await t.test('its sidecar has the files of Postgres, in each Pod the same', async (t) => {
  const { options, register } = await load()
  const plugin = testCnpgPlugin(options)
  register(plugin)
  const operator = await testCnpgOperator(plugin)
  await operator.create(clusterOf(plugin.name))
  await operator.reconcile()
  t.strictSame(operator.rollouts, [])
  const { initContainers, volumes } = operator.pods[0]?.spec ?? {}
  const mounts = initContainers?.find(({ name }) => name === 'wal-archive')?.volumeMounts
  const paths = mounts?.map(({ mountPath }) => mountPath)
  t.strictSame(paths, ['/archive', '/var/lib/postgresql/data', '/plugins'])
  t.match(
    volumes?.find(({ name }) => name === 'archive'),
    { persistentVolumeClaim: { claimName: 'wal-archive' } },
  )
})

await t.test('an instance archives and restores by it over its socket', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cnpg-'))
  const { options, registerArchive } = await load()
  const served = { ...options, logger: silentLogger, env: {}, args: ['--plugin-path', folder] }
  const plugin = new PluginRuntime(served)
  registerArchive(plugin, join(folder, 'archive'))
  const ended = plugin.start()
  await until(() => plugin.address !== undefined)
  const caller = new RemoteCaller({ socket: join(folder, options.name) })
  t.teardown(async () => {
    caller.close()
    await plugin.stop()
    await ended
    await rm(folder, { recursive: true })
  })
  const data = join(folder, 'pgdata/pg_wal')
  await mkdir(data, { recursive: true })
  await writeFile(join(data, wal), 'one')
  const call = { clusterDefinition: Buffer.from(JSON.stringify(clusterOf(options.name))), parameters: {} }
  const sourceFileName = join(data, wal)
  const archive = () =>
    caller.call(walMethods.archive, { ...call, sourceFileName, checkEmptyWalArchive: undefined })
  await archive()
  await archive()
  t.strictSame(await readdir(join(folder, 'archive/db')), [wal], 'nothing else is left')
  await writeFile(sourceFileName, 'two')
  await t.rejects(
    archive(),
    /archive\/db\/000000010000000000000001 has another content: does another Cluster/,
  )
  const restore = (sourceWalName: string) => {
    const destinationFileName = join(folder, 'restored')
    const mode = Mode.MODE_RECOVERY
    return caller.call(walMethods.restore, { ...call, sourceWalName, destinationFileName, mode })
  }
  await restore(wal)
  t.equal(await readFile(join(folder, 'restored'), 'utf8'), 'one')
  await t.rejects(restore('00000002.history'), /the archive has no file 00000002\.history/)
})
