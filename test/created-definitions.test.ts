// Creates plugins for definitions of other projects. Those in test/definitions are our own, with the same
// features. The projects' own definitions are tested if REAL_DEFINITIONS names a folder with them: export
// REAL_DEFINITIONS=$(test/definitions/fetch)
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { findKindDesign } from '../cli/create/kind/find-kind-design.js'
import type { PluginDesign } from '../cli/create/kind/plugin-design.js'
import { sampleProblems } from '../cli/create/kind/sample-problems.js'
import { pluginFiles } from '../cli/create/templates/plugin-files.js'
import { parseRelease } from '../cli/helm/vcluster-release.js'
import { root } from './dev-run.js'
import { loadTypeScript } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { run } from './run-program.js'

// These tests start programs, which takes longer on busy machines. The runner reads the comment and extends
// its own time limit for the file.
t.setTimeout(600_000)
t.comment('timeout=600000')

const own = join(root, 'test/definitions')
const real = process.env.REAL_DEFINITIONS
const filesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file))

const folder = await mkdtemp(join(tmpdir(), 'created-definitions-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
await link('tsx', join(root, 'node_modules/tsx'))
await link('vcluster-plugin-sdk', root)

/** The SDK's sources replace its package. */
const withSources = ['env', 'NODE_OPTIONS=--conditions=vcluster-plugin-sdk:source']

async function link(name: string, target: string): Promise<void> {
  const path = join(folder, 'node_modules', name)
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

async function designOf(file: string, direction: PluginDesign['direction']): Promise<PluginDesign> {
  const kind = await findKindDesign(file)
  return { name: basename(file, '.yaml'), kind, direction, vcluster: parseRelease('0.36'), packages: {} }
}

async function written(into: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(into, path)), { recursive: true })
    await writeFile(join(into, path), text)
  }
}

/** Plugins for a set of definitions, each in its own folder. */
async function plugins(set: string, files: readonly string[], direction: PluginDesign['direction']) {
  const designs = await Promise.all(files.map((file) => designOf(file, direction)))
  for (const design of designs) await written(join(folder, set, design.name), pluginFiles(design))
  return designs
}

/** Combines all plugins into one plugin and one test file, so that programs start once. */
async function together(set: string, designs: readonly PluginDesign[]): Promise<string> {
  const names = designs.map(({ name }) => name)
  const joined = async (file: string) => {
    const texts = names.map((name) => readFile(join(folder, set, name, file), 'utf8'))
    return (await Promise.all(texts)).join('---\n')
  }
  const registers = names.map(
    (name, at) => `import { register as register${at} } from '../../${name}/src/register.js'`,
  )
  const calls = names.map((_, at) => `register${at}(plugin, ctx)`)
  const init = [
    "import { plugin } from 'vcluster-plugin-sdk'",
    "const ctx = await plugin.init({ name: 'all' })",
  ]
  const tests = designs.map(
    ({ name, kind }) => `import '../../${name}/src/${kind.names.file}-syncer.test.js'`,
  )
  const into = join(folder, set, 'all')
  await written(into, {
    'package.json': JSON.stringify({
      name: 'all',
      type: 'module',
      'vcluster-plugin': { main: 'src/main.ts' },
    }),
    'src/main.ts': [...registers, ...init, ...calls, 'await plugin.start()'].join('\n'),
    'src/all.test.ts': tests.join('\n'),
    'samples.yaml': await joined('samples.yaml'),
    'host-samples.yaml': await joined('host-samples.yaml'),
  })
  return into
}

const passed = (count: number) => new RegExp(`^# pass ${count}$`, 'm')

async function runTests(all: string, ...flags: readonly string[]): Promise<string> {
  const node = [process.execPath, '--import=tsx', loadTypeScript, '--test', '--test-reporter=tap', ...flags]
  return run(folder, [...withSources, ...node, join(all, 'src/all.test.ts')])
}

async function mirrorsOnce(t: Test, all: string, count: number): Promise<void> {
  const command = [process.execPath, join(root, 'bin/vcluster-plugin.js'), 'dev', all, '--once']
  t.match(await run(folder, [...withSources, ...command]), new RegExp(`^${count} of ${count} samples`, 'm'))
}

const ownDesigns = await plugins('own', filesIn(own), 'down')
const ownPlugins = await together('own', ownDesigns)

void t.test('a definition with rules, required fields and references gets a valid sample', async (t) => {
  for (const { kind, direction, name } of ownDesigns) {
    t.same(await sampleProblems({ kind, direction }), [], name)
    t.ok(kind.change, `${name} has a change`)
  }
})

void t.test('a kind with built-in rules for its references gets no others', async (t) => {
  const file = join(own, 'http-route.yaml')
  const text = await readFile(file, 'utf8')
  const known = join(t.testdir(), 'http-route.yaml')
  await writeFile(known, text.replaceAll('routes.k8s.io', 'gateway.networking.k8s.io'))
  t.same((await findKindDesign(known)).references, [])
  t.not((await findKindDesign(file)).references?.length, 0)
})

void t.test('their tests pass', async (t) => {
  t.match(await runTests(ownPlugins), passed(2 * ownDesigns.length))
})

void t.test('dev mirrors their samples', (t) => mirrorsOnce(t, ownPlugins, ownDesigns.length))

const noReal = real ? false : 'REAL_DEFINITIONS is not set: export REAL_DEFINITIONS=$(test/definitions/fetch)'
const realDesigns = real ? await plugins('real', filesIn(real), 'down') : []
const realPlugins = real ? await together('real', realDesigns) : ''

// Their crash tests take minutes and cover nothing more than those of our own definitions.
void t.test('the same for the definitions of the projects themselves', { skip: noReal }, async (t) => {
  t.equal(realDesigns.length, 6)
  for (const { kind, direction, name } of realDesigns)
    t.same(await sampleProblems({ kind, direction }), [], name)
  const flags = ['--test-name-pattern=the copy of']
  t.match(await runTests(realPlugins, ...flags), passed(realDesigns.length))
  await mirrorsOnce(t, realPlugins, realDesigns.length)
})

void t.test('a real API server takes all of these samples', { skip: missingAssets('kubectl') }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubectl = (...args: readonly string[]) => {
    const program = join(process.env.KUBEBUILDER_ASSETS ?? '', 'kubectl')
    return run(folder, [program, '--kubeconfig', cluster.kubeconfigFile, ...args])
  }
  for (const [all, designs] of [
    [ownPlugins, ownDesigns],
    [realPlugins, realDesigns],
  ] as const) {
    if (designs.length === 0) continue
    await kubectl('create', '-f', join(all, 'host-samples.yaml'))
    const definitions = designs.map(({ kind: { resource } }) => `crd/${resource.plural}.${resource.group}`)
    await kubectl('wait', '--for=condition=Established', '--timeout=60s', ...definitions)
    const created = await kubectl('create', '-f', join(all, 'samples.yaml'))
    t.equal(created.match(/created$/gm)?.length, designs.length)
  }
})
