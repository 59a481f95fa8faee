// Tests what a user reads after the first edit of a created project: its test names the value, and says why.
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runCreate } from '../cli/create/run-create.js'
import { DevRun, root } from './dev-run.js'

// These tests start programs, which takes longer on busy machines.
t.setTimeout(600_000)

const hasEngine =
  existsSync(join(root, 'sdk/helm/render/engine/helm.wasm.br')) || Boolean(process.env.HELM_ENGINE)

interface Edit {
  readonly kind: string
  /** The text to replace, and the new one, by file. */
  readonly edits: Readonly<Record<string, readonly [before: string, after: string]>>
  /** The titles of the tests to run. */
  readonly only: string
}

/** Creates a project, edits it and runs its tests; returns their output. */
async function failing(t: Test, { kind, edits, only }: Edit): Promise<string> {
  const folder = join(t.testdir(), 'web')
  const output = { write: () => true } as never
  await runCreate({ folder, kind, sdk: `file:${root}` }, { input: process.stdin, output })
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'))
  await symlink(root, join(folder, 'node_modules/vcluster-plugin-sdk'))
  for (const [path, [before, after]] of Object.entries(edits)) {
    const file = join(folder, path)
    const text = await readFile(file, 'utf8')
    t.ok(text.includes(before), `${path} has ${before}`)
    await writeFile(file, text.replaceAll(before, after))
  }
  const run = new DevRun(['test', folder, '--only', only])
  t.equal((await run.ended).code, 1)
  return run.lines.join('\n')
}

t.jobs = 2

void t.test('a renamed value of a chart', { skip: !hasEngine }, async (t) => {
  const renamed = ['replicaCount', 'replicas'] as const
  const files = ['values.yaml', 'values.schema.json', 'templates/deployment.yaml']
  const edits = Object.fromEntries(files.map((file) => [`charts/web/${file}`, renamed]))
  t.match(
    await failing(t, { kind: 'helm', edits, only: 'gets a release' }),
    /AssertionError.*: the values of the chart web do not fit its schema: unknown value 'replicaCount'/,
  )
})

const skip = !hasEngine
void t.test('a template that fails, and a chart without objects', { skip }, async (t) => {
  const only = 'survives a crash'
  const image = ['.Values.image.repository', '(required "set image.repo" .Values.image.repo)'] as const
  t.match(
    await failing(t, { kind: 'helm', edits: { 'charts/web/templates/deployment.yaml': image }, only }),
    /the scenario fails without any fault:\n.*the release of Web default\/sample was never installed: .*set image\.repo; correct the chart/,
  )
  const none = ['*.swp', 'templates/*.yaml'] as const
  t.match(
    await failing(t, { kind: 'helm', edits: { 'charts/web/.helmignore': none }, only }),
    /the release of Web default\/sample has no object: the chart web-0\.1\.0 renders none from these values/,
  )
})

void t.test('a renamed name of the configuration of a Module', async (t) => {
  const edits = { 'src/web-program.ts': ['appName', 'hostName'] } as const
  t.match(
    await failing(t, { kind: 'module', edits, only: 'sleeps and wakes' }),
    /the Module is failed: the configuration does not fit program web: spec.config: unknown field: "appName"/,
  )
})

void t.test('a hook of a plugin for CloudNativePG that throws', async (t) => {
  const edits = {
    'src/hooks.ts': ['    instance(ctx, pod) {', '    instance(ctx, pod) {\n      pod.spec.x.y'],
  } as const
  t.match(
    await failing(t, { kind: 'cnpg', edits, only: 'Pods have the team' }),
    /AssertionError.*: Encountered an error while interacting with plugins: .* plugin web\.example\.com failed in OperatorLifecycle/,
  )
})
