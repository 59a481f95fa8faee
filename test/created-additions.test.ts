// Runs the tests, the lint and `dev` of projects to which `create` added a kind of the other sort.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { root } from './dev-run.js'
import { linkPackages } from './link-packages.js'
import { missingTools } from './missing-tools.js'
import { sdkTypes } from './packed-sdk.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'

t.setTimeout(600_000)
t.comment('timeout=600000')

const parent = await mkdtemp(join(tmpdir(), 'created-additions-'))
t.teardown(() => rm(parent, { recursive: true, force: true }))
const hasEngine =
  existsSync(join(root, 'sdk/helm/render/engine/helm.wasm.br')) || Boolean(process.env.HELM_ENGINE)
const skip = missingTools() || (!hasEngine && "there is no template engine: run 'npm run helm-engine'")
const command = join(root, 'bin/vcluster-plugin.js')
const create = (folder: string, ...flags: string[]) =>
  run(parent, [process.execPath, command, 'create', folder, ...flags, '--sdk', `file:${root}`])
const code = ['--kind', 'operator', '--api', 'shop.my.domain/v1/Order']
const chart = ['--kind', 'helm', '--api', 'cache.my.domain/v1/Cache']

/** Lets the lint read the declarations of the packed SDK, which is not installed. */
async function findsTypes(tsconfig: string): Promise<void> {
  const text = await readFile(tsconfig, 'utf8')
  const paths = `"paths": ${JSON.stringify(await sdkTypes())},`
  await writeFile(tsconfig, text.replace('"noEmit"', `${paths}\n    "noEmit"`))
}

/** The crash tests take a minute, and those of the other project explore the same controllers. */
const withoutCrashes = ['--test-name-pattern=gets a |the labels|refuses']
const projects = [
  { name: 'charted', first: chart, second: code, chosen: [], passed: /pass 6$/m },
  { name: 'coded', first: code, second: chart, chosen: withoutCrashes, passed: /pass 4$/m },
]

for (const { name, first, second, chosen, passed } of projects)
  void t.test(`a program with ${first[1]} first: its tests and dev pass`, { skip }, async (t) => {
    const folder = join(parent, name)
    await create(folder, ...first)
    await linkPackages(folder)
    await create(folder, ...second)
    await findsTypes(join(folder, 'tsconfig.json'))
    const source = '--conditions=vcluster-plugin-sdk:source'
    const flags = [source, '--import=tsx', loadTypeScript, '--test', ...chosen, 'src/*.test.ts']
    t.match(await run(folder, [process.execPath, ...flags]), passed)
    t.match(await run(folder, [process.execPath, command, 'dev', '.', '--once']), /^2 of 2 samples handled$/m)
  })

// One run for both, because each loads the types of the SDK.
void t.test('their lint finds no problem', { skip }, async (t) => {
  const wrong = "export const size: number = 'a'\n"
  await writeFile(join(parent, 'coded/src/wrong.ts'), wrong)
  const sources = projects.map(({ name }) => `${name}/src`)
  await t.rejects(
    run(parent, ['oxlint', '--format=unix', '--type-aware', '--type-check', ...sources]),
    /^coded\/src\/wrong\.ts:1:14: .*TS2322.*\n\n1 problem$/m,
  )
})
