// Tests that helm 3 and 4 and the controller of a chart work on the same release, one after the other.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { configMaps, deployments, events, secrets } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { chart, definition, greetings, key, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import { type TestOperator, testOperator } from '../../testing/index.js'
import { isNightly, missingPrograms, neverCollects, programs } from './charts.js'
import { releasedKind } from './real-kinds.js'

t.setTimeout(600_000)

/** An operator with the chart `greeter`, and helm for the same server. */
interface Shared {
  readonly test: TestOperator
  readonly helm: (...args: readonly string[]) => Promise<string>
  /** A folder with a chart `greeter` of templates, which sets the field `extra` in addition. */
  readonly folder: string
  /** The flag of helm 3 to list releases of every status; helm 4 does so without. */
  readonly allFlag: readonly string[]
}

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text }}, extra: dropped later}
`

async function start(t: Test, program: string, allFlag: readonly string[]): Promise<Shared> {
  const test = await testOperator(
    (operator) => {
      operator.register(helmController({ resource: kind, chart }))
      operator.register(helmController({ resource: webs.kind, chart: web }))
    },
    { definitions: [definition, webs.definition] },
  )
  t.teardown(async () => {
    await test.stop()
    await test.server.close()
  })
  await test.server.listen()
  const folder = join(t.testdir({}), 'greeter')
  const kubeconfig = join(folder, '../kubeconfig')
  mkdirSync(join(folder, 'templates'), { recursive: true })
  writeFileSync(kubeconfig, await test.server.kubeconfig())
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: greeter\nversion: 1.1.0\n')
  writeFileSync(join(folder, 'templates/a.yaml'), template)
  const env = { ...neverCollects, HOME: folder, KUBECONFIG: kubeconfig, HELM_NAMESPACE: key.namespace }
  const helm = async (...args: readonly string[]) =>
    (await promisify(execFile)(program, [...args], { env })).stdout
  return { test, helm, folder, allFlag }
}

const webs = releasedKind('Web')
/** The chart of {@link webTemplate} in code. */
const web = functionChart({ name: 'web', version: '1.0.0' }, ({ replicas }, { name }) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'a', image: 'example/a' }] },
      },
    },
  } as KubeObject,
])

const dataOf = ({ test }: Shared) =>
  test.client.get(configMaps, key).then(
    ({ data }) => data,
    (error: unknown) => {
      if (isNotFound(error)) return undefined
      throw error
    },
  )

async function historyOf({ helm }: Shared): Promise<string[]> {
  const history = JSON.parse(await helm('history', 'hello', '-o', 'json')) as {
    revision: number
    status: string
  }[]
  return history.map(({ revision, status }) => `${revision} ${status}`)
}

async function reasonsOf({ test }: Shared): Promise<(string | undefined)[]> {
  const { items } = await test.client.list(events, { namespace: key.namespace })
  return items.map(({ reason }) => reason)
}

async function readByHelm(t: Test, { test, helm }: Shared): Promise<void> {
  await test.client.create(greetings, { metadata: key, spec: { text: 'one', hook: 'test' } })
  await test.settled()
  const [listed] = JSON.parse(await helm('list', '-o', 'json')) as object[]
  t.match(listed, { name: 'hello', revision: '1', status: 'deployed', chart: 'greeter-1.0.0' })
  t.match(await helm('status', 'hello'), /STATUS: deployed\nREVISION: 1/)
  t.strictSame(
    JSON.parse(await helm('get', 'values', 'hello', '-o', 'json')),
    { text: 'one', hook: 'test' },
    'the spec alone',
  )
  t.match(await helm('get', 'manifest', 'hello'), /"?text"?: *"?one/)
  t.match(await helm('get', 'all', 'hello'), /"?text"?: *"?one/)
  t.match(await helm('get', 'hooks', 'hello'), /hello-hook/)
  t.match(JSON.parse(await helm('get', 'metadata', 'hello', '-o', 'json')), {
    name: 'hello',
    chart: 'greeter',
    version: '1.0.0',
    appVersion: '2.0',
    revision: 1,
  })
  t.equal((await helm('get', 'notes', 'hello')).replace('NOTES:', '').trim(), '', 'a chart in code has none')
  await test.client.patch(greetings, key, { type: 'merge', body: { spec: { hook: null } } })
  await test.settled()
}

async function changedByHelm(t: Test, shared: Shared): Promise<void> {
  const { test, helm, folder } = shared
  await test.client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two' } } })
  await test.settled()
  t.strictSame((await historyOf(shared)).slice(1), ['2 superseded', '3 deployed'])
  await helm('rollback', 'hello', '2')
  await test.settled()
  t.strictSame(await dataOf(shared), { text: 'two' }, 'the custom resource decides')
  t.strictSame((await historyOf(shared)).slice(3), ['4 superseded', '5 deployed'])
  t.ok((await reasonsOf(shared)).includes('ForeignRevision'), 'an Event tells it')
  await helm('upgrade', 'hello', folder, '--set', 'text=three')
  await test.settled()
  t.match(await dataOf(shared), { text: 'two' })
  t.strictSame((await historyOf(shared)).slice(5), ['6 superseded', '7 deployed'])
  const { uid } = (await test.client.get(greetings, key)).metadata
  const revisions = await new ReleaseStore(test.client, Date.now).revisions(key.namespace, 'hello')
  t.strictSame([...new Set(revisions.map(({ owner }) => owner))], [uid], 'each record has its owner')
}

async function uninstalledByHelm(t: Test, shared: Shared): Promise<void> {
  const { test, helm } = shared
  await helm('uninstall', 'hello')
  await test.settled()
  t.strictSame(await dataOf(shared), { text: 'two' }, 'it is installed again')
  t.strictSame(await historyOf(shared), ['1 deployed'])
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await dataOf(shared), undefined)
  t.strictSame(JSON.parse(await helm('list', ...shared.allFlag, '-o', 'json')), [])
  t.strictSame((await test.client.list(secrets, { namespace: key.namespace })).items, [])
}

/** Helm 3 applies objects on its own side. Its fields have to become applied ones, or they would stay forever. */
async function adopted(t: Test, shared: Shared): Promise<void> {
  const { test, helm, folder } = shared
  await helm('install', 'hello', folder, '--set', 'text=helm')
  const installed = await test.client.get(configMaps, key)
  await test.client.create(greetings, { metadata: key, spec: { text: 'ours' } })
  await test.settled()
  const data = await dataOf(shared)
  t.equal(data?.text, 'ours')
  t.notOk(data?.extra, 'a field that left the chart is gone')
  t.ok((await reasonsOf(shared)).includes('Adopted'))
  t.equal(
    (await test.client.get(configMaps, key)).metadata.uid,
    installed.metadata.uid,
    'it is not made again',
  )
  t.strictSame(await historyOf(shared), ['1 superseded', '2 deployed'])
  await test.client.delete(greetings, key)
  await test.settled()
  t.equal(await dataOf(shared), undefined)
  t.strictSame((await test.client.list(secrets, { namespace: key.namespace })).items, [])
}

const webTemplate = `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: a, image: example/a}]}
`

/** A release of helm whose objects are as the custom resource asks for is adopted as it is: its Pods go on. */
async function adoptedUnchanged(t: Test, { test, helm, folder }: Shared): Promise<void> {
  const web = join(folder, '../web')
  mkdirSync(join(web, 'templates'), { recursive: true })
  writeFileSync(join(web, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n')
  writeFileSync(join(web, 'templates/a.yaml'), webTemplate)
  await helm('install', 'web', web, '--set', 'replicas=2')
  const at = { ...key, name: 'web' }
  const before = await test.client.get(deployments, at)
  await test.client.create(webs.kind, { metadata: at, spec: { replicas: 2 } })
  await test.settled()
  const after = await test.client.get(deployments, at)
  t.strictSame(
    [after.metadata.uid, after.metadata.generation, after.spec],
    [before.metadata.uid, before.metadata.generation, before.spec],
  )
  const [revision, ...more] = await new ReleaseStore(test.client, Date.now).revisions(key.namespace, 'web')
  t.match(revision, { release: { version: 1, info: { status: 'deployed' } } }, 'no revision is written')
  t.equal(revision?.owner, (await test.client.get(webs.kind, at)).metadata.uid)
  t.strictSame(more, [])
  await test.client.delete(webs.kind, at)
  await test.settled()
  await t.rejects(test.client.get(deployments, at), { code: 404 })
}

for (const [at, program] of (missingPrograms ? ['helm'] : programs).entries()) {
  void t.test(`helm ${at + 3}`, { skip: missingPrograms || isNightly(at) }, async (t) => {
    const shared = await start(t, program, at === 0 ? ['--all'] : [])
    await t.test('reads a release of a custom resource', (t) => readByHelm(t, shared))
    await t.test('changes it, and the controller changes it back', (t) => changedByHelm(t, shared))
    await t.test('uninstalls it, and it is installed again', (t) => uninstalledByHelm(t, shared))
    await t.test('installs a release that is adopted', (t) => adopted(t, shared))
    await t.test('installs one that is adopted as it is', (t) => adoptedUnchanged(t, shared))
  })
}
