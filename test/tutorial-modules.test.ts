// Performs docs/tutorial-modules.md: creates its project, writes its files, and runs its commands, also on a real API
// server with the real kubectl. `docker` and the installation by npm are left out.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import { deployments } from '../sdk/engine/kube/builtin.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { modules, workspaces } from '../sdk/modules/index.js'
import { loadTypeScript, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { accountKubeconfig } from './real/service-account.js'
import { run } from './run-program.js'
import { Tutorial } from './tutorial.js'
import { until } from './until.js'

// It starts a dozen programs one after another. The comment is the limit that the runner reads.
t.setTimeout(600_000)
t.comment('timeout=600000')
const tutorial = await Tutorial.read('tutorial-modules', 'cache-modules')
t.teardown(() => rm(tutorial.parent, { recursive: true, force: true }))
const { folder } = tutorial

await t.test('it creates a project, whose files it names', async (t) => {
  await tutorial.create('../cache-modules ')
  for (const name of ['samples.yaml', 'src/register.ts', 'src/web-program.ts', 'package.json'])
    t.ok(existsSync(join(folder, name)), name)
})

await t.test('its files are those of a project, and their types are correct', async (t) => {
  await tutorial.writeFiles()
  t.strictSame([...tutorial.files.keys()].sort(), [
    'samples.yaml',
    'src/cache-program.test.ts',
    'src/cache-program.ts',
    'src/register.ts',
  ])
  t.strictSame(await tutorial.typesOf('src', ['main.ts', 'cache-program.test.ts']), {
    checked: 5,
    problems: [],
  })
})

await t.test('dev builds its program and handles its samples', async (t) => {
  const [set = ''] = tutorial.commandsOf('npm pkg set')
  await run(folder, ['sh', '-c', set])
  const [dev, once] = tutorial.commandsOf('npx vcluster-plugin dev')
  t.equal(dev, 'npx vcluster-plugin dev .')
  const said = await tutorial.perform(once)
  t.match(said, /^dev +src\/cache-program\.ts is in ConfigMap default\/cache-1-0-0, sha256-/m)
  t.match(said, /^Module default\/pages {2}updated {2}ready/m)
  t.match(said, /^3 of 3 samples handled$/m)
})

await t.test('its tests pass', async (t) => {
  const [line = ''] = tutorial.commandsOf('node --import=tsx --test')
  const [tsx = '', ...args] = line.split(' ').slice(1)
  const flags = ['--conditions=vcluster-plugin-sdk:source', tsx, loadTypeScript]
  t.match(await run(folder, [process.execPath, ...flags, ...args]), /pass 3$/m)
})

await t.test('its commands print what it says', async (t) => {
  const [build, check, , ...more] = tutorial.commandsOf('npx vcluster-plugin module')
  t.strictSame(more, [])
  const digestIn = (text: string) => /^digest +(\S+)$/m.exec(text)?.[1]
  const built = await tutorial.perform(build)
  t.match(built, /^may +get, create, patch, delete deployments\.apps$/m)
  t.equal(digestIn(await tutorial.perform(check)), digestIn(built))
  const [rbac] = tutorial.commandsOf('npx vcluster-plugin rbac')
  t.match(await tutorial.perform(rbac), /^\(all\) +deployments\.apps +create,delete,get,patch +modules$/m)
  const [manifest, uninstall] = tutorial.commandsOf('npx vcluster-plugin manifest')
  await tutorial.perform(manifest)
  t.match(await readFile(join(folder, 'operator.yaml'), 'utf8'), 'image: registry.example/cache-modules:1')
  t.match(await tutorial.perform(uninstall), /^kubectl delete \S*\.batch\.forkspacer\.com --all/m)
})

/** Edits the second Module, as the tutorial says: its program is in the namespace of the operator. */
async function useProgramsOf(namespace: string): Promise<void> {
  const file = join(folder, 'samples.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/(name: cache-1-0-0\n +namespace: )default/, `$1${namespace}`))
}

const skip = missingAssets('kubectl')
await t.test(
  'the operator works on a real API server, with the roles of its manifest',
  { skip },
  async (t) => {
    const cluster = await startRealCluster()
    t.teardown(() => cluster.stop())
    const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
    t.teardown(() => transport.close())
    const admin = createClient({ transport })
    const env = [
      `PATH=${process.env.KUBEBUILDER_ASSETS}:${process.env.PATH}`,
      `KUBECONFIG=${cluster.kubeconfigFile}`,
    ]
    const kubectl = (line = '') => run(folder, ['env', ...env, 'sh', '-c', line])
    const [install, program, samples, shown, sleep, again, wake, schedule, remove, ...more] =
      tutorial.commandsOf('kubectl ')
    t.strictSame([again, ...more], [shown])
    await kubectl(install)
    await kubectl('kubectl wait --for=condition=Established --timeout=60s crd --all')
    const account = { namespace: 'cache-modules-system', name: 'cache-modules' }
    const kubeconfig = join(tutorial.parent, 'operator.kubeconfig')
    await writeFile(
      kubeconfig,
      await accountKubeconfig(account, { transport, kubeconfig: cluster.kubeconfig }),
    )
    const operator = startPlugin(join(folder, 'src/main.ts'), {
      KUBECONFIG: kubeconfig,
      POD_NAMESPACE: account.namespace,
      METRICS_ADDRESS: '0',
    })
    t.teardown(() => operator.end('SIGKILL'))
    await operator.line('the operator is running')
    await tutorial.perform(tutorial.commandsOf('npx vcluster-plugin module').at(-1))
    await kubectl(program)
    await useProgramsOf(account.namespace)
    await kubectl(samples)
    const phaseOf = async (name: string) =>
      (await admin.get(modules, { namespace: 'default', name })).status?.phase
    const both = ['sessions', 'pages']
    const allAre = (phase: string) =>
      until(async () => (await Promise.all(both.map(phaseOf))).every((one) => one === phase))
    const replicas = () =>
      Promise.all(
        both.map(
          async (name) => (await admin.get(deployments, { namespace: 'default', name })).spec?.replicas,
        ),
      )
    await allAre('ready')
    t.strictSame(await replicas(), [1, 1])
    await kubectl(sleep)
    await allAre('sleeped')
    await until(async () => /^workspace\S*\/dev +hibernated/m.test(await kubectl(shown)))
    t.strictSame(await replicas(), [0, 0])
    await kubectl(wake)
    await allAre('ready')
    t.strictSame(await replicas(), [1, 1])
    await kubectl(schedule)
    t.match((await admin.get(workspaces, { namespace: 'default', name: 'dev' })).spec.autoHibernation, {
      enabled: true,
    })
    await kubectl(remove)
    t.strictSame((await admin.list(deployments, { namespace: 'default' })).items, [])
    t.equal(await operator.end('SIGINT'), 0)
  },
)
