// Tests the program of examples/modules as a file that an operator loads, from a ConfigMap and from a server, and `dev`
// with the samples.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { register } from '../examples/modules/register.js'
import type { Client } from '../sdk/engine/client/client.js'
import { configMaps, deployments, services } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { type Module, modules, workspaces } from '../sdk/modules/index.js'
import { definitions } from '../sdk/modules/module/modules.fixture.js'
import { testOperator } from '../testing/operator/test-operator.js'
import { DevRun, root } from './dev-run.js'
import { run } from './run-program.js'
import { until } from './until.js'

t.setTimeout(600_000)
const folder = t.testdir({ cache: {} })
const out = join(folder, 'out')
const command = [process.execPath, join(root, 'bin/vcluster-plugin.js')]
const built = await run(root, [
  ...command,
  'module',
  'build',
  'examples/modules/web-program.ts',
  '--out',
  out,
])
const program = await readFile(join(out, 'program.mjs'))
const [, digest = ''] = /^digest +(\S+)$/m.exec(built) ?? []

/** The files of the server; without one of its own a path has the program. */
const served: Record<string, string> = { '/page.yaml': '<html></html>' }
const server = createServer(({ url: path = '' }, response) => {
  if (path.endsWith('page.yaml')) response.setHeader('content-type', 'text/html')
  response.end(served[path] ?? program)
}).listen(0, '127.0.0.1')
t.teardown(() => server.close())
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/web-1.0.0.mjs`

const dev = { namespace: 'default', name: 'dev' }
const moduleNamed = (name: string, spec: Partial<Module['spec']>): Module => ({
  metadata: { namespace: 'default', name },
  spec: { workspace: dev, hibernated: false, config: { appName: name, replicas: 2 }, ...spec },
})
const repo = { configMap: { name: 'web-1-0-0', namespace: 'default', key: 'plugin' } }

void t.test('the program runs from a ConfigMap and from a server, in both shapes of a Module', async (t) => {
  t.match(built, /^may +get, create, patch, delete deployments\.apps/m)
  const { client, stop } = await testOperator(
    (operator) => register(operator, { allow: [url], cacheFolder: join(folder, 'cache') }),
    { definitions, logger: silentLogger },
  )
  t.teardown(stop)
  await client.create(configMaps, parse(await readFile(join(out, 'configmap.yaml'), 'utf8')))
  await client.create(workspaces, { metadata: { ...dev }, spec: {} } as never)
  const written: Module = parse(await readFile(join(out, 'module.yaml'), 'utf8'))
  const given = [
    moduleNamed('by-config-map', { custom: written.spec.custom ?? {} }),
    moduleNamed('by-url', { custom: { program: { url, digest } } }),
    moduleNamed('by-definition', { source: { raw: { kind: 'Custom', spec: { repo, digest } } } }),
  ]
  for (const module of given) await client.create(modules, module)
  for (const { metadata } of given) {
    const key = { namespace: 'default', name: metadata.name ?? '' }
    await inPhase(client, key, 'ready')
    t.match(
      (await client.get(modules, key)).status,
      { program: { name: 'web', version: '1.0.0', digest } },
      key.name,
    )
    t.equal((await client.get(deployments, key)).spec?.replicas, 2)
  }
  await client.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated: true } } })
  for (const { metadata } of given) {
    const key = { namespace: 'default', name: metadata.name ?? '' }
    await inPhase(client, key, 'sleeped')
    t.equal((await client.get(deployments, key)).spec?.replicas, 0)
    await client.delete(modules, key)
    await until(() => client.get(deployments, key).then(() => false, isNotFound))
  }
})

void t.test('the samples by a URL and by a ConfigMap are installed, sleep and are uninstalled', async (t) => {
  const folderOf = (name: string) => readFile(join(root, 'examples/modules', name), 'utf8')
  const origin = `http://127.0.0.1:${port}`
  const here = (text: string) => text.replaceAll('http://127.0.0.1:8080', origin).replace('DIGEST', digest)
  served['/definition.yaml'] = here(await folderOf('by-url/definition.yaml'))
  const { client, stop } = await testOperator(
    (operator) => register(operator, { allow: [`${origin}/`], cacheFolder: join(folder, 'samples-cache') }),
    { definitions, logger: silentLogger },
  )
  t.teardown(stop)
  await client.create(configMaps, parse(await readFile(join(out, 'configmap.yaml'), 'utf8')))
  await client.create(workspaces, { metadata: { ...dev }, spec: {} } as never)
  for (const sample of ['by-url', 'by-config-map']) {
    const module: Module = parse(here(await folderOf(`${sample}/module.yaml`)))
    const key = { namespace: 'default', name: module.metadata.name ?? '' }
    t.equal(key.name, `shop-${sample}`)
    await client.create(modules, module)
    await inPhase(client, key, 'ready')
    const { metadata, status } = await client.get(modules, key)
    t.match(status, { source: 'Custom', program: { name: 'web', version: '1.0.0', digest } })
    t.strictSame(JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
      installed: { deployment: key.name, service: key.name },
    })
    t.equal((await client.get(deployments, key)).spec?.replicas, 2)
    t.strictSame((await client.get(services, key)).spec?.selector, { app: key.name })
    for (const [hibernated, phase, replicas] of [
      [true, 'sleeped', 0],
      [false, 'ready', 2],
    ] as const) {
      await client.patch(modules, key, { type: 'merge', body: { spec: { hibernated } } })
      await inPhase(client, key, phase)
      t.equal((await client.get(deployments, key)).spec?.replicas, replicas)
    }
    // Neither the server nor the ConfigMap is needed for the end.
    served['/definition.yaml'] = ''
    await client.delete(configMaps, repo.configMap).catch(() => {})
    await client.delete(modules, key)
    for (const kind of [deployments, services])
      await until(() => client.get(kind as typeof services, key).then(() => false, isNotFound))
    served['/definition.yaml'] = here(await folderOf('by-url/definition.yaml'))
    await client.create(configMaps, parse(await readFile(join(out, 'configmap.yaml'), 'utf8')))
  }
  const page = moduleNamed('page', { source: { httpURL: `${origin}/page.yaml` } })
  await client.create(modules, page)
  const key = { namespace: 'default', name: 'page' }
  await until(async () => (await client.get(modules, key)).status?.message !== undefined)
  t.match((await client.get(modules, key)).status?.message, /a web page \(text\/html\), not a definition/)
})

async function inPhase(
  client: Client,
  key: { namespace: string; name: string },
  phase: string,
): Promise<void> {
  await until(async () => (await client.get(modules, key)).status?.phase === phase)
}

void t.test('dev handles the samples', async (t) => {
  const run = new DevRun(['dev', 'examples/modules', '--dir', t.testdir(), '--once'])
  t.strictSame(await run.ended, { code: 0, signal: null })
  t.match(run.lines.join('\n'), /Deployment default\/shop {2}created/)
  t.equal(run.lines.at(-1), '2 of 2 samples handled')
})
