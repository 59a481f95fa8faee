// Tests the package as users get it: built, packed, installed from the tarball next to a small plugin,
// type-checked and run.
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import ts from 'typescript'
import * as z from 'zod'
import { apiReport } from '../scripts/api-report.js'
import { importTool } from '../scripts/tools/packages.mjs'
import { missingTools } from './missing-tools.js'
import { packSdk } from './packed-sdk.js'
import { isWholeRun } from './whole-run.js'

const run = promisify(execFile)
t.setTimeout(900_000)
t.comment('timeout=900000')
const manifest = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

// Outside the project, so that its node_modules are not found.
const folder = mkdtempSync(join(tmpdir(), 'package-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const built = join(folder, 'package')
const consumer = join(folder, 'consumer')
const installed = join(consumer, 'node_modules/vcluster-plugin-sdk')

/** The files of the tutorial's plugin: the name in its own line, followed by the content. */
const tutorial = [
  ...readFileSync('docs/tutorial.md', 'utf8').matchAll(/^`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm),
].map(([, file = '', text = '']): [string, string] => [file, text])

const tarball = await packSdk(folder)

await t.test('the package is built and packed', async (t) => {
  await run('tar', ['-xzf', tarball, '-C', folder])
  const paths = readdirSync(built, { recursive: true, encoding: 'utf8' })
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'bin/vcluster-plugin.js', 'dist/cli/main.js'])
    t.ok(paths.includes(file), file)
  t.same(
    paths.filter((path) => /\.(test|fixture)\.|conformance|\.map$|(?<!\.d)\.ts$/.test(path)),
    [],
    'neither tests nor sources',
  )
  // Present where `npm run helm-engine` made it.
  const engine = join(built, 'dist/sdk/helm/render/engine/helm.wasm.br')
  const { size: engineSize } = statSync(engine, { throwIfNoEntry: false }) ?? { size: 0 }
  const { size } = statSync(tarball)
  t.ok(size - engineSize < 1.9e6, `${size} bytes, ${engineSize} of them the template engine of Helm`)
  t.ok(engineSize < 4e6)
})

/** The part of publint that the tests use. */
interface Publint {
  publint(options: { pkgDir: string; pack: boolean; strict: boolean }): Promise<{ messages: unknown[] }>
}

/** The part of `@arethetypeswrong/core` that the tests use. */
interface AreTheTypesWrong {
  createPackageFromTarballData(tarball: Uint8Array): object
  checkPackage(of: object): Promise<{ types: false } | { types: object; problems: unknown[] }>
}

void t.test('publint finds nothing', { skip: missingTools() }, async (t) => {
  const { publint } = (await importTool('publint')) as Publint
  const { messages } = await publint({ pkgDir: built, pack: false, strict: true })
  t.same(messages, [])
})

void t.test(
  'types resolve from ES modules under node16 and under bundler',
  { skip: missingTools() },
  async (t) => {
    const { checkPackage, createPackageFromTarballData } = (await importTool(
      '@arethetypeswrong/core',
    )) as AreTheTypesWrong
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
    // This package is ES modules only, and TypeScript's oldest resolution does not know `exports`.
    const known = ['NoResolution node10', 'CJSResolvesToESM node16-cjs']
    const problems = analysis.types ? analysis.problems : ['the package has no types']
    const found = problems.map((problem) => z.looseObject({ kind: z.string() }).parse(problem))
    t.same(
      found.filter(({ kind, resolutionKind }) => !known.includes(`${kind} ${String(resolutionKind)}`)),
      [],
    )
  },
)

void t.test('the public API equals docs/api', async (t) => {
  for (const { page, text, unexported } of apiReport(join(built, 'dist'))) {
    t.same(unexported, [], `${page}: export the types that exports mention, or make them opaque`)
    t.equal(text, readFileSync(page, 'utf8'), `${page}: run npm run api, and look at what changed`)
  }
})

void t.test('installing it runs no script of the package', async (t) => {
  const atInstall = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
  ]
  t.same(
    Object.keys(manifest.scripts).filter((name) => atInstall.includes(name)),
    [],
  )
})

// At each change created-plugins.test.ts runs the demo of the packed SDK, and the next test installs the file.
const isNightly = !isWholeRun && 'npm run test:all runs it'
void t.test(
  'npx runs the demo of the file in an empty folder, as the README says',
  { skip: isNightly },
  async (t) => {
    const file = basename(tarball)
    t.ok(readFileSync('README.md', 'utf8').includes(`npx --yes ./${file} demo`))
    const cwd = join(folder, 'empty')
    mkdirSync(cwd)
    cpSync(tarball, join(cwd, file))
    // The packages that npx installs go with the folder of this test, and come from the cache of this machine.
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache'])
    const own = join(folder, 'npm')
    mkdirSync(join(cache.trim(), '_cacache'), { recursive: true })
    mkdirSync(own)
    symlinkSync(join(cache.trim(), '_cacache'), join(own, '_cacache'))
    const env = { ...process.env, npm_config_cache: own, npm_config_prefer_offline: 'true' }
    const { stdout, stderr } = await run('npx', ['--yes', `./${file}`, 'demo', '--once'], { cwd, env })
    t.match(stdout, /^2 of 2 samples mirrored/m)
    t.notMatch(stderr, /error|warn/i)
    t.same(readdirSync(cwd), [file], 'nothing is left in the folder')
  },
)

await t.test('it installs next to the plugin of the tutorial, without scripts', async (t) => {
  t.same(
    tutorial.map(([file]) => file),
    ['main.ts', 'register.ts', 'configmap-syncer.ts', 'samples.yaml', 'configmap-syncer.test.ts'],
  )
  mkdirSync(consumer)
  writeFileSync(join(consumer, 'package.json'), '{ "name": "my-plugin", "type": "module" }')
  for (const [file, text] of tutorial) writeFileSync(join(consumer, file), text)
  const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...quietly, tarball], { cwd: consumer })
})

void t.test('the types of a plugin and of all declarations that it reaches are correct', async (t) => {
  const program = ts.createProgram(
    ['main.ts', 'configmap-syncer.test.ts'].map((file) => join(consumer, file)),
    {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.Node16,
      strict: true,
      noEmit: true,
      types: ['node'],
    },
  )
  const files = program.getSourceFiles().filter(({ fileName }) => isChecked(fileName))
  t.ok(files.length > 100, `${files.length} files`)
  const problems = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ])
  t.same(
    problems.map(({ file, messageText }) => ({ file: file?.fileName, messageText })),
    [],
  )
})

void t.test('client-node is installed only by those whose kubeconfigs need it', async (t) => {
  t.notOk(existsSync(join(consumer, 'node_modules/@kubernetes')))
  const module = pathToFileURL(join(installed, 'dist/sdk/engine/transport/auth-provider.js')).href
  const script = `import { authorizationFrom } from ${JSON.stringify(module)}
await authorizationFrom({ name: 'oidc', config: {} }, 'kubeconfig').catch(({ code, message }) => console.log(code, message))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: consumer })
  t.match(stdout, /^INVALID_KUBECONFIG .* run npm install @kubernetes\/client-node@1 /)
})

