// New plugins as their users get them: written by the packed package, with only what they declare installed; then
// checked, tested and run. What npm does in between is done by hand here, without a registry.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { z } from 'zod'
import { root } from './dev-run.js'
import { packSdk } from './packed-sdk.js'
import { run } from './run-program.js'

// Whole programs are started here, on machines that may be busy.
t.setTimeout(600_000)

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
                type: { type: string, enum: [BMW, Tesla, Audi], description: Who made it. }
                seats: { type: integer, minimum: 1 }
                extras: { type: array, items: { type: string } }
            status: { type: object, properties: { plate: { type: string } } }
`

/** What they copy, and which way; the last one by a definition. */
const plugins = {
  'copied-maps': ['--kind', 'ConfigMap'],
  'copied-services': ['--kind', 'services', '--vcluster-version', '0.20.0'],
  'shared-sets': ['--kind', 'statefulsets.apps', '--direction', 'both'],
  'shown-secrets': ['--kind', 'secret', '--direction', 'up'],
  'copied-cars': ['--kind', 'car.yaml', '--vcluster-version', '0.19.10'],
}
const names = Object.keys(plugins)

const manifest = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
})
const declared = (folder: string) =>
  manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

// Outside this project, whose packages would be found otherwise.
const folder = await mkdtemp(join(tmpdir(), 'created-plugins-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const sdk = join(folder, 'node_modules/vcluster-plugin-sdk')
const command = join(sdk, 'bin/vcluster-plugin.js')

await t.test('the package has what its bin and its exports need', async (t) => {
  const tarball = await packSdk(join(folder, 'stage'))
  await mkdir(sdk, { recursive: true })
  await run(sdk, ['tar', '-xzf', tarball, '--strip-components=1'])
  link(Object.keys(declared(sdk).dependencies))
  t.match(await run(folder, [process.execPath, command, '--version']), declared(sdk).version)
})

await t.test('each plugin is written from its flags, and names the versions that the SDK has', async (t) => {
  await writeFile(join(folder, 'car.yaml'), carDefinition)
  await writeFile(join(folder, 'package.json'), '{"dependencies":{"vcluster-plugin-sdk":"file:sdk.tgz"}}')
  for (const [name, flags] of Object.entries(plugins)) {
    const said = await run(folder, [process.execPath, command, 'create', name, ...flags])
    t.match(said, `cd ${name}\n  npm install\n`)
    t.notMatch(said, 'needs your hand')
    const { dependencies, devDependencies } = declared(join(folder, name))
    t.same(dependencies, { 'vcluster-plugin-sdk': `file:${join(folder, 'sdk.tgz')}` })
    t.match({ ...declared(root).devDependencies, ...declared(root).dependencies }, devDependencies)
    link(Object.keys(devDependencies))
  }
})

// From here on nothing waits for anything else.
t.jobs = 2

void t.test('their types are right', async (t) => {
  const include = names.map((name) => join(name, 'src'))
  const config = { extends: `./${names[0]}/tsconfig.json`, include }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await t.resolves(run(folder, ['tsc', '-p', '.']))
})

void t.test('their tests pass', async (t) => {
  const files = names.map((name) => `${name}/src/*.test.ts`)
  const script = `${process.execPath} --import=tsx --test --test-concurrency=2 --test-reporter=tap ${files.join(' ')}`
  t.match(await run(folder, ['sh', '-c', script]), /^# pass 10$/m)
})

for (const name of names) {
  void t.test(`${name} mirrors its samples, and says what its plugin.yaml says`, async (t) => {
    const own = join(folder, name)
    t.match(await run(own, [process.execPath, command, 'dev', '.', '--once']), /^1 of 1 samples mirrored/m)
    const version = /vcluster-version (\S+)/.exec(readFileSync(join(own, 'README.md'), 'utf8'))?.[1] ?? ''
    const printed = await run(own, [
      process.execPath,
      command,
      'manifest',
      '.',
      '--vcluster-version',
      version,
    ])
    t.equal(withoutHeading(readFileSync(join(own, 'plugin.yaml'), 'utf8')), withoutHeading(printed))
  })
}

void t.test('the image of one is a file that needs nothing but Node', async (t) => {
  const own = join(folder, 'copied-cars')
  await run(own, [process.execPath, 'bundle.mjs', join(folder, 'plugin.mjs')])
  const told = await run(folder, ['env', 'VCLUSTER_PLUGIN_DESCRIBE=1', process.execPath, 'plugin.mjs'])
  t.match(JSON.parse(told), { kind: 'PluginDescription', syncers: [{ name: 'car' }] })
})

/** The heading names a file by the chart's generation. */
const withoutHeading = (yaml: string) => yaml.slice(yaml.indexOf('\n\n'))

/** Puts packages of this project where npm would install them. */
function link(packages: readonly string[]): void {
  for (const name of packages) {
    const target = join(folder, 'node_modules', name)
    if (existsSync(target)) continue
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), target)
  }
}
