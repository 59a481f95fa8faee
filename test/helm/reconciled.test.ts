// Tests that helm 3 and 4 and the controller of a chart work on the same release, one after the other.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { chart, definition, greetings, key, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmReconciler } from '../../sdk/helm/reconciler/helm-reconciler.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import { configMaps, events, secrets } from '../../sdk/kube/builtin.js'
import { isNotFound } from '../../sdk/kube/error.js'
import { type TestOperator, testOperator } from '../../testing/index.js'
import { missingPrograms, programs } from './charts.js'

t.setTimeout(120_000)

/** An operator with the chart `greeter`, and helm for the same server. */
interface Shared {
  readonly test: TestOperator
  readonly helm: (...args: readonly string[]) => Promise<string>
  /** A folder with a chart `greeter` of templates, which sets the field `extra` in addition. */
  readonly folder: string
}

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text }}, extra: dropped later}
`

async function start(t: Test, program: string): Promise<Shared> {
  const test = await testOperator(
    (operator) => operator.register(helmReconciler({ resource: kind, chart })),
    { definitions: [definition] },
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
  const env = { HOME: folder, KUBECONFIG: kubeconfig, HELM_NAMESPACE: key.namespace }
  const helm = async (...args: readonly string[]) =>
    (await promisify(execFile)(program, [...args], { env })).stdout
  return { test, helm, folder }
}

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
  await test.client.create(greetings, { metadata: key, spec: { text: 'one' } })
  await test.settled()
  const [listed] = JSON.parse(await helm('list', '-o', 'json')) as object[]
  t.match(listed, { name: 'hello', revision: '1', status: 'deployed', chart: 'greeter-1.0.0' })
  t.match(await helm('status', 'hello'), /STATUS: deployed\nREVISION: 1/)
  t.strictSame(
    JSON.parse(await helm('get', 'values', 'hello', '-o', 'json')),
    { text: 'one' },
    'the spec alone',
  )
  t.match(await helm('get', 'manifest', 'hello'), /"?text"?: *"?one/)
  t.match(await helm('get', 'all', 'hello'), /"?text"?: *"?one/)
}

async function changedByHelm(t: Test, shared: Shared): Promise<void> {
  const { test, helm, folder } = shared
  await test.client.patch(greetings, key, { type: 'merge', body: { spec: { text: 'two' } } })
  await test.settled()
  t.strictSame(await historyOf(shared), ['1 superseded', '2 deployed'])
  await helm('rollback', 'hello', '1')
  await test.settled()
  t.strictSame(await dataOf(shared), { text: 'two' }, 'the custom resource decides')
  t.strictSame((await historyOf(shared)).slice(2), ['3 superseded', '4 deployed'])
  t.ok((await reasonsOf(shared)).includes('ForeignRevision'), 'an Event tells it')
  await helm('upgrade', 'hello', folder, '--set', 'text=three')
  await test.settled()
  t.match(await dataOf(shared), { text: 'two' })
  t.strictSame((await historyOf(shared)).slice(4), ['5 superseded', '6 deployed'])
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
  t.strictSame(JSON.parse(await helm('list', '-o', 'json')), [])
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

for (const [at, program] of (missingPrograms ? ['helm'] : programs).entries()) {
  void t.test(`helm ${at + 3}`, { skip: missingPrograms }, async (t) => {
    const shared = await start(t, program)
    await t.test('reads a release of a custom resource', (t) => readByHelm(t, shared))
    await t.test('changes it, and the controller changes it back', (t) => changedByHelm(t, shared))
    await t.test('uninstalls it, and it is installed again', (t) => uninstalledByHelm(t, shared))
    await t.test('installs a release that is adopted', (t) => adopted(t, shared))
  })
}
