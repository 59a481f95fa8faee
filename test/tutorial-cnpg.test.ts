// Performs docs/tutorial-cnpg.md: creates its project, writes its files, and runs its commands. `docker`, `npm` and
// `kubectl` are left out.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import type { CnpgCluster } from '../sdk/cnpg/index.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'
import { Tutorial } from './tutorial.js'

// It starts a dozen programs one after another. The comment is the limit that the runner reads.
t.setTimeout(600_000)
t.comment('timeout=600000')
const tutorial = await Tutorial.read('tutorial-cnpg', 'team-plugin')
t.teardown(() => rm(tutorial.parent, { recursive: true, force: true }))
const { folder, files, page } = tutorial

await t.test('it creates a project', async (t) => {
  await tutorial.create('../team-plugin ')
  const made = await readdir(join(folder, 'src'))
  const named = [...page.matchAll(/`src\/([\w.]+)`/g)].map(([, name]) => name)
  t.strictSame([...new Set(named)].sort(), made.sort(), 'the files that the tutorial names')
})

await t.test('its program is that of the project', async (t) => {
  t.equal(files.get('src/main.ts'), await readFile(join(folder, 'src/main.ts'), 'utf8'))
  await rm(join(folder, 'samples'), { recursive: true })
  await mkdir(join(folder, 'samples'))
  await tutorial.writeFiles()
})

/** Runs the only command of the tutorial that begins so, without the file that it writes. */
function perform(start: string): Promise<string> {
  const [line = '', ...more] = tutorial.commandsOf(start)
  t.same(more, [], start)
  return tutorial.perform(line.split(' > ')[0])
}

await t.test('its files are those of a project, and their types are correct', async (t) => {
  t.same([...files.keys()].sort(), [
    'samples/db.yaml',
    'src/hooks.test.ts',
    'src/hooks.ts',
    'src/main.ts',
    'src/plugin.ts',
  ])
  t.strictSame(await tutorial.typesOf('src', ['main.ts', 'hooks.test.ts']), { checked: 4, problems: [] })
})

await t.test('its tests pass', async (t) => {
  const flags = ['--conditions=vcluster-plugin-sdk:source', '--import=tsx', loadTypeScript]
  t.match(await run(folder, [process.execPath, ...flags, '--test', 'src/hooks.test.ts']), /pass 2$/m)
})

await t.test('dev shows what the tutorial shows', async (t) => {
  const said = await tutorial.plugin('dev', '.', '--once')
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
  const cluster = parse(files.get('samples/db.yaml') ?? '') as CnpgCluster
  const name = cluster.spec.plugins?.[0]?.name
  t.equal(name, 'team.my.domain')
  t.match(service?.metadata, { namespace: 'cnpg-system', labels: { 'cnpg.io/pluginName': name } })
  t.match(JSON.stringify(objects), 'registry.example/team-plugin:v1')
})
