// Tests new plugins as users get them: the packed package writes them, and then they are checked, tested and
// run. One is installed by npm itself. The others are linked without a registry, with only the packages that
// they declare.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import * as z from 'zod'
import { findKindDesign } from '../cli/create/kind/find-kind-design.js'
import { pluginFiles } from '../cli/create/templates/plugin-files.js'
import { parseRelease } from '../cli/helm/vcluster-release.js'
import { root } from './dev-run.js'
import { runDockerfileSteps } from './dockerfile-steps.js'
import { missingTools } from './missing-tools.js'
import { packSdk } from './packed-sdk.js'
import { run } from './run-program.js'
import { isWholeRun } from './whole-run.js'

// These tests start programs, which takes longer on busy machines. The runner reads the comment and extends
// its own time limit for the file.
t.setTimeout(1_500_000)
t.comment('timeout=1500000')

const carDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: cars.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: cars, singular: car, kind: Car, listKind: CarList }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [type, seats]
              properties:
                type: { type: string, enum: [BMW, Tesla, Audi], description: The manufacturer. }
                seats: { type: integer, minimum: 1 }
                extras: { type: array, items: { type: string } }
            status: { type: object, properties: { plate: { type: string } } }
`

/** The kind and direction of each plugin; the last one has a definition. */
const pluginFlags = {
  'copied-maps': ['--kind', 'ConfigMap'],
  'copied-services': ['--kind', 'services', '--vcluster-version', '0.20.0'],
  'shared-templates': ['--kind', 'podtemplates', '--direction', 'both'],
  'shown-secrets': ['--kind', 'secret', '--direction', 'up'],
  'copied-cars': ['--kind', 'car.yaml', '--vcluster-version', '0.19.10'],
}
/** Those of each change: the one that a user edits, and the one that npm installs. */
const first = ['copied-maps', 'copied-cars']
const names = Object.keys(pluginFlags).filter((name) => isWholeRun || first.includes(name))
const plugins = Object.entries(pluginFlags).filter(([name]) => names.includes(name))
const operator = 'kept-sites'
const cnpgPlugin = 'labelled-databases'
const moduleOperator = 'kept-modules'
const charted = 'charted-webs'
// Charts are rendered by an engine that a clone has only once it was built.
const hasEngine =
  existsSync(join(root, 'sdk/helm/render/engine/helm.wasm.br')) || Boolean(process.env.HELM_ENGINE)
const others = isWholeRun ? [cnpgPlugin, moduleOperator] : []
const all = [...names, operator, ...others, ...(hasEngine ? [charted] : [])]
const definitions = join(root, 'test/definitions')
/** Why a test is skipped at each change. */
const nightly = 'npm run test:all runs it'

const manifest = z.object({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
})
const declared = (folder: string) =>
  manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
const packageFolder = join(root, 'node_modules')
const toolFolder = join(root, 'scripts/tools/node_modules')
const toolPackages = declared(join(root, 'scripts/tools')).devDependencies
const tested = { ...toolPackages, ...declared(root).devDependencies, ...declared(root).dependencies }

// Outside this project, so that its packages are not found.
const folder = await mkdtemp(join(tmpdir(), 'created-plugins-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const sdk = join(folder, 'node_modules/vcluster-plugin-sdk')
const command = join(sdk, 'bin/vcluster-plugin.js')
const tarball = await packSdk(folder)

await t.test('the package contains the files of its bin and its exports', async (t) => {
  await mkdir(sdk, { recursive: true })
  await run(sdk, ['tar', '-xzf', tarball, '--strip-components=1'])
  link(Object.keys(declared(sdk).dependencies))
  t.match(await run(folder, [process.execPath, command, '--version']), declared(sdk).version)
})

await t.test('the package shows a plugin without a project, and keeps nothing', async (t) => {
  const said = await run(folder, [process.execPath, command, 'demo', '--once'])
  t.match(said, /^2 of 2 samples mirrored/m)
  const [, main = ''] = /^The program is (\S+),/m.exec(said) ?? []
  t.equal(basename(main), 'main.js')
  t.notOk(existsSync(dirname(main)))
})

await t.test(
  'each plugin is written from its flags, with the SDK’s tarball and the versions of the SDK',
  async (t) => {
    await writeFile(join(folder, 'car.yaml'), carDefinition)
    const dependencies = { 'vcluster-plugin-sdk': `file:${basename(tarball)}` }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }))
    const create = (name: string, flags: readonly string[]) =>
      run(folder, [process.execPath, command, 'create', name, ...flags])
    const flagsOf: Readonly<Record<string, readonly string[]>> = {
      ...Object.fromEntries(plugins),
      [operator]: ['--kind', 'operator', '--api', 'shop.my.domain/v1beta1/OrderPolicy'],
      [cnpgPlugin]: ['--kind', 'cnpg'],
      [moduleOperator]: ['--kind', 'module'],
      [charted]: ['--kind', 'helm'],
    }
    const said = await Promise.all(all.map((name) => create(name, flagsOf[name] ?? [])))
    for (const [index, name] of all.entries()) {
      t.match(said[index], `cd ${name}\n  npm install\n`)
      t.notMatch(said[index], /No valid sample|is a link/)
      const { devDependencies, ...found } = declared(join(folder, name))
      t.match(found.dependencies, dependencies)
      const tools = declared(join(folder, name, 'tools')).devDependencies
      t.strictSame(Object.keys(tools), ['oxlint', 'oxlint-tsgolint', 'prettier'])
      t.match(toolPackages, tools)
      link(Object.keys(tools))
      t.ok(
        existsSync(join(folder, name, basename(tarball))),
        'it is in the plugin’s folder for image builds and CI',
      )
      t.match(tested, devDependencies)
      link(Object.keys(devDependencies))
    }
  },
)

await t.test('a kind is added to the operator with charts', { skip: !hasEngine }, async (t) => {
  // The installation waits for a Job, and the chart has a Deployment: the tests of the project run them.
  const chart = join(root, 'test/helm/charts/migrated')
  const flags = ['--kind', 'helm', '--api', 'cache.example.com/v1/Cache', '--chart', chart]
  t.match(await run(folder, [process.execPath, command, 'create', charted, ...flags]), 'for each Cache')
})

await t.test('a user edits one of them where its comment says', async () => {
  const syncer = join(folder, 'copied-maps/src/config-map-syncer.ts')
  const edit = "return { ...virtual, data: { ...virtual.data, copied: 'yes' } }"
  const source = readFileSync(syncer, 'utf8')
  await writeFile(syncer, source.replace('return virtual', edit))
})

// sdk/ and testing/ explore more with their own scenarios.
await t.test('at each change the tests explore a sixth of the crashes', { skip: isWholeRun }, async (t) => {
  for (const file of all.flatMap((name) => testFilesOf(join(folder, name, 'src')))) {
    const source = readFileSync(file, 'utf8')
    const part = source.replace(
      /(exhaust\(scenario, \{ faults: .*\]) \}\)/,
      '$1, part: { index: 1, of: 6 } })',
    )
    if (part !== source) t.pass(basename(file))
    await writeFile(file, part)
  }
})

/** The plugin that npm installs; it has its own node_modules from here on. */
const installed = join(folder, 'copied-cars')
let offline: string | false = false

await t.test('npm installs one of them without changes', async (t) => {
  offline = await unreachable()
  t.ok(existsSync(join(installed, 'package-lock.json')), 'npm ci asks for it', { skip: offline })
  t.ok(existsSync(join(installed, 'node_modules/.bin/vcluster-plugin')), 'its scripts find it', {
    skip: offline,
  })
})

// The remaining tests do not depend on each other.
t.jobs = 2

// At each change their lint checks the types as well.
void t.test('their types are correct', { skip: !isWholeRun && nightly }, async (t) => {
  // The definitions of created-definitions.test.ts are included, because types need no installation.
  for (const file of readdirSync(definitions)) {
    if (!file.endsWith('.yaml')) continue
    const kind = await findKindDesign(join(definitions, file))
    const design = {
      name: file,
      kind,
      direction: 'both',
      vcluster: parseRelease('0.36'),
      packages: {},
    } as const
    for (const [path, text] of Object.entries(pluginFiles(design))) {
      const into = join(folder, 'defined', file, path)
      await mkdir(dirname(into), { recursive: true })
      await writeFile(into, text)
    }
  }
  const include = [...all.map((name) => join(name, 'src')), 'defined/*/src']
  const config = { extends: `./${names[0]}/tsconfig.json`, include }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await t.resolves(run(folder, ['tsc', '-p', '.']))
})

void t.test(
  'their lint reports a promise without await and a wrong type, and no other problem',
  { skip: missingTools() },
  async (t) => {
    const forgetful = join(folder, 'forgetful')
    await mkdir(join(forgetful, 'src'), { recursive: true })
    for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
      await copyFile(join(folder, 'copied-maps', file), join(forgetful, file))
    const syncer =
      "async function write(): Promise<void> {}\nexport const sync = () => {\n  write()\n}\nexport const size: number = 'a'\n"
    await writeFile(join(forgetful, 'src/syncer.ts'), syncer)
    // One run for all, because each loads the types of the SDK. It takes each plugin's own configuration.
    const sources = [...all, 'forgetful'].map((name) => join(name, 'src'))
    await t.rejects(
      run(folder, ['oxlint', '--format=unix', '--type-aware', '--type-check', ...sources]),
      /^forgetful\/src\/syncer\.ts:5:14: .*TS2322.*\nforgetful\/src\/syncer\.ts:3:3: .*no-floating-promises.*\n\n2 problems$/m,
    )
  },
)

void t.test('their sources are formatted', { skip: missingTools() }, async (t) => {
  const odd = join(folder, 'unformatted')
  await mkdir(join(odd, 'src'), { recursive: true })
  await copyFile(join(folder, 'copied-maps/package.json'), join(odd, 'package.json'))
  await writeFile(join(odd, 'src/odd.ts'), "export const odd = 'a';\n")
  const sources = [...all, 'unformatted'].map((name) => join(name, 'src'))
  const listed = await run(folder, ['prettier', '--list-different', ...sources]).catch(
    ({ message }) => message,
  )
  t.strictSame(String(listed).match(/^\S+\.ts$/gm), ['unformatted/src/odd.ts'])
})

void t.test('their tests pass', async (t) => {
  const files = all.map((name) => `${name}/src/*.test.ts`)
  // In one process, so that the SDK is loaded once. Node 20 runs each file in its own.
  const isolation = process.allowedNodeEnvironmentFlags.has('--test-isolation') ? '--test-isolation=none' : ''
  const script = `${process.execPath} --import=tsx --test ${isolation} --test-reporter=tap ${files.join(' ')}`
  const said = await run(folder, ['sh', '-c', script])
  const [, passed] = /^# pass (\d+)$/m.exec(said) ?? []
  const sources = all.flatMap((name) => testFilesOf(join(folder, name, 'src')))
  const written = sources.flatMap((file) => readFileSync(file, 'utf8').match(/^test\(/gm) ?? [])
  t.equal(Number(passed), written.length)
  t.ok(written.length >= 2 * all.length)
})

for (const name of names) {
  void t.test(`${name} mirrors its samples, and manifest prints its plugin.yaml`, async (t) => {
    const own = join(folder, name)
    t.match(await plugin(own, 'dev', '.', '--once'), /^1 of 1 samples mirrored/m)
    const version = /vcluster-version (\S+)/.exec(readFileSync(join(own, 'README.md'), 'utf8'))?.[1] ?? ''
    const printed = await plugin(own, 'manifest', '.', '--vcluster-version', version)
    t.equal(withoutHeading(readFileSync(join(own, 'plugin.yaml'), 'utf8')), withoutHeading(printed))
  })
}

void t.test(
  'the operator handles its sample, prints its objects, and its bundle needs only Node',
  async (t) => {
    const own = join(folder, operator)
    t.match(await plugin(own, 'dev', '.', '--once'), /^1 of 1 samples handled$/m)
    t.match(await plugin(own, 'crd', '.'), 'name: orderpolicies.shop.my.domain')
    t.match(await plugin(own, 'manifest', '.'), `image: ${operator}:dev`)
    await plugin(own, 'bundle', '.', 'dist/main.mjs')
    const told = await run(join(own, 'dist'), [
      ...['env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', process.execPath, 'main.mjs'],
    ])
    t.match(JSON.parse(told), { kind: 'OperatorDescription', kinds: [{ resource: { kind: 'OrderPolicy' } }] })
  },
)

void t.test(
  'the operator of Modules handles its samples, prints its objects and its program, and its bundle needs only Node',
  { skip: isNightly(moduleOperator) },
  async (t) => {
    const own = join(folder, moduleOperator)
    const said = await plugin(own, 'dev', '.', '--once')
    t.match(said, /^3 of 3 samples handled$/m)
    t.match(said, /^Deployment default\/loaded {2}created$/m)
    const manifest = await plugin(own, 'manifest', '.')
    for (const kind of ['modules', 'workspaces']) t.match(manifest, `name: ${kind}.batch.forkspacer.com`)
    t.match(await plugin(own, 'module', 'build', 'src/web-program.ts', '--out', 'dist/program'), /^may +get/m)
    await plugin(own, 'bundle', '.', 'dist/main.mjs')
    const told = await run(join(own, 'dist'), [
      ...['env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', process.execPath, 'main.mjs'],
    ])
    t.match(JSON.parse(told), {
      kinds: [{ resource: { kind: 'Workspace' } }, { resource: { kind: 'Module' } }],
    })
  },
)

void t.test(
  'the operator with charts handles its samples, prints its objects, and its bundle finds its files',
  { skip: !hasEngine },
  async (t) => {
    const own = join(folder, charted)
    t.match(await plugin(own, 'dev', '.', '--once'), /^2 of 2 samples handled$/m)
    if (isWholeRun) await printsObjects(t, own)
    await plugin(own, 'bundle', '.', 'dist/main.mjs')
    const engine = process.env.HELM_ENGINE === undefined ? [] : [`HELM_ENGINE=${process.env.HELM_ENGINE}`]
    const told = await run(join(own, 'dist'), [
      ...['env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', ...engine, process.execPath, 'main.mjs'],
    ])
    t.match(JSON.parse(told), {
      kinds: [{ resource: { kind: 'ChartedWebs' } }, { resource: { kind: 'Cache' } }],
    })
  },
)

/** At each change the other operator prints its manifest, and the tests of this one have the permissions of rbac. */
async function printsObjects(t: Test, own: string): Promise<void> {
  const manifest = await plugin(own, 'manifest', '.')
  t.match(manifest, 'name: caches.cache.example.com')
  t.match(manifest, `image: ${charted}:dev`)
  t.match(await plugin(own, 'rbac', '.'), /deployments\n/)
}

