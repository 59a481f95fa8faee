// Performs docs/tutorial-helm.md: creates its project, writes its files, and runs its commands, also on a real API server with the
// real helm. `docker` and `npm` are left out.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'
import { createClient } from '../sdk/client/create-client.js'
import { customResourceDefinitions, deployments } from '../sdk/kube/builtin.js'
import { isNotFound } from '../sdk/kube/error.js'
import type { KubeObject } from '../sdk/kube/object.js'
import type { Resource } from '../sdk/kube/resource.js'
import { createTransport } from '../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/transport/load-kubeconfig.js'
import { serveDefinitions } from '../testing/operator/test-operator.js'
import { root } from './dev-run.js'
import { missingPrograms, programs } from './helm/charts.js'
import { loadTypeScript, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { run } from './run-program.js'

t.setTimeout(240_000)
const page = await readFile(join(root, 'docs/tutorial-helm.md'), 'utf8')
const files = new Map(
  [...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
)
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)
const commandsOf = (program: string) => commands.filter((line) => line.startsWith(program))

const hasEngine =
  existsSync(join(root, 'sdk/helm/render/engine/helm.wasm.br')) || Boolean(process.env.HELM_ENGINE)
const noEngine = !hasEngine && "there is no template engine: run 'npm run helm-engine'"

// Outside this project, so that only the packages of the tutorial are found.
const parent = await mkdtemp(join(tmpdir(), 'tutorial-helm-'))
const folder = join(parent, 'memcached-operator')
t.teardown(() => rm(parent, { recursive: true, force: true }))
const command = join(root, 'bin/vcluster-plugin.js')

/** Runs a command of the tutorial in the project, and writes its output to the file that it names. */
async function perform(line = ''): Promise<string> {
  const [text = '', file] = line.split(' > ')
  const [, , ...args] = text.split(' ')
  const output = await run(folder, [process.execPath, command, ...args])
  if (file !== undefined) await writeFile(join(folder, file), output)
  return output
}

await t.test('it creates a project, whose files it names', async (t) => {
  const [line = ''] = commands.filter((one) => one.includes(' create '))
  const [, flags = ''] = line.split('../memcached-operator ')
  const args = ['create', folder, ...flags.split(' '), '--sdk', `file:${root}`]
  await run(root, [process.execPath, command, ...args])
  for (const name of ['watches.yaml', 'samples.yaml', 'src/register.ts', 'src/memcached.test.ts'])
    t.ok(existsSync(join(folder, name)), name)
  t.strictSame(await readdir(join(folder, 'crds')), ['memcacheds.cache.my.domain.yaml'])
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['zod', 'tsx', 'esbuild', '@types/node'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await symlink(root, join(folder, 'node_modules/vcluster-plugin-sdk'))
})

await t.test('the project as it is created runs', { skip: noEngine }, async (t) => {
  t.match(await perform('npx vcluster-plugin dev . --once'), /^1 of 1 samples handled$/m)
})

await t.test('its files are those of a project, and their types are correct', async (t) => {
  for (const [name, text] of files) await writeFile(join(folder, name), text)
  t.strictSame([...files.keys()].sort(), [
    'crds/memcacheds.cache.my.domain.yaml',
    'samples.yaml',
    'src/backup-controller.ts',
    'src/kinds.ts',
    'src/memcached-values.ts',
    'src/memcached.test.ts',
    'src/register.ts',
    'watches.yaml',
  ])
  const program = ts.createProgram(
    ['main.ts', 'memcached.test.ts'].map((file) => join(folder, 'src', file)),
    {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.Node16,
      customConditions: ['vcluster-plugin-sdk:source'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    },
  )
  const own = program.getSourceFiles().filter(({ fileName }) => dirname(fileName) === join(folder, 'src'))
  t.equal(own.length, 6)
  t.strictSame(
    own.flatMap((file) => program.getSemanticDiagnostics(file)).map(({ messageText }) => messageText),
    [],
  )
})

await t.test('its tests pass, and dev handles both samples', { skip: noEngine }, async (t) => {
  const [line = ''] = commandsOf('node --import=tsx --test')
  const [tsx = '', ...args] = line.split(' ').slice(1)
  const flags = ['--conditions=vcluster-plugin-sdk:source', tsx, loadTypeScript]
  t.match(await run(folder, [process.execPath, ...flags, ...args]), /pass 2$/m)
  t.match(await perform('npx vcluster-plugin dev . --once'), /^2 of 2 samples handled$/m)
})

await t.test('its commands print what it says', { skip: noEngine }, async (t) => {
  const [dev, once, rbac, crd, manifest, uninstall, ...more] = commandsOf('npx vcluster-plugin')
  t.strictSame([dev, once, ...more], ['npx vcluster-plugin dev .', 'npx vcluster-plugin dev . --once'])
  const table = await perform(rbac)
  for (const kind of ['statefulsets.apps', 'poddisruptionbudgets.policy', 'services', 'secrets'])
    t.match(table, new RegExp(`^\\S+ +${kind} .*memcacheds`, 'm'))
  await perform(crd)
  await perform(manifest)
  const text = await readFile(join(folder, 'operator.yaml'), 'utf8')
  const objects = parseAllDocuments(text).map((one): KubeObject => one.toJS())
  const definitions = objects.filter(({ kind }) => kind === customResourceDefinitions.kind)
  t.strictSame(definitions.map(({ metadata }) => metadata.name).sort(), [
    'memcachedbackups.cache.my.domain',
    'memcacheds.cache.my.domain',
  ])
  t.match(
    objects.find(({ kind }) => kind === 'Deployment'),
    { metadata: { namespace: 'memcached-operator-system' } },
  )
  t.match(await perform(uninstall), 'kubectl delete memcacheds.cache.my.domain --all')
})

type Release = KubeObject & { status?: { deployedRelease?: { revision: number } } }
const memcacheds: Resource<Release> = {
  ...{ group: 'cache.my.domain', version: 'v1', kind: 'Memcached', plural: 'memcacheds', namespaced: true },
}
const key = { namespace: 'default', name: 'sessions' }

const skip = missingAssets() || missingPrograms || noEngine
await t.test('the operator works on a real API server with the real helm', { skip }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  t.strictSame(commandsOf('kubectl apply -f'), ['kubectl apply -f crds', 'kubectl apply -f samples.yaml'])
  for (const file of await readdir(join(folder, 'crds')))
    await serveDefinitions(admin, (await objectsIn(join('crds', file))) as never[])
  const program = startPlugin(join(folder, 'src/main.ts'), {
    KUBECONFIG: cluster.kubeconfigFile,
    METRICS_ADDRESS: '0',
  })
  t.teardown(() => program.end('SIGKILL'))
  await program.line('the operator is running')
  for (const object of await objectsIn('samples.yaml'))
    await admin.create(
      { ...memcacheds, kind: object.kind ?? '', plural: `${object.kind?.toLowerCase()}s` },
      object,
    )
  const revision = async () => (await admin.get(memcacheds, key)).status?.deployedRelease?.revision
  await until(async () => (await revision()) === 1)
  const daily = { ...key, name: 'daily' }
  await until(async () => (await admin.get(deployments, daily).catch(ifMissing))?.spec?.replicas === 2)
  const [list, history, values, upgrade, again, ...more] = commandsOf('helm ')
  t.strictSame([again, ...more], [history])
  const env = { KUBECONFIG: cluster.kubeconfigFile, HELM_NAMESPACE: 'default', HOME: parent }
  const helm = (line = '') =>
    run(folder, [
      ...['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      ...[programs.at(-1) ?? '', ...line.split(' ').slice(1)],
    ])
  t.match(await helm(list), /^sessions.*deployed.*memcached-1\.0\.0/m)
  t.match(await helm(values), 'replicas: 3')
  await helm(upgrade)
  await until(async () => (await revision()) === 3)
  t.match(await helm(history), /^3.*deployed/m)
  t.match(await helm(values), 'replicas: 3')
  t.equal(await program.end('SIGINT'), 0)
})

async function objectsIn(file: string): Promise<KubeObject[]> {
  return parseAllDocuments(await readFile(join(folder, file), 'utf8')).map((one): KubeObject => one.toJS())
}

function ifMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
}
