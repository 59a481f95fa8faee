// Tests the hooks of charts.
import t from 'tap'
import { configMaps, events, pods } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { annotationNames } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import {
  conditionOf,
  create,
  edit,
  eventsOf,
  find,
  history,
  setPhase,
  start,
  until,
} from '../reconciled.fixture.js'

/** Names the objects of hooks in the order of their creation. */
const recordingCreates =
  (made: string[]) =>
  (transport: Transport): Transport => ({
    request: (call) => {
      const object = call.method === 'POST' ? JSON.parse(String(call.body)) : undefined
      if (object?.metadata?.annotations?.['helm.sh/hook']) made.push(`${object.kind} ${object.metadata.name}`)
      return transport.request(call)
    },
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  })

void t.test('hooks run before and after the objects; a failing one stops the release', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'pre-install,pre-delete' })
  await until(async () => (await find(test, pods, 'hello-hook')) !== undefined)
  t.equal(await find(test, configMaps), undefined, 'the objects wait for the hook')
  t.strictSame(await history(test), ['1 pending-install'])
  // Read before it fails: the next attempt replaces it at once.
  const failed = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await setPhase(test, 'Failed')
  await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
  t.match(await conditionOf(test, 'ReleaseFailed'), {
    reason: 'InstallError',
    message: /the hook Pod .* failed/,
  })
  await until(async () => ![failed, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  await setPhase(test, 'Succeeded')
  await until(async () => (await history(test)).join() === '1 deployed')
  t.match(await find(test, configMaps), { data: { text: 'one' } })

  const old = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await test.client.delete(greetings, key)
  await until(async () => ![old, undefined].includes((await find(test, pods, 'hello-hook'))?.metadata.uid))
  t.ok(await find(test, configMaps), 'the objects wait for the hook')
  t.strictSame(await history(test), ['1 uninstalling'])
  await setPhase(test, 'Succeeded')
  await until(async () => (await find(test, greetings)) === undefined)
  t.strictSame(await history(test), [])
})

void t.test(
  'a hook that the API server refuses fails the revision, without a value of a Secret',
  async (t) => {
    const refused = functionChart({ name: 'refused', version: '1.0.0' }, (_, { name }) => [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        stringData: { 'no key': 'hunter2' },
        metadata: { name, annotations: { 'helm.sh/hook': 'pre-install' } },
      } as KubeObject,
    ])
    const test = await start(t, { chart: refused })
    await create(test)
    await until(async () => (await conditionOf(test, 'ReleaseFailed'))?.status === 'True')
    t.match(await conditionOf(test, 'ReleaseFailed'), {
      reason: 'InstallError',
      message: 'Secret default/hello (v1): Invalid',
    })
    t.match(await history(test), ['1 failed'])
    t.match(await eventsOf(test, 'InstallFailed'), [/Secret default\/hello/])
    t.notMatch(JSON.stringify([await find(test, greetings), await test.client.list(events)]), /hunter2/)
  },
)

const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

/** An object of a hook. */
const hooked = (kind: 'ConfigMap' | 'Secret', name: string, annotations: Record<string, string>) =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: { name, annotations: { 'helm.sh/hook': 'pre-install', ...annotations } },
  }) as KubeObject
const weight = (text: string) => ({ 'helm.sh/hook-weight': text })