void t.test(
  'the plugin for CloudNativePG handles its samples, prints its objects, and its bundle needs only Node',
  { skip: isNightly(cnpgPlugin) },
  async (t) => {
    const own = join(folder, cnpgPlugin)
    const said = await plugin(own, 'dev', '.', '--once')
    t.match(said, /^2 of 2 samples handled$/m)
    t.match(await plugin(own, 'manifest', '.'), `image: ${cnpgPlugin}:dev`)
    await plugin(own, 'bundle', '.', 'dist/main.mjs')
    const told = await run(join(own, 'dist'), [
      ...['env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', process.execPath, 'main.mjs'],
    ])
    t.match(JSON.parse(told), { kind: 'CnpgPluginDescription', name: `${cnpgPlugin}.example.com` })
  },
)

void t.test(
  'the files that its Dockerfile makes need only Node, or not even Node',
  { skip: offline },
  async (t) => {
    const image = join(folder, 'image')
    await mkdir(image)
    const stages = process.platform === 'linux' ? ['bundle', 'in-syncer-files'] : ['bundle']
    await runDockerfileSteps({ cwd: installed, stages, plugin: image })
    const programs = [[process.execPath, 'main.mjs'], [join(image, 'plugin')]].slice(0, stages.length)
    for (const program of programs) {
      const told = await run(image, ['env', '-i', 'VCLUSTER_PLUGIN_DESCRIBE=1', ...program])
      t.match(JSON.parse(told), { kind: 'PluginDescription', syncers: [{ name: 'car' }] })
    }
  },
)

