// Tests the bundle of every example as an image runs it: in a folder outside of this repository, without its packages.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import { writeKubeconfigs } from '../cli/clusters/kubeconfigs.js'
import { startOperatorClusters } from '../cli/clusters/operator-clusters.js'
import type { Description } from '../cli/program/describe-program.js'
import { readPluginLine } from '../cli/program/plugin-log.js'
import type { CnpgPluginDescription } from '../sdk/cnpg/description.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import type { OperatorDescription } from '../sdk/operator/describe/operator-description.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { startPluginProgram } from '../simulator/in-syncer/plugin-program.js'
import { prepareHost } from '../simulator/prepare-host.js'
import { root } from './dev-run.js'
import { engine, missingEngine } from './helm/charts.js'

t.setTimeout(300_000)
t.jobs = 2

/** Files that a program reads at its start, as its Dockerfile copies them to the bundle. */
const data: Readonly<Record<string, readonly string[]>> = {
  'bootstrap-with-deployment': ['manifests.yaml'],
  'memcached-helm': ['watches.yaml', 'charts', 'crds'],
}

for (const example of await programs()) {
  const skip = example === 'memcached-helm' && missingEngine
  void t.test(`the bundle of examples/${example} starts without this repository`, { skip }, async (t) => {
    const bundle = await bundled(t, example)
    const description = await described(t, bundle)
    await started(t, bundle, description)
  })
}

void t.test('a package that a program uses late is read late, from a file among the parts', async (t) => {
  const { folder } = await bundled(t, 'modules')
  const parts = await readdir(join(folder, 'parts/main'))
  t.ok(parts.includes('package-re2js.cjs'))
  t.notOk(parts.includes('package-marcbachmann-cel-js.cjs'), 'the operator does not use it')
})

void t.test(
  'only one module of the SDK loads packages by a require that a bundler does not see',
  async (t) => {
    const found: string[] = []
    for (const folder of ['sdk', 'apiserver']) {
      const names = await readdir(join(root, folder), { recursive: true })
      for (const name of names.filter((one) => /(?<!test)\.ts$/.test(one) && !/[/\\]gen[/\\]/.test(one))) {
        const text = await readFile(join(root, folder, name), 'utf8')
        if (/\bcreateRequire\(|\brequire\(['"]/.test(text)) found.push(join(folder, name))
      }
    }
    t.strictSame(found, ['sdk/engine/kube/lazy-packages.ts'])
  },
)

/** The examples that are programs. */
async function programs(): Promise<string[]> {
  const names = await readdir(join(root, 'examples'))
  const found = await Promise.all(names.map((name) => isFile(join(root, 'examples', name, 'main.ts'))))
  return names.filter((_, at) => found[at])
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

interface Bundled {
  folder: string
  file: string
}

/** Writes the bundle of an example into an empty folder from which no package of this repository is found. */
async function bundled(t: Test, example: string): Promise<Bundled> {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'main.mjs')
  const command = [join(root, 'bin/vcluster-plugin.js'), 'bundle', join(root, 'examples', example), file]
  await promisify(execFile)(process.execPath, command)
  for (const name of data[example] ?? [])
    await cp(join(root, 'examples', example, name), join(folder, name), { recursive: true })
  return { folder, file }
}

/** Nothing of this process, so that the program finds no module by it. */
const environment = { PATH: process.env.PATH ?? '', LOG_FORMAT: 'json', HELM_ENGINE: engine }

async function described(t: Test, { folder, file }: Bundled): Promise<Description> {
  const env = { ...environment, VCLUSTER_PLUGIN_DESCRIBE: '1', VCLUSTER_PLUGIN_NAME: 'bundled' }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env })
  const line = stdout.split('\n').find((text) => text.startsWith('{"kind":'))
  t.ok(line, stdout)
  return JSON.parse(line ?? '{}')
}

function started(t: Test, bundle: Bundled, description: Description): Promise<void> {
  switch (description.kind) {
    case 'CnpgPluginDescription':
      return cnpgStarted(t, bundle, description)
    case 'OperatorDescription':
      return operatorStarted(t, bundle, description)
    case 'PluginDescription':
      return description.interceptors ? inSyncerStarted(t, bundle) : pluginStarted(t, bundle)
  }
}

const clusterOptions = { faults: {}, asAdmin: true, hostPort: 0 }

async function operatorStarted(t: Test, bundle: Bundled, description: OperatorDescription): Promise<void> {
  const dir = t.testdir()
  const clusters = await startOperatorClusters(description.clusters, { ...clusterOptions, dir })
  t.teardown(() => clusters.close())
  await clusters.prepare(description)
  await running(t, bundle, { ...(await clusters.environment(join(dir, 'own'))), POD_NAMESPACE: 'default' })
}

async function pluginStarted(t: Test, bundle: Bundled): Promise<void> {
  const [vclusterName, targetNamespace] = ['vc', 'vcluster-vc']
  const [virtual, host] = await Promise.all(['virtual', 'host'].map((name) => createApiServer({ name })))
  if (!virtual || !host) throw new Error('there are two clusters')
  for (const server of [virtual, host]) {
    await server.listen()
    t.teardown(() => server.close())
  }
  const client = createClient({ transport: inProcessTransport(host) })
  await prepareHost(client, { vclusterName, targetNamespace, hasService: true })
  const texts = { virtual: await virtual.kubeconfig(), host: await host.kubeconfig() }
  const files = await writeKubeconfigs(t.testdir(), texts)
  await running(t, bundle, {
    VIRTUAL_KUBECONFIG: files.virtual,
    HOST_KUBECONFIG: files.host,
    VCLUSTER_NAME: vclusterName,
    TARGET_NAMESPACE: targetNamespace,
  })
}

async function cnpgStarted(t: Test, bundle: Bundled, { name }: CnpgPluginDescription): Promise<void> {
  // The path of a socket has at most 107 bytes.
  const sockets = await mkdtemp(join(tmpdir(), 'cnpg-'))
  t.teardown(() => rm(sockets, { recursive: true, force: true }))
  await running(t, bundle, { PLUGIN_PATH: sockets }, async () => {
    t.strictSame(await readdir(sockets), [name])
  })
}

async function inSyncerStarted(t: Test, { file }: Bundled): Promise<void> {
  const program = await startPluginProgram({ file, env: { ...environment, METRICS_ADDRESS: '0' } })
  t.teardown(() => program.kill())
  await t.resolves(program.ping())
}

/** Starts the bundle, and stops it when it says that it is running. */
async function running(
  t: Test,
  { folder, file }: Bundled,
  env: Readonly<Record<string, string>>,
  check = async () => {},
): Promise<void> {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...environment, METRICS_ADDRESS: '127.0.0.1:0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: string[] = []
  const ended = once(child, 'close').then(([code]) => `it ended with ${code}`)
  const up = new Promise<string>((resolve) => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        if (readPluginLine(line)?.running) resolve('running')
      })
  })
  t.equal(await Promise.race([up, ended]), 'running', lines.join('\n'))
  await check()
  child.kill('SIGTERM')
  t.equal(await ended, 'it ended with 0', lines.slice(-3).join('\n'))
}
