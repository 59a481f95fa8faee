// Tests the condition Ready: what was deployed runs. It follows the objects after the deployment, too.
import t from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { type Deployment, deployments, secrets } from '../../../engine/kube/builtin.js'
import { jobs } from '../../../engine/kube/builtin-workloads.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { RenderError } from '../../render/render-error.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, start, statusOf, until } from '../reconciled.fixture.js'

const podTemplate = (app: string) => ({
  metadata: { labels: { app } },
  spec: { restartPolicy: 'Always', containers: [{ name: 'a', image: 'a' }] },
})
const deployment = (name: string): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: podTemplate(name) },
  }) as KubeObject
const job = (name: string): KubeObject => {
  const { metadata, spec } = podTemplate(name)
  const template = { metadata, spec: { ...spec, restartPolicy: 'Never' } }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template } } as KubeObject
}
/** One Deployment for each name, and a Job; an `image` of `bad` cannot be rendered. */
const chart = functionChart({ name: 'web', version: '1.0.0' }, ({ more = [], image, task }, { name }) => {
  if (image === 'bad') throw new RenderError('RenderError', 'no such image')
  return [
    configMap(name, {}),
    ...[name, ...(more as string[])].map(deployment),
    ...(task ? [job(`${name}-task`)] : []),
  ]
})
const isOfDeployment = { status: { availableReplicas: 0, readyReplicas: 0, unavailableReplicas: 1 } }
const setStatus = ({ client }: TestOperator, body: object, name = 'hello') =>
  client.patch(deployments, { ...key, name }, { type: 'merge', subresource: 'status', body })
const ready = (test: TestOperator) => conditionOf(test, 'Ready')

/** Starts an operator that looks at a release only when something has happened, and counts its runs. */
async function startCounted(t: Parameters<typeof start>[0], options: Parameters<typeof start>[1] = {}) {
  let count = 0
  const preHooks = [() => void count++]
  const test = await start(t, { chart, preHooks, reconcilePeriodMs: 0, ...options })
  return { test, runs: () => count }
}

void t.test('a release is ready while its objects are, without a period', async (t) => {
  const { test, runs } = await startCounted(t)
  await create(test, {})
  await test.settled()
  const generation = async () => (await test.client.get(greetings, key)).metadata.generation
  t.match(await ready(test), {
    status: 'False',
    reason: 'NotReady',
    message: 'Deployment default/hello is not ready',
    observedGeneration: await generation(),
  })
  t.match(await conditionOf(test, 'Deployed'), { status: 'True' })
  await test.setReady({ metadata: key })
  await until(async () => (await ready(test))?.status === 'True')
  t.match(await ready(test), { reason: 'Running', message: '' })
  await test.settled()
  const before = runs()
  const version = test.server.resourceVersion

  await setStatus(test, { status: { collisionCount: 1 } })
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await test.settled()
  t.equal(runs(), before, 'a status that changes nothing about it runs no key')
  t.equal(Number(test.server.resourceVersion) - Number(version), 1, 'and writes nothing')

  await setStatus(test, isOfDeployment)
  await until(async () => (await ready(test))?.status === 'False')
  t.match(await ready(test), { message: 'Deployment default/hello is not ready' })
  await test.settled()
  t.equal(runs(), before + 1)
  t.strictSame(await history(test), ['1 deployed'])

  await edit(test, { spec: { other: true } })
  await test.settled()
  t.match(await ready(test), { observedGeneration: await generation() })
})

void t.test('a release is judged by what is deployed, also when it cannot be upgraded', async (t) => {
  const { test } = await startCounted(t)
  await create(test, { image: 'bad' })
  await test.settled()
  t.match(await ready(test), { status: 'False', reason: 'NotDeployed', message: 'no revision is deployed' })
  await edit(test, { spec: { image: 'good' } })
  await test.settled()
  await test.setReady({ metadata: key })
  await until(async () => (await ready(test))?.status === 'True')
  await edit(test, { spec: { image: 'bad' } })
  await test.settled()
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True', reason: 'RenderError' })
  t.match(await ready(test), { status: 'True' }, 'revision 1 runs')
  await setStatus(test, isOfDeployment)
  await until(async () => (await ready(test))?.status === 'False')
  t.match(await conditionOf(test, 'Irreconcilable'), { status: 'True' })
  await test.setReady({ metadata: key })
  await until(async () => (await ready(test))?.status === 'True')
})

/** Replaces the manifest of revision 1, as a user who may write Secrets can. */
async function editManifest({ client }: TestOperator, edited: (manifest: string) => string): Promise<void> {
  const store = new ReleaseStore(client, Date.now)
  const [record] = await store.revisions('default', 'hello')
  if (!record) throw new Error('there is no release')
  const manifest = edited(record.release.manifest)
  await store.update({ ...record, release: { ...record.release, manifest } })
}

