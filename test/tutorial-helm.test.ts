// Performs docs/tutorial-helm.md: creates its project, writes its files, and runs its commands, also on a real API
// server with the real helm. `docker` and `npm` are left out.
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { createClient } from '../sdk/engine/client/create-client.js'
import { customResourceDefinitions, deployments } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { serveDefinitions } from '../testing/operator/serve-definitions.js'
import { root } from './dev-run.js'
import { missingPrograms, programs } from './helm/charts.js'
import { loadTypeScript, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { run } from './run-program.js'
import { Tutorial } from './tutorial.js'
import { until } from './until.js'

// It starts a dozen programs one after another. The comment is the limit that the runner reads.
t.setTimeout(600_000)
t.comment('timeout=600000')
const tutorial = await Tutorial.read('tutorial-helm', 'memcached-operator')
t.teardown(() => rm(tutorial.parent, { recursive: true, force: true }))
const { folder, files } = tutorial

const hasEngine =
  existsSync(join(root, 'sdk/helm/render/engine/helm.wasm.br')) || Boolean(process.env.HELM_ENGINE)
const noEngine = !hasEngine && "there is no template engine: run 'npm run helm-engine'"

await t.test('it creates a project, whose files it names', async (t) => {
  await tutorial.create('../memcached-operator ')
  for (const name of ['watches.yaml', 'samples.yaml', 'src/register.ts', 'src/memcached.test.ts'])
    t.ok(existsSync(join(folder, name)), name)
  t.strictSame(await readdir(join(folder, 'crds')), ['memcacheds.cache.my.domain.yaml'])
})

await t.test('the project as it is created runs', { skip: noEngine }, async (t) => {
  t.match(await tutorial.perform('npx vcluster-plugin dev . --once'), /^1 of 1 samples handled$/m)
})

await t.test('create adds the second kind, with the files that it names', async (t) => {
  const [, , line = ''] = tutorial.commandsOf('npx ')
  t.match(line, 'npx vcluster-plugin create . --kind operator --api')
  const told = await tutorial.plugin(...line.split(' ').slice(2), '--sdk', `file:${root}`)
  t.match(told, 'The program has a controller for each MemcachedBackup')
  const written = ['src/kinds.ts', 'src/memcached-backup-controller.ts']
  for (const name of written) t.equal(await readFile(join(folder, name), 'utf8'), files.get(name), name)
  t.match(
    await readFile(join(folder, 'src/register.ts'), 'utf8'),
    'operator.register(memcachedBackupController)',
  )
})

await t.test('its files are those of a project, and their types are correct', async (t) => {
  await tutorial.writeFiles()
  t.strictSame([...files.keys()].sort(), [
    'crds/memcacheds.cache.my.domain.yaml',
    'samples.yaml',
    'src/kinds.ts',
    'src/memcached-backup-controller.ts',
    'src/memcached-values.ts',
    'src/memcached.test.ts',
    'src/register.ts',
    'watches.yaml',
  ])
  t.strictSame(await tutorial.typesOf('src', ['main.ts', 'memcached.test.ts']), { checked: 6, problems: [] })
})

await t.test('its tests pass, and dev handles both samples', { skip: noEngine }, async (t) => {
  const [line = ''] = tutorial.commandsOf('node --import=tsx --test')
  const [tsx = '', ...args] = line.split(' ').slice(1)
  const flags = ['--conditions=vcluster-plugin-sdk:source', tsx, loadTypeScript]
  t.match(await run(folder, [process.execPath, ...flags, ...args]), /pass 2$/m)
  t.match(await tutorial.perform('npx vcluster-plugin dev . --once'), /^2 of 2 samples handled$/m)
})

await t.test('its commands print what it says', { skip: noEngine }, async (t) => {
  const [dev, , once, rbac, crd, manifest, uninstall, ...more] = tutorial.commandsOf('npx vcluster-plugin')
  t.strictSame([dev, once, ...more], ['npx vcluster-plugin dev .', 'npx vcluster-plugin dev . --once'])
  const table = await tutorial.perform(rbac)
  for (const kind of ['statefulsets.apps', 'poddisruptionbudgets.policy', 'services', 'secrets'])
    t.match(table, new RegExp(`^\\S+ +${kind} .*memcacheds`, 'm'))
  await tutorial.perform(crd)
  await tutorial.perform(manifest)
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
  t.match(await tutorial.perform(uninstall), 'kubectl delete memcacheds.cache.my.domain --all')
})

type Release = KubeObject & { status?: { deployedRelease?: { revision: number } } }
const memcacheds: Resource<Release> = {
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Memcached',
  plural: 'memcacheds',
  namespaced: true,
}
const statefulSets: Resource<KubeObject & { spec: { replicas: number } }> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
}
const key = { namespace: 'default', name: 'sessions' }

const skip = missingAssets() || missingPrograms || noEngine
await t.test('the operator works on a real API server with the real helm', { skip }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  t.strictSame(tutorial.commandsOf('kubectl apply -f'), [
    'kubectl apply -f crds',
    'kubectl apply -f samples.yaml',
  ])
  for (const file of await readdir(join(folder, 'crds')))
    await serveDefinitions(admin, (await objectsIn(join('crds', file))) as never[])
  const program = startPlugin(join(folder, 'src/main.ts'), {
    KUBECONFIG: cluster.kubeconfigFile,
    METRICS_ADDRESS: '0',
    ...(process.env.HELM_ENGINE && { HELM_ENGINE: process.env.HELM_ENGINE }),
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
  const [list, history, values, upgrade, again, ...more] = tutorial.commandsOf('helm ')
  t.strictSame([again, ...more], [history])
  const env = { KUBECONFIG: cluster.kubeconfigFile, HELM_NAMESPACE: 'default', HOME: tutorial.parent }
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
  const size = (to: number) => ({ type: 'merge', body: { spec: { size: to } } }) as const
  await admin.patch(memcacheds, key, size(2))
  await until(async () => (await admin.get(statefulSets, key)).spec.replicas === 2)
  const backups = { ...memcacheds, kind: 'MemcachedBackup', plural: 'memcachedbackups' }
  await admin.patch(backups, daily, { type: 'merge', body: { spec: { replicas: 4 } } })
  await until(async () => (await admin.get(deployments, daily)).spec?.replicas === 4)
  t.equal(await program.end('SIGINT'), 0)
})

async function objectsIn(file: string): Promise<KubeObject[]> {
  return parseAllDocuments(await readFile(join(folder, file), 'utf8')).map((one): KubeObject => one.toJS())
}

function ifMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}
