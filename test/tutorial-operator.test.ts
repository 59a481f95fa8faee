// Performs docs/tutorial-operator.md: writes its files, and runs its commands on a real API server. `docker` and `npm`
// are left out: created-plugins.test.ts and package.test.ts install and build projects.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'
import { createClient } from '../sdk/engine/client/create-client.js'
import { deployments } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { root } from './dev-run.js'
import { sdkTypes } from './packed-sdk.js'
import { loadTypeScript, startPlugin } from './plugin-process.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { run } from './run-program.js'

// It starts a dozen programs one after another. The comment is the limit that the runner reads.
t.setTimeout(600_000)
t.comment('timeout=600000')
const page = await readFile(join(root, 'docs/tutorial-operator.md'), 'utf8')
const files = new Map(
  [...page.matchAll(/^`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
)
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
)
const commandsOf = (program: string) => commands.filter((line) => line.startsWith(program))

// Outside this project, so that only the packages of the tutorial are found.
const folder = await mkdtemp(join(tmpdir(), 'tutorial-operator-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
for (const name of ['zod', 'tsx', 'esbuild', '@types/node'])
  await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
await symlink(root, join(folder, 'node_modules/vcluster-plugin-sdk'))
await writeFile(join(folder, 'package.json'), '{ "name": "website-operator", "type": "module" }')
for (const [name, text] of files) await writeFile(join(folder, name), text)

/** Runs a command of the tutorial, and writes its output to the file that it names. */
async function perform(line: string): Promise<string> {
  const [command = '', file] = line.split(' > ')
  const [, , ...args] = command.split(' ')
  const output = await run(folder, [process.execPath, join(root, 'bin/vcluster-plugin.js'), ...args])
  if (file !== undefined) await writeFile(join(folder, file), output)
  return output
}

await t.test('its files are those of a project, and their types are correct', async (t) => {
  t.same(
    [...files.keys()].sort(),
    [
      'Dockerfile',
      'kinds.ts',
      'main.ts',
      'register.ts',
      'samples.yaml',
      'website-controller.test.ts',
      'website-controller.ts',
    ].sort(),
  )
  const program = ts.createProgram(
    ['main.ts', 'website-controller.test.ts'].map((file) => join(folder, file)),
    {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.Node16,
      paths: await sdkTypes(),
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
    },
  )
  const own = program.getSourceFiles().filter(({ fileName }) => dirname(fileName) === folder)
  t.equal(own.length, 5)
  t.same(
    own.flatMap((file) => program.getSemanticDiagnostics(file)).map(({ messageText }) => messageText),
    [],
  )
})

await t.test('its tests pass', async (t) => {
  const [line = ''] = commandsOf('node --import=tsx --test')
  const [tsx = '', ...args] = line.split(' ').slice(1)
  const flags = ['--conditions=vcluster-plugin-sdk:source', tsx, loadTypeScript]
  t.match(await run(folder, [process.execPath, ...flags, ...args]), /pass 2$/m)
})

await t.test('its commands print what it says', async (t) => {
  const [create, look, crd, dev, rbac, bundle, manifest, check, uninstall, ...more] =
    commandsOf('npx vcluster-plugin')
  t.same(more, [])
  await perform(create ?? '')
  const shown =
    page
      .match(/^```\n(Website[\s\S]*?)^```$/m)?.[1]
      ?.trim()
      .split('\n') ?? []
  t.equal(shown.length, 4)
  const lines = (await perform(look ?? '')).split('\n')
  t.same(
    shown.filter((line) => !lines.includes(line)),
    [],
  )
  t.match(await perform(dev ?? ''), /ConfigMap default\/home +created[\s\S]*1 of 1 samples handled/)
  await perform(crd ?? '')
  t.match(await perform(rbac ?? ''), /configmaps +create,delete,get,list,patch,watch +websites/)
  await perform(bundle ?? '')
  const bundled = await readFile(join(folder, 'dist/main.mjs'), 'utf8')
  t.ok(bundled.length > 0)
  await perform(manifest ?? '')
  const objects = parseAllDocuments(await readFile(join(folder, 'operator.yaml'), 'utf8')).map((one) =>
    one.toJS(),
  )
  t.match(
    objects.find(({ kind }) => kind === 'Deployment'),
    { metadata: { namespace: 'website-operator-system' }, spec: { replicas: 2 } },
  )
  t.match(await perform(check ?? ''), 'websites.web.my.domain: no errors')
  await writeFile(join(folder, 'kinds.ts'), (files.get('kinds.ts') ?? '').replace('.max(10)', '.max(5)'))
  await t.rejects(perform(check ?? ''), /replicas: maximum changes from 10 to 5/)
  await writeFile(join(folder, 'kinds.ts'), files.get('kinds.ts') ?? '')
  t.match(await perform(uninstall ?? ''), /^kubectl delete websites\.web\.my\.domain --all/)
})

const skip = missingAssets()
await t.test('the operator works on a real API server', { skip }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const apply = async (file: string) => {
    for (const document of parseAllDocuments(await readFile(join(folder, file), 'utf8'))) {
      const body: KubeObject = document.toJS()
      const { namespace = '', name = '' } = body.metadata
      await admin.patch(
        resourceOf(body),
        { namespace, name },
        { type: 'apply', fieldManager: 'kubectl', body },
      )
    }
  }
  t.same(commandsOf('kubectl apply -f'), ['kubectl apply -f crds.yaml', 'kubectl apply -f samples.yaml'])
  await apply('crds.yaml')
  const program = startPlugin(join(folder, 'main.ts'), {
    KUBECONFIG: cluster.kubeconfigFile,
    METRICS_ADDRESS: '0',
  })
  t.teardown(() => program.end('SIGKILL'))
  await program.line('the operator is running')
  await apply('samples.yaml')
  const key = { namespace: 'default', name: 'home' }
  const replicas = async () => (await admin.get(deployments, key).catch(ifMissing))?.spec?.replicas
  await until(async () => (await replicas()) === 1)
  await admin.patch(deployments, key, { type: 'merge', body: { spec: { replicas: 5 } } })
  await until(async () => (await replicas()) === 1)
  t.equal(await program.end('SIGINT'), 0)
})

function ifMissing(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

function resourceOf({ apiVersion = '', kind = '', metadata }: KubeObject): Resource {
  const [group = '', version = ''] = apiVersion.split('/')
  return {
    group,
    version,
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: metadata.namespace !== undefined,
  }
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
}