void t.test('hooks run by weight, then by name, then by kind as Helm installs kinds', async (t) => {
  const made: string[] = []
  const ordered = functionChart({ name: 'ordered', version: '1.0.0' }, (_, { name }) => [
    hooked('ConfigMap', 'last', weight('10')),
    hooked('ConfigMap', 'same', weight('2')),
    hooked('Secret', 'same', weight('2')),
    hooked('ConfigMap', 'b', {}),
    hooked('Secret', 'a', weight('no number')),
    hooked('ConfigMap', 'first', weight('-5')),
    configMap(name, {}),
  ])
  const test = await start(t, { chart: ordered }, { wrap: recordingCreates(made) })
  await create(test)
  await test.settled()
  t.strictSame(made, [
    ...['ConfigMap first', 'Secret a', 'ConfigMap b', 'Secret same', 'ConfigMap same', 'ConfigMap last'],
  ])
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('a Job before an upgrade that fails leaves the objects, and goes by its policy', async (t) => {
  const withJob = functionChart({ name: 'job', version: '1.0.0' }, ({ text }, { name }) => [
    configMap(name, { text: String(text) }),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        name,
        annotations: {
          'helm.sh/hook': 'pre-upgrade',
          'helm.sh/hook-delete-policy': 'before-hook-creation,hook-failed,hook-succeeded',
        },
      },
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
      },
    } as KubeObject,
  ])
  const test = await start(t, { chart: withJob, annotations: annotationNames })
  const end = (...types: string[]) => {
    const time = '2026-01-01T00:00:00Z'
    const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: time }))
    const completed = types.includes('Complete') ? { completionTime: time, succeeded: 1 } : { failed: 1 }
    const body = { status: { startTime: time, ...completed, conditions } }
    return test.client.patch(jobs, key, { type: 'merge', subresource: 'status', body })
  }
  const isThere = async () => (await find(test, jobs)) !== undefined
  await create(test, { text: 'one' })
  await test.settled()
  await edit(test, { spec: { text: 'two' } })
  await until(isThere)
  await end('FailureTarget', 'Failed')
  await until(async () => (await history(test)).join() === '1 superseded,2 failed,3 deployed')
  t.match(await find(test, configMaps), { data: { text: 'one' } }, 'the objects are as before')
  t.equal(await isThere(), false, 'hook-failed')
  t.match(await eventsOf(test, 'UpgradeFailed'), [
    /the hook Job default\/hello failed; its log is deleted with it/,
  ])

  await edit(test, { metadata: { annotations: { [annotationNames.retry]: 'again' } } })
  await until(isThere)
  await end('SuccessCriteriaMet', 'Complete')
  await until(async () => (await history(test)).at(-1) === '4 deployed')
  t.match(await find(test, configMaps), { data: { text: 'two' } })
  t.equal(await isThere(), false, 'hook-succeeded')
})

void t.test('the end of a hook is seen by its watch, and its status says what is waited for', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'pre-install,post-delete' })
  await test.settled()
  t.match(await conditionOf(test, 'Progressing'), {
    status: 'True',
    reason: 'Installing',
    message: 'waits for the hook Pod default/hello-hook (pre-install)',
  })
  await setPhase(test, 'Succeeded')
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
  await test.client.delete(greetings, key)
  await test.settled()
  t.match(await conditionOf(test, 'Progressing'), {
    status: 'True',
    reason: 'Uninstalling',
    message: 'waits for the hook Pod default/hello-hook (post-delete)',
  })
  await setPhase(test, 'Succeeded')
  await test.settled()
  t.equal(await find(test, greetings), undefined)
})

void t.test('a hook of several events runs at each of them', async (t) => {
  const test = await start(t)
  await create(test, { text: 'one', hook: 'pre-install,pre-delete' })
  await until(async () => (await find(test, pods, 'hello-hook')) !== undefined)
  await setPhase(test, 'Succeeded')
  await until(async () => (await history(test)).join() === '1 deployed')
  const first = (await find(test, pods, 'hello-hook'))?.metadata.uid
  await test.client.delete(greetings, key)
  await until(async () => {
    const uid = (await find(test, pods, 'hello-hook'))?.metadata.uid
    return uid !== undefined && (uid !== first || (await find(test, greetings)) === undefined)
  })
  t.ok(await find(test, configMaps), 'the objects wait for the second run')
  await setPhase(test, 'Succeeded')
  await until(async () => (await find(test, greetings)) === undefined)
})
