import t, { type Test } from 'tap'
import type { FaultAction } from '../../../apiserver/faults/fault-action.js'
import type { Client } from '../../engine/client/client.js'
import {
  customResourceDefinitions,
  type Pod,
  persistentVolumeClaims,
  pods,
} from '../../engine/kube/builtin.js'
import type { Key } from '../../engine/kube/key.js'
import { modules } from '../kinds/module-kind.js'
import type { ForkedData, Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { events, startTimed, switchWorkspace, type TimedTest } from '../module/modules.fixture.js'
import { abandonVolume } from './data-volumes.js'
import { copiedModule, copy, createFork, createPair, dev, withVolumes } from './fork-data.fixture.js'
import { contentOf, forkPods, kubelet, volumeMigration } from './volumes.fixture.js'
import { workspaceFacts } from './workspace-facts.js'

const statusOf = async ({ client }: TimedTest) => (await client.get(workspaces, copy)).status
const volumeOf = async (test: TimedTest) =>
  (await statusOf(test))?.fork?.data?.find(({ kind }) => kind === 'PersistentVolumeClaim')
const phaseOfCopy = async ({ client }: TimedTest) =>
  (await client.get(modules, { ...copy, name: copiedModule })).status?.phase

/** A source that is awake, its copy, and a fork. */
async function startFork(t: Test, migration: object = volumeMigration) {
  const before = await startTimed(t, { modules: withVolumes })
  await before.operator.stop()
  const played = kubelet()
  played.reset()
  await createPair(before.client, migration)
  const servers = { main: before.server }
  const test = await startTimed(t, {
    modules: { ...withVolumes, kubeconfigs: true },
    servers,
    clock: before.clock,
  })
  await test.pass(0)
  await createFork(test)
  await test.pass(0)
  const turn = async () => {
    for (let at = 0; at < 3; at++) {
      await played.play(test)
      await test.pass(5_000)
    }
  }
  return { ...test, played, turn }
}

void t.test('a volume is copied while the source sleeps, by two Pods that agree', async (t) => {
  const test = await startFork(t)
  t.match(await volumeOf(test), {
    phase: 'waiting',
    message: /Module default\/shop is not asleep.*set spec.hibernated/,
  })
  const why = /^copies data: 1 of 3 objects are left; Module default\/shop is not asleep.*set spec.hibernated/
  t.match(await statusOf(test), {
    phase: 'installing',
    ready: false,
    message: why,
    conditions: [{ type: 'Ready', status: 'False', reason: 'CopyingData', message: why }],
  })
  const workspace = await test.client.get(workspaces, copy)
  const now = new Date('2024-01-01T00:00:00Z')
  t.match(workspaceFacts(workspace, { modules: [], now }).waitsFor, [why], 'why says it as well')
  t.strictSame(await forkPods(test.client), [])
  t.equal(await phaseOfCopy(test), 'sleeped')
  await switchWorkspace(test.client, true)
  await test.pass(0)
  const [name = ''] = await forkPods(test.client)
  t.match(await volumeOf(test), { phase: 'copying', message: /Pod default\/fork-data-.*-0-from is pending/ })
  const source = await test.client.get(pods, { namespace: 'default', name })
  t.match(source.spec, {
    restartPolicy: 'Never',
    activeDeadlineSeconds: 3600,
    automountServiceAccountToken: false,
    containers: [
      {
        image: 'operator:1',
        volumeMounts: [{ readOnly: true }],
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
    volumes: [{ persistentVolumeClaim: { claimName: 'data-web-0', readOnly: true } }],
  })
  t.notOk(
    source.spec?.containers[0]?.env?.some(({ value = '' }) => /[0-9a-f]{64}/.test(value)),
    'the key is in a Secret',
  )
  await test.turn()
  t.equal(contentOf('data-web-copy-0'), 'files of data-web-0')
  t.match(await volumeOf(test), { phase: 'done', bytes: 19, sha256: /^[0-9a-f]{64}$/ })
  t.strictSame(await forkPods(test.client), [], 'Pods and Secrets are deleted')
  t.match(await statusOf(test), {
    phase: 'ready',
    ready: true,
    message: undefined,
    fork: { phase: 'done' },
    conditions: [{ type: 'Ready', status: 'True' }],
  })
  t.equal(await phaseOfCopy(test), 'ready')
})

void t.test('a copy that fails begins again with new Pods, and the fork sleeps on', async (t) => {
  const test = await startFork(t)
  const wrong: [string, RegExp][] = [
    ['{"error":"tar could not write the volume: it ended with 2"}', /-to failed: tar could not write/],
    ['{"bytes":19,"sha256":"00"}', /sent and received different files/],
    ['nonsense', /ended without a report: Succeeded/],
  ]
  await switchWorkspace(test.client, true)
  for (const [at, [report, message]] of wrong.entries()) {
    test.played.report = () => report
    await test.pass(0)
    for (let turns = 0; turns < 20 && ((await volumeOf(test))?.attempt ?? 0) <= at; turns++) {
      await test.played.play(test)
      await test.pass(2_000)
    }
    t.match(await volumeOf(test), { phase: 'waiting', attempt: at + 1, message })
    t.strictSame(await forkPods(test.client), [])
  }
  t.equal(await phaseOfCopy(test), 'sleeped')
  test.played.report = undefined
  await test.pass(20_000)
  await test.turn()
  t.match(await volumeOf(test), { phase: 'done' })
})

void t.test('a source that wakes meanwhile makes a copy void', async (t) => {
  const test = await startFork(t)
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await switchWorkspace(test.client, false)
  await test.pass(5_000)
  t.match(await volumeOf(test), {
    phase: 'waiting',
    message: /woke while its volume was copied|is not asleep/,
  })
  t.strictSame(await forkPods(test.client), [])
})

void t.test('all volumes of a Module are copied during one sleep of it', async (t) => {
  const names = ['data-{{ .releaseName }}-0', 'log-{{ .releaseName }}-0']
  const test = await startFork(t, { pvc: { enabled: true, names } })
  const volumes = async () => (await statusOf(test))?.fork?.data ?? []
  const isSlow = (pod: Pod) => pod.spec?.volumes?.[0]?.persistentVolumeClaim?.claimName.startsWith('log-')
  test.played.skips = isSlow
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await test.turn()
  t.match(await volumes(), [{ phase: 'done' }, { phase: 'copying' }])
  await switchWorkspace(test.client, false)
  await test.pass(10_000)
  t.match(
    await volumes(),
    [{ phase: 'done' }, { phase: 'waiting' }],
    'nothing is read while the source is awake',
  )
  test.played.change('data-web-0', 'newer files')
  test.played.skips = undefined
  await switchWorkspace(test.client, true)
  await test.pass(20_000)
  await test.turn()
  const during = (await volumes()).map((one) => one.during)
  t.equal(new Set(during).size, 1)
  t.match(await volumes(), [{ phase: 'done' }, { phase: 'done' }])
  t.equal(contentOf('data-web-copy-0'), 'newer files')
  t.match(await statusOf(test), { fork: { phase: 'done' }, phase: 'ready', message: undefined })
})

void t.test('a claim of others is neither read nor written', async (t) => {
  const test = await startFork(t)
  const key = { namespace: 'default', name: 'data-web-copy-0' }
  const body = { metadata: { labels: { 'forkspacer.com/module': null } } }
  await test.client.patch(persistentVolumeClaims, key, { type: 'merge', body })
  await switchWorkspace(test.client, true)
  await test.pass(0)
  const message = /PersistentVolumeClaim default\/data-web-copy-0 does not belong to the Module/
  t.match(await volumeOf(test), { phase: 'waiting', message })
  t.strictSame(await forkPods(test.client), [])
})

/** A fork whose volume is being copied, by a Pod and a Secret at each end. */
async function startCopying(t: Test) {
  const test = await startFork(t)
  await switchWorkspace(test.client, true)
  await test.pass(0)
  test.played.isServing = true
  await test.played.play(test)
  await test.pass(5_000)
  t.equal((await forkPods(test.client)).length, 4)
  return test
}

/** Deletes the fork; the objects that copied its volume and that it left, and its Events about them. */
async function afterDeletion(test: TimedTest) {
  await test.client.delete(workspaces, copy)
  await test.pass(0)
  return leftBy(test)
}

/** The objects that copied the volume of a fork, and its Events about those that it left. */
async function leftBy({ client }: TimedTest) {
  const { items } = await client.list(events)
  return {
    left: await forkPods(client),
    warnings: items.flatMap(({ reason, message }) => (reason === 'DataLeft' ? [message] : [])),
  }
}

/** Gives a Workspace a kubeconfig that does not exist. A connection is immutable otherwise. */
async function loseKubeconfig({ client, pass }: TimedTest, key: Key): Promise<void> {
  const rules =
    '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/connection/x-kubernetes-validations'
  const definition = { namespace: '', name: 'workspaces.batch.forkspacer.com' }
  await client.patch(customResourceDefinitions, definition, {
    type: 'json',
    body: [{ op: 'remove', path: rules }],
  })
  await pass(0)
  const secretReference = { namespace: 'default', name: 'lost', key: 'kubeconfig' }
  const body = { spec: { connection: { type: 'kubeconfig', secretReference } } }
  await client.patch(workspaces, key, { type: 'merge', body })
}

/** Lets the copied Module go without an uninstallation. */
function abandonCopy(client: Client) {
  const body = { metadata: { annotations: { 'forkspacer.com/force-delete': 'true' } } }
  return client.patch(modules, { ...copy, name: copiedModule }, { type: 'merge', body })
}

/** Deletes the source without its controller. */
async function loseSource({ client }: TimedTest): Promise<void> {
  await client.delete(workspaces, dev)
  await client.patch(workspaces, dev, { type: 'merge', body: { metadata: { finalizers: null } } })
}

const lose: [what: string, role: string, act: (test: TimedTest) => Promise<unknown>][] = [
  ['the kubeconfig of its source', 'from', (test) => loseKubeconfig(test, dev)],
  ['its source', 'from', loseSource],
  ['its own kubeconfig', 'to', (test) => abandonCopy(test.client).then(() => loseKubeconfig(test, copy))],
]
for (const [what, role, act] of lose)
  void t.test(`a fork that has lost ${what} is deleted, and an Event names what it leaves`, async (t) => {
    const test = await startCopying(t)
    await act(test)
    await test.pass(0)
    const { left, warnings } = await afterDeletion(test)
    await t.rejects(test.client.get(workspaces, copy), { code: 404 })
    await t.rejects(test.client.get(modules, { ...copy, name: copiedModule }), { code: 404 })
    t.equal(left.length, 2)
    t.ok(
      left.every((name) => name.endsWith(`-0-${role}`)),
      left.join(', '),
    )
    t.strictSame(warnings, [`delete the Pods and Secrets default/${left[0]} by hand`])
  })

const failures: [what: string, failure: FaultAction][] = [
  ['that breaks the connection', { type: 'reset', when: 'before' }],
  ['that answers 401', { type: 'status', code: 401 }],
  ['that answers 503', { type: 'status', code: 503 }],
]
/** A request for the kubeconfig of the source. */
const readsKubeconfig = { verb: 'get', resource: 'secrets', name: 'lost' }
for (const [what, failure] of failures)
  void t.test(`a fork that is deleted asks a server ${what} again for a kubeconfig`, async (t) => {
    const test = await startCopying(t)
    await loseKubeconfig(test, dev)
    const rule = test.server.faults.add(readsKubeconfig, failure)
    const { left, warnings } = await afterDeletion(test)
    t.strictSame([left.length, warnings], [4, []], 'nothing is given up')
    t.ok((await test.client.get(workspaces, copy)).metadata.deletionTimestamp)
    rule.remove()
    await test.pass(120_000)
    await t.rejects(test.client.get(workspaces, copy), { code: 404 })
    t.match(await leftBy(test), { left: { length: 2 }, warnings: [/^delete the Pods and Secrets/] })
  })

void t.test(
  'a fork that is deleted does not wait for a kubeconfig that the operator may not read',
  async (t) => {
    const test = await startCopying(t)
    await loseKubeconfig(test, dev)
    test.server.faults.add(readsKubeconfig, { type: 'status', code: 403 })
    const { left, warnings } = await afterDeletion(test)
    await t.rejects(test.client.get(workspaces, copy), { code: 404 })
    t.strictSame([left.length, warnings.length], [2, 1])
  },
)

void t.test('a run that is stopped gives up no end of a copy', async (t) => {
  const client = { get: () => Promise.reject(new Error('the connection is closed')) } as unknown as Client
  const end = { client, key: dev }
  const record = { module: 'shop', kind: 'PersistentVolumeClaim', from: 'a', phase: 'copying' } as ForkedData
  const stopped = new AbortController()
  const parts = { record, fork: { metadata: copy } as Workspace, from: end, to: end, signal: stopped.signal }
  t.equal((await abandonVolume(parts)).length, 2)
  stopped.abort(new Error('stopped'))
  await t.rejects(abandonVolume(parts), /stopped/)
})

void t.test('a fork that is deleted takes its Pods and Secrets along', async (t) => {
  const test = await startCopying(t)
  await test.client.delete(workspaces, copy)
  await test.pass(0)
  await t.rejects(test.client.get(workspaces, copy), { code: 404 })
  t.strictSame(await forkPods(test.client), [])
})