void t.test('a record that a user edits shows nothing about other objects, and is read gently', async (t) => {
  const paths: string[] = []
  let [concurrent, maxConcurrent] = [0, 0]
  const wrap = (transport: Transport): Transport => ({
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
    request: async (call) => {
      if (call.method !== 'GET' || !call.path.includes('/kube-system/deployments/'))
        return transport.request(call)
      paths.push(call.path)
      maxConcurrent = Math.max(maxConcurrent, ++concurrent)
      return transport.request(call).finally(() => concurrent--)
    },
  })
  const test = await start(t, { chart, reconcilePeriodMs: 0 }, { wrap })
  await create(test, {})
  await test.settled()
  const metadata = { namespace: 'kube-system', name: 'other' }
  await test.client.create(deployments, { ...deployment('other'), metadata } as Deployment)
  await test.setReady({ metadata })
  await test.setReady({ metadata: key })
  await until(async () => (await ready(test))?.status === 'True')
  const forged = (name: string) =>
    `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, namespace: kube-system}\n`
  const names = Array.from({ length: 40 }, (_, index) => `other-${index}`)
  const documents = [...Array(100).fill('other'), ...names].map(forged).join('')
  await editManifest(test, (manifest) => `${manifest}${documents}`)
  await edit(test, { spec: { image: 'bad' } })
  await until(async () => (await ready(test))?.status === 'False')
  t.match(await ready(test), { message: /^Deployment kube-system\/other, .* and 36 more are not ready$/ })
  await test.settled()
  t.ok(maxConcurrent <= 16, `${maxConcurrent} at a time`)
  const reads = (name: string) => paths.filter((path) => path.endsWith(`/${name}`)).length
  t.equal(reads('other'), reads('other-1'), 'each object once')
})

void t.test('a record with too many objects is named, and its object can go without it', async (t) => {
  const { test } = await startCounted(t)
  await create(test, {})
  await test.settled()
  const item = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}'
  const list = `---\n# Source: l.yaml\nkind: List\nitems: [${Array(5_001).fill(item).join()}]\n`
  await editManifest(test, () => list)
  await edit(test, { spec: { more: ['a'] } })
  await until(async () => (await conditionOf(test, 'Irreconcilable'))?.reason === 'ErrorGettingReleaseState')
  t.equal(
    (await conditionOf(test, 'Irreconcilable'))?.message,
    'the Secret default/sh.helm.release.v1.hello.v1 cannot be read: l.yaml renders to more than 5000 objects; restore the Secret, or delete it: ' +
      'objects that only it names then stay, delete them by hand',
  )
  await test.client.delete(greetings, key)
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.reason === 'UninstallError')
  await test.client.delete(secrets, { namespace: 'default', name: 'sh.helm.release.v1.hello.v1' })
  await until(async () => (await find(test, greetings)) === undefined)
})

void t.test('the message names the first objects, and says how many more there are', async (t) => {
  const { test } = await startCounted(t)
  await create(test, { more: ['a', 'b', 'c', 'd', 'e', 'f'] })
  await test.settled()
  const { message = '' } = (await ready(test)) ?? {}
  t.match(message, /^Deployment default\/hello, Deployment default\/a, .* and 2 more are not ready$/)
  t.equal(message.split('Deployment ').length - 1, 5)
})

void t.test('a Job that failed is not ready; one that runs, and one that is gone, are', async (t) => {
  const { test } = await startCounted(t, { driftDetection: 'report' })
  await create(test, { task: true })
  await test.settled()
  await test.client.patch(
    jobs,
    { ...key, name: 'hello-task' },
    {
      type: 'merge',
      subresource: 'status',
      body: { status: { failed: 1 } },
    },
  )
  await test.setReady({ metadata: key })
  await until(async () => (await ready(test))?.status === 'True')
  const failed = { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: '' }
  const target = { ...failed, type: 'FailureTarget' }
  await test.client.patch(
    jobs,
    { ...key, name: 'hello-task' },
    {
      type: 'merge',
      subresource: 'status',
      body: { status: { startTime: '2024-01-01T00:00:00Z', conditions: [target, failed] } },
    },
  )
  await until(async () => (await ready(test))?.status === 'False')
  t.match(await ready(test), { message: 'Job default/hello-task is not ready' })
  await test.client.delete(jobs, { ...key, name: 'hello-task' })
  await until(async () => (await ready(test))?.status === 'True')
})

void t.test('a release that waits is not ready before it is deployed', async (t) => {
  const { test } = await startCounted(t, { wait: 'ready' })
  await create(test, {})
  await test.settled()
  t.match(await ready(test), { status: 'False', reason: 'NotDeployed' })
  t.match(await conditionOf(test, 'Progressing'), { status: 'True', reason: 'Installing' })
  await test.setReady({ metadata: key })
  await test.settled()
  t.match(await ready(test), { status: 'True' })
  t.match(await conditionOf(test, 'Progressing'), { status: 'False', reason: 'Deployed' })
})

void t.test('all conditions are there after the first run', async (t) => {
  const { test } = await startCounted(t)
  await create(test, {})
  await test.settled()
  const { conditions = [] } = (await statusOf(test)) ?? {}
  t.strictSame(conditions.map(({ type, status }) => `${type} ${status}`).sort(), [
    ...['Deployed True', 'Initialized True', 'Irreconcilable False', 'Progressing False'],
    ...['Ready False', 'ReleaseFailed False'],
  ])
})