void t.test('a bundle without client-node builds, and one that imports it itself does not', async (t) => {
  const bundle = (entry: string) =>
    run(process.execPath, [join(installed, 'bin/vcluster-plugin.js'), 'bundle', entry, 'out/main.mjs'], {
      cwd: consumer,
    })
  await bundle('main.ts')
  const parts = readdirSync(join(consumer, 'out'), { recursive: true, encoding: 'utf8' })
  const texts = parts
    .filter((path) => path.endsWith('.mjs'))
    .map((path) => readFileSync(join(consumer, 'out', path), 'utf8'))
  t.ok(texts.some((text) => text.includes('from "@kubernetes/client-node"')))
  writeFileSync(
    join(consumer, 'own.ts'),
    "import { KubeConfig } from '@kubernetes/client-node'\nnew KubeConfig()\n",
  )
  await t.rejects(bundle('own.ts'), /Could not resolve "@kubernetes\/client-node"/)
})

const programs = (process.env.NODE_PROGRAMS ?? '').split(/\s+/).filter(Boolean)
const skip = programs.length === 0 && 'NODE_PROGRAMS is not set: export NODE_PROGRAMS=$(.ci/nodes)'

void t.test('a plugin runs on this Node', { skip: !skip }, (t) => runsOn(t, process.execPath))
void t.test('a plugin runs on the oldest Node and on the later release lines', { skip }, async (t) => {
  t.equal(programs.length, 3)
  // At each change on the oldest, which lacks most.
  for (const program of isWholeRun ? programs : programs.slice(0, 1)) await runsOn(t, program)
})

/** Its tests pass, and `vcluster-plugin dev` mirrors its sample. */
async function runsOn(t: Test, node: string) {
  const options = { cwd: consumer, env: { PATH: process.env.PATH ?? '' } }
  const { stdout: version } = await run(node, ['--version'])
  const tried = await run(node, ['--import=tsx', '--test', 'configmap-syncer.test.ts'], options)
  t.match(tried.stdout, /pass 2$/m, version)
  const dev = await run(node, [join(installed, 'bin/vcluster-plugin.js'), 'dev', '.', '--once'], options)
  t.match(dev.stdout, 'default/greeting -> vcluster-dev/greeting-x-default-x-dev  created', version)
}

/** The files of the plugin and the package. */
function isChecked(file: string): boolean {
  const path = file.slice(file.indexOf(consumer) + consumer.length)
  const [, owner] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
  return owner === undefined || owner === 'vcluster-plugin-sdk'
}
