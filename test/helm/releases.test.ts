// Tests that helm 3 and 4 read and continue the releases that the SDK writes, and that the SDK reads and continues
// theirs.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps, namespaces, secrets } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { latestOf } from '../../sdk/helm/release/history.js'
import type { Release, ReleaseStatus } from '../../sdk/helm/release/release.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import type { StoredRelease } from '../../sdk/helm/release/stored-release.js'
import { renderFunctionChart } from '../../sdk/helm/render/code/render-function-chart.js'
import { objectsOf } from '../../sdk/helm/render/manifest.js'
import { createApiServer } from '../../testing/index.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { isWholeRun } from '../whole-run.js'
import { missingPrograms, neverCollects, programs } from './charts.js'

t.setTimeout(600_000)

/** A namespace of a server, seen by the SDK and by helm. */
interface HelmEnvironment {
  readonly client: Client
  readonly store: ReleaseStore
  readonly namespace: string
  /** The chart `greeter` of templates, which makes the objects that {@link greeter} makes. */
  readonly chart: string
  readonly helm: (...args: readonly string[]) => Promise<string>
}

const greeter = functionChart(
  { name: 'greeter', version: '1.0.0', appVersion: '2.0', values: { text: 'one', other: 'default' } },
  ({ text }, { name }) => [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: {},
      metadata: {
        name: `${name}-hook`,
        annotations: { 'helm.sh/hook': 'post-rollback', 'helm.sh/hook-weight': '2' },
      },
    },
  ],
)
const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text }}}
`
const capabilities = { kubeVersion: 'v1.36.3', apiVersions: [] }

async function environmentOn(
  t: Test,
  program: string,
  kubeconfigFile: string,
  namespace: string,
): Promise<HelmEnvironment> {
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: kubeconfigFile }) })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  await client.create(namespaces, { metadata: { name: namespace } })
  const chart = join(kubeconfigFile, `../greeter-${namespace}`)
  mkdirSync(join(chart, 'templates'), { recursive: true })
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: greeter\nversion: 1.1.0\n')
  writeFileSync(join(chart, 'values.yaml'), 'text: one\nother: default\n')
  writeFileSync(join(chart, 'templates/a.yaml'), template)
  const env = { ...neverCollects, HOME: chart, KUBECONFIG: kubeconfigFile, HELM_NAMESPACE: namespace }
  const helm = async (...args: readonly string[]) =>
    (await promisify(execFile)(program, [...args], { env })).stdout
  return { client, store: new ReleaseStore(client, Date.now), namespace, chart, helm }
}

/** A new revision with its objects applied, as a reconciler does it. */
async function deploy(
  environment: HelmEnvironment,
  text: string,
  files: Release['chart']['files'] = [],
): Promise<StoredRelease> {
  const { store, client, namespace } = environment
  const revisions = await store.revisions(namespace, 'hello')
  const latest = latestOf(revisions)
  const version = (latest?.release.version ?? 0) + 1
  const release = { name: 'hello', namespace, revision: version, isInstall: !latest }
  const rendered = await renderFunctionChart(greeter, {
    chart: greeter,
    values: { text },
    release,
    capabilities,
  })
  const meta = { labels: { 'app.kubernetes.io/managed-by': 'Helm' }, annotations: marksOf(namespace) }
  for (const { object } of rendered.objects) {
    const body = { ...object, metadata: { ...object.metadata, ...meta } }
    const key = { namespace, name: object.metadata.name ?? '' }
    await client.patch(configMaps, key, { type: 'apply', fieldManager: 'helm', force: true, body })
  }
  const times = { first_deployed: new Date().toISOString(), last_deployed: new Date().toISOString() }
  const info = {
    ...times,
    description: `text is ${text}`,
    notes: `Say ${text}.`,
    status: 'deployed' as ReleaseStatus,
  }
  if (latest) await store.update(withStatus(latest, 'superseded'))
  return store.create({
    release: {
      name: 'hello',
      namespace,
      version,
      info,
      config: { text },
      apply_method: 'ssa',
      manifest: rendered.manifest,
      hooks: rendered.hooks,
      chart: { ...rendered.chart, files },
    },
    labels: { team: 'a' },
    owner: 'uid-1',
    written: { inputs: 'abc', stage: 'done', attempt: 1, holder: 'test' },
  })
}

const marksOf = (namespace: string) => ({
  'meta.helm.sh/release-name': 'hello',
  'meta.helm.sh/release-namespace': namespace,
})

const withStatus = (revision: StoredRelease, status: ReleaseStatus): StoredRelease => ({
  ...revision,
  release: { ...revision.release, info: { ...revision.release.info, status } },
})

async function textOf({ client, namespace }: HelmEnvironment): Promise<string | undefined> {
  const found = client.get(configMaps, { namespace, name: 'hello' })
  return found.then(
    ({ data }) => data?.text,
    (error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    },
  )
}

/** The revisions with their statuses, as helm sees them. */
async function historyOf({ helm }: HelmEnvironment): Promise<string[]> {
  const history = JSON.parse(await helm('history', 'hello', '-o', 'json')) as {
    revision: number
    status: string
  }[]
  return history.map(({ revision, status }) => `${revision} ${status}`)
}

async function readByHelm(t: Test, environment: HelmEnvironment): Promise<void> {
  const { helm, namespace } = environment
  const first = await deploy(environment, 'one')
  const second = await deploy(environment, 'two')
  t.match(JSON.parse(await helm('list', '-o', 'json')), [
    {
      name: 'hello',
      namespace,
      revision: '2',
      status: 'deployed',
      chart: 'greeter-1.0.0',
      app_version: '2.0',
    },
  ])
  t.strictSame(await historyOf(environment), ['1 superseded', '2 deployed'])
  t.match(await helm('status', 'hello'), /STATUS: deployed\nREVISION: 2[\s\S]*Say two\./)
  t.strictSame(
    JSON.parse(await helm('get', 'values', 'hello', '-o', 'json')),
    { text: 'two' },
    'the values of the user only',
  )
  t.strictSame(JSON.parse(await helm('get', 'values', 'hello', '--all', '-o', 'json')), {
    text: 'two',
    other: 'default',
  })
  t.equal((await helm('get', 'manifest', 'hello')).trim(), second.release.manifest.trim())
  t.equal((await helm('get', 'manifest', 'hello', '--revision', '1')).trim(), first.release.manifest.trim())
  t.match(await helm('get', 'hooks', 'hello'), /# Source: greeter\/templates\/objects.yaml[\s\S]*hello-hook/)
  t.match(await helm('get', 'notes', 'hello'), /Say two\./)
  t.match(JSON.parse(await helm('get', 'metadata', 'hello', '-o', 'json')), {
    name: 'hello',
    chart: 'greeter',
    version: '1.0.0',
  })
  t.match(await helm('get', 'all', 'hello'), /text: two/)
}

async function continuedByHelm(t: Test, environment: HelmEnvironment): Promise<void> {
  const { helm, store, namespace, chart, client } = environment
  await helm('rollback', 'hello', '1')
  t.equal(await textOf(environment), 'one', 'helm rolls back')
  const [, , third] = await store.revisions(namespace, 'hello')
  t.match(third, { owner: 'uid-1', labels: { team: 'a' }, release: { version: 3, config: { text: 'one' } } })
  t.equal(third?.written, undefined, 'and does not say that the SDK wrote it')
  t.ok(await client.get(configMaps, { namespace, name: 'hello-hook' }), 'its hook ran')
  await helm('upgrade', 'hello', chart, '--set', 'text=three')
  t.equal(await textOf(environment), 'three', 'helm upgrades')
  await deploy(environment, 'four')
  t.equal(await textOf(environment), 'four', 'the SDK continues')
  t.strictSame(await historyOf(environment), [
    '1 superseded',
    '2 superseded',
    '3 superseded',
    '4 superseded',
    '5 deployed',
  ])
  await helm('upgrade', 'hello', chart, '--reuse-values')
  t.equal(await textOf(environment), 'four', 'with the values of the record')
  await helm('uninstall', 'hello')
  t.equal(await textOf(environment), undefined)
  t.strictSame((await client.list(secrets, { namespace })).items, [], 'no record is left')
}

async function trimmedRecord(t: Test, environment: HelmEnvironment): Promise<void> {
  const files = [{ name: 'large.bin', data: randomBytes(5 * 2 ** 20).toString('base64') }]
  t.match(await deploy(environment, 'one', files), { trimmed: ['files'] })
  await deploy(environment, 'two')
  await environment.helm('rollback', 'hello', '1')
  t.equal(await textOf(environment), 'one', 'a record without files can be rolled back')
  await environment.helm('uninstall', 'hello')
}

async function readBySdk(t: Test, environment: HelmEnvironment): Promise<void> {
  const { helm, store, namespace, chart } = environment
  await helm('install', 'hello', chart, '--set', 'text=helm', '--description', 'by hand')
  const [installed] = await store.revisions(namespace, 'hello')
  t.match(installed?.release, {
    name: 'hello',
    namespace,
    version: 1,
    config: { text: 'helm' },
    info: { status: 'deployed', description: 'by hand', first_deployed: /^20.*T/ },
    chart: {
      metadata: { name: 'greeter', version: '1.1.0' },
      values: { text: 'one' },
      templates: [{ name: 'templates/a.yaml' }],
    },
  })
  t.strictSame([installed?.owner, installed?.written], [undefined, undefined])
  const { metadata, templates } = await loadChart(chart)
  t.strictSame(installed?.release.chart.metadata, metadata)
  t.equal(
    installed?.release.chart.templates[0]?.data,
    Buffer.from(templates[0]?.data ?? '').toString('base64'),
  )
  t.match(await objectsOf(installed?.release.manifest ?? ''), [
    { object: { kind: 'ConfigMap', data: { text: 'helm' } } },
  ])
  await deploy(environment, 'sdk')
  t.strictSame(await historyOf(environment), ['1 superseded', '2 deployed'])
  await helm('rollback', 'hello', '1')
  t.equal(await textOf(environment), 'helm')
  await helm('uninstall', 'hello')
}

async function tryAll(t: Test, environment: HelmEnvironment): Promise<void> {
  await t.test('helm reads a release of the SDK', (t) => readByHelm(t, environment))
  await t.test('helm continues it, and the SDK after helm', (t) => continuedByHelm(t, environment))
  await t.test('the SDK reads and continues a release of helm', (t) => readBySdk(t, environment))
}

for (const [at, program] of (missingPrograms ? ['helm'] : programs).entries()) {
  // The newer one is tried on a real server at every change.
  const isNightly = !isWholeRun && at > 0 && missingAssets() === false && 'npm run test:all runs it'
  void t.test(`helm ${at + 3} on the embedded server`, { skip: missingPrograms || isNightly }, async (t) => {
    const server = await createApiServer({ authorization: 'rbac' })
    t.teardown(() => server.close())
    await server.listen()
    const file = join(t.testdir({}), 'kubeconfig')
    writeFileSync(file, await server.kubeconfig())
    const environment = await environmentOn(t, program, file, `helm-${at + 3}`)
    await tryAll(t, environment)
    await t.test('helm rolls back a record that was trimmed', (t) => trimmedRecord(t, environment))
  })
}

void t.test('on a real server', { skip: missingPrograms || missingAssets() }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  for (const [at, program] of programs.entries()) {
    // The older one is tried on the embedded server at every change.
    if (!isWholeRun && at < programs.length - 1) continue
    const environment = await environmentOn(t, program, real.kubeconfigFile, `helm-${at + 3}`)
    await t.test(`helm ${at + 3}`, (t) => tryAll(t, environment))
  }
})
