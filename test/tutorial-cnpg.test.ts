// Performs docs/tutorial-cnpg.md: creates its project, writes its files, and runs its commands. `docker`, `npm` and `kubectl`
// are left out.
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { parse, parseAllDocuments } from 'yaml'
import type { Cluster } from '../sdk/cnpg/index.js'
import type { KubeObject } from '../sdk/kube/object.js'
import { root } from './dev-run.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'

t.setTimeout(120_000)
const page = await readFile(join(root, 'docs/tutorial-cnpg.md'), 'utf8')
const files = new Map(
  [...page.matchAll(/^`([\w/-]+\.[\w.]+)`[^\n]*:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, name = '', text = '']) => [name, text],
  ),
)
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)

// Outside this project, so that only the packages of the tutorial are found.
const parent = await mkdtemp(join(tmpdir(), 'tutorial-cnpg-'))
const folder = join(parent, 'team-plugin')
t.teardown(() => rm(parent, { recursive: true, force: true }))
const command = join(root, 'bin/vcluster-plugin.js')

await t.test('it creates a project', async (t) => {
  const [line = ''] = commands.filter((one) => one.includes('create ../team-plugin'))
  const flags = line.split('team-plugin ').at(-1)?.split(' ') ?? []
  await run(parent, [process.execPath, command, 'create', 'team-plugin', ...flags, '--sdk', `file:${root}`])
  const made = await readdir(join(folder, 'src'))
  const named = [...page.matchAll(/`src\/([\w.]+)`/g)].map(([, name]) => name)
  t.strictSame([...new Set(named)].sort(), made.sort(), 'the files that the tutorial names')
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['zod', 'tsx', 'esbuild', '@types/node'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await symlink(root, join(folder, 'node_modules/vcluster-plugin-sdk'))
})

await t.test('its program is that of the project', async (t) => {
  t.equal(files.get('src/main.ts'), await readFile(join(folder, 'src/main.ts'), 'utf8'))
  await rm(join(folder, 'samples'), { recursive: true })
  await mkdir(join(folder, 'samples'))
  for (const [name, text] of files) await writeFile(join(folder, name), text)
})

/** Runs the only command of the tutorial that begins so. */
function perform(start: string): Promise<string> {
  const [line = '', ...more] = commands.filter((one) => one.startsWith(start))
  t.same(more, [], start)
  const [, , ...args] = (line.split(' > ')[0] ?? '').split(' ')
  return run(folder, [process.execPath, command, ...args])
}

await t.test('its files are those of a project, and their types are correct', async (t) => {
  t.same([...files.keys()].sort(), [
    'samples/db.yaml',
    'src/hooks.test.ts',
    'src/hooks.ts',
    'src/main.ts',
    'src/plugin.ts',
  ])
  const program = ts.createProgram(
    ['main.ts', 'hooks.test.ts'].map((file) => join(folder, 'src', file)),
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
  t.equal(own.length, 4)
  t.same(
    own.flatMap((file) => program.getSemanticDiagnostics(file)).map(({ messageText }) => messageText),
    [],
  )
})

await t.test('its tests pass', async (t) => {
  const flags = ['--conditions=vcluster-plugin-sdk:source', '--import=tsx', loadTypeScript]
  t.match(await run(folder, [process.execPath, ...flags, '--test', 'src/hooks.test.ts']), /pass 2$/m)
})

await t.test('dev shows what the tutorial shows', async (t) => {
  const said = await run(folder, [process.execPath, command, 'dev', '.', '--once'])
  const [, shown = ''] = /^```text\n([\s\S]*?)^```$/m.exec(page) ?? []
  t.ok(shown.includes('EVALUATE'))
  t.ok(said.includes(shown), said)
})

await t.test('its commands make a bundle and the objects that run it', async (t) => {
  await perform('npx vcluster-plugin bundle')
  t.ok((await readFile(join(folder, 'dist/main.mjs'), 'utf8')).length > 0)
  const objects = parseAllDocuments(await perform('npx vcluster-plugin manifest')).map(
    (one): KubeObject => one.toJS(),
  )
  const [service] = objects.filter(({ kind }) => kind === 'Service')
  const cluster = parse(files.get('samples/db.yaml') ?? '') as Cluster
  const name = cluster.spec.plugins?.[0]?.name
  t.equal(name, 'team.my.domain')
  t.match(service?.metadata, { namespace: 'cnpg-system', labels: { 'cnpg.io/pluginName': name } })
  t.match(JSON.stringify(objects), 'registry.example/team-plugin:v1')
})
