// `dev` with an operator of Modules that loads a program of its folder: the program is built, and again when its file
// changes.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runCreate } from '../cli/create/run-create.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { deployments } from '../sdk/engine/kube/builtin.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { modules } from '../sdk/modules/kinds/module-kind.js'
import { workspaces } from '../sdk/modules/kinds/workspace-kind.js'
import { DevRun, root } from './dev-run.js'
import { until } from './until.js'

t.setTimeout(600_000)
const folder = join(t.testdir(), 'shop-modules')
const dir = join(folder, '.vcluster-plugin')
const output = { write: () => true } as never
await runCreate({ folder, kind: 'module', sdk: `file:${root}` }, { input: process.stdin, output })
await mkdir(join(folder, 'node_modules'))
for (const name of ['zod', 'esbuild'])
  await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
await symlink(root, join(folder, 'node_modules/vcluster-plugin-sdk'))

const loaded = { namespace: 'default', name: 'loaded' }
const dev = { namespace: 'default', name: 'dev' }

void t.test('Modules take a program that changes, a mistake in it is shown, and so are phases', async (t) => {
  const run = new DevRun(['dev', folder, '--dir', dir])
  t.teardown(() => run.signal('SIGKILL'))
  const built = /web-program\.ts is in ConfigMap default\/web-0-1-0, (sha256-[^;]+)(.*)$/
  const [, first, next] = await run.line(built)
  t.equal(next, '', 'no Module uses it yet')
  await run.line(/^Module default\/loaded {2}updated {2}installing {2}Ready=False/)
  await run.line(/^Module default\/loaded {2}updated {2}ready {2}Ready=True Installed/)
  const transport = createTransport({
    kubeconfig: await loadKubeconfig({ file: join(dir, 'main.kubeconfig') }),
  })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  const digest = async () => (await client.get(modules, loaded)).status?.program?.digest
  t.equal(await digest(), first)

  const why = new DevRun(['why', 'module', 'loaded', '--dir', dir])
  t.strictSame(await why.ended, { code: 0, signal: null })
  const told = why.lines.join('\n')
  t.match(
    told,
    /^phase +ready since .*\nworkspace +default\/dev\noperation +none\nprogram +web 0\.1\.0\n +sha256-/m,
  )

  const source = join(folder, 'src/web-program.ts')
  const text = await readFile(source, 'utf8')
  await writeFile(source, text.replace('newManager:', 'newManagers:'))
  await run.line(
    /web-program\.ts was not built: .*web-program\.mjs is not a program for Modules: .*newManager/,
  )
  await writeFile(source, text.replace("metaData.set('replicas', ", "metaData.set('sleeps', true)\n    $&"))
  const [, second, taken] = await run.line(built)
  t.not(second, first)
  t.equal(taken, '; the next operation of default/loaded uses it')
  await client.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated: true } } })
  await run.line(/^Module default\/loaded {2}updated {2}sleeped {2}/)
  await until(async () => (await digest()) === second)
  const { annotations } = (await client.get(modules, loaded)).metadata
  t.match(JSON.parse(annotations?.['forkspacer.com/manager-data'] ?? ''), { sleeps: true })
  t.equal((await client.get(deployments, loaded)).spec?.replicas, 0)
  run.signal('SIGINT')
  t.equal((await run.ended).code, 0)
})