/** The output of `vcluster-plugin` in a plugin's folder. */
function plugin(own: string, ...args: readonly string[]): Promise<string> {
  const bin = join(own, 'node_modules/.bin/vcluster-plugin')
  return run(own, existsSync(bin) ? [bin, ...args] : [process.execPath, command, ...args])
}

function testFilesOf(source: string): string[] {
  const tests = readdirSync(source).filter((file) => file.endsWith('.test.ts'))
  return tests.map((file) => join(source, file))
}

/** Why the tests of a program are skipped at this run. */
function isNightly(name: string): string | false {
  return !all.includes(name) && nightly
}

/** Installs by npm; returns the reason if the registry cannot be reached. */
async function unreachable(): Promise<string | false> {
  const quickly = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']
  try {
    await run(installed, ['npm', 'install', ...quickly])
    return false
  } catch (error) {
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(String(error))) throw error
    return 'npm cannot reach a registry'
  }
}

/** The heading names a file by the chart's version. */
const withoutHeading = (yaml: string) => yaml.slice(yaml.indexOf('\n\n'))

/** Links packages of this project to the place where npm would install them. */
function link(packages: readonly string[]): void {
  for (const name of packages) {
    const target = join(folder, 'node_modules', name)
    const source = [packageFolder, toolFolder].map((at) => join(at, name)).find(existsSync)
    if (existsSync(target) || source === undefined) continue
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(source, target)
  }
}
