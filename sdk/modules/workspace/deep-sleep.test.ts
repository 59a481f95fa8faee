import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { dailyPart } from '../../../test/daily-part.js'
import { exhaust } from '../../../testing/explore/exhaust.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { testPlugin } from '../../../testing/plugin/test-plugin.js'
import { operatorScenario } from '../../../testing/scenario/operator-scenario.js'
import { createClient } from '../../engine/client/create-client.js'
import { deployments, namespaces, persistentVolumeClaims, pods } from '../../engine/kube/builtin.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import type { Resource } from '../../engine/kube/resource.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport } from '../../engine/transport/transport.js'
import type { Plugin } from '../../vcluster/plugin/plugin.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  NotingProgram,
  registering,
  shop,
  startTimed,
  switchWorkspace,
  type TimedTest,
} from '../module/modules.fixture.js'
import { moduleControllers } from '../module-controllers.js'
import {
  byHand,
  createPod,
  createWorkload,
  hostNamespace,
  playWorkloads,
  readStatefulSet,
  vcluster,
} from './vcluster.fixture.js'

const dev = { namespace: 'default', name: 'dev' }
const options = { modules: { vclusters: true, references: 'all-namespaces' as const } }
const createNamespace = { metadata: { name: hostNamespace } }
const podsLeft = async ({ client }: TimedTest) =>
  (await client.list(pods, { namespace: hostNamespace })).items.length

const boundTo = (transport: Transport): Transport => ({
  request: (request) => transport.request(request),
  stream: (request) => transport.stream(request),
  close: () => transport.close(),
})

/** A Workspace with a vcluster of three replicas, and a Module. */
async function startDeep(
  t: Parameters<typeof startTimed>[0],
  more: Parameters<typeof startTimed>[1] = {},
): Promise<TimedTest> {
  const test = await startTimed(t, { ...options, ...more })
  await test.client.delete(workspaces, dev)
  await test.client.create(namespaces, createNamespace)
  await createWorkload(test.client)
  await createPod(test.client)
  await playWorkloads(test)
  await test.pass(0)
  await createWorkspace(test.client, { vcluster })
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  return test
}
const status = async ({ client }: TimedTest) => (await client.get(workspaces, dev)).status
const phase = async (test: TimedTest) => (await test.live()).status?.phase

void t.test(
  'a vcluster sleeps after its Modules, its Pods after it, and it wakes with its replicas',
  async (t) => {
    const test = await startDeep(t)
    t.match(await status(test), { phase: 'ready', ready: true, vcluster: 'awake' })
    t.equal(await phase(test), 'ready')
    let end = () => {}
    const modulesSleep = new Promise<void>((resolve) => {
      end = resolve
    })
    test.noting.behaviour.sleep = () => modulesSleep
    await switchWorkspace(test.client, true)
    await test.pass(0)
    t.equal((await readStatefulSet(test.client)).replicas, 3, 'it waits for the Module')
    end()
    await test.pass(0)
    t.equal(await phase(test), 'sleeped')
    const paused = await readStatefulSet(test.client)
    t.match(paused, {
      replicas: 0,
      annotations: {
        'loft.sh/paused': 'true',
        'loft.sh/paused-replicas': '3',
        'loft.sh/paused-date': /^2024-01-01T00:00:\d\dZ$/,
      },
    })
    t.match(await status(test), { phase: 'ready', ready: false, vcluster: 'sleeping' })
    t.equal(await podsLeft(test), 1, 'the vcluster would make its Pods again as long as it runs')
    await playWorkloads(test)
    await test.pass(0)
    t.equal(await podsLeft(test), 0)
    t.match(await status(test), { phase: 'hibernated', ready: false, vcluster: 'asleep' })

    await switchWorkspace(test.client, false)
    await test.pass(0)
    t.strictSame(await readStatefulSet(test.client), { replicas: 3, annotations: {} })
    t.equal(await phase(test), 'sleeped', 'the Module waits until the API serves')
    await playWorkloads(test)
    await test.pass(0)
    t.match(await status(test), { phase: 'ready', ready: true, vcluster: 'awake' })
    t.equal(await phase(test), 'ready')
    t.strictSame(test.noting.texts, ['install 1 first', 'sleep 1 first', 'resume 1 first'])
  },
)

void t.test(
  'no Module begins anything while the vcluster goes to sleep: the status says so first',
  async (t) => {
    const states: unknown[] = []
    let test: TimedTest | undefined
    const wrap = (transport: Transport): Transport => ({
      ...boundTo(transport),
      request: async (request) => {
        const isPause = request.method === 'PATCH' && request.path.includes('/statefulsets/')
        if (isPause && test) states.push((await status(test))?.vcluster)
        return transport.request(request)
      },
    })
    test = await startDeep(t, { wrap })
    await switchWorkspace(test.client, true)
    await test.pass(0)
    t.strictSame(states, ['sleeping'])
  },
)

void t.test(
  'its writes are in the order of vcluster pause: one patch with annotations and replicas, then the Pods',
  async (t) => {
    const writes: string[] = []
    let lastPhase = ''
    const wrap = (transport: Transport): Transport => ({
      ...boundTo(transport),
      request: (request) => {
        const isModule = request.path.includes('/modules/shop/status')
        const { status, spec, metadata } = JSON.parse(String(request.body || '{}'))
        if (isModule && status?.phase && status.phase !== lastPhase) writes.push(`Module ${status.phase}`)
        if (isModule) lastPhase = status?.phase ?? lastPhase
        if (request.method === 'PATCH' && request.path.includes('/statefulsets/'))
          writes.push(`replicas ${spec?.replicas}, ${Object.keys(metadata.annotations).sort().join(' ')}`)
        if (request.method === 'DELETE') writes.push(`delete ${request.path.split('/').slice(-2)[0]}`)
        return transport.request(request)
      },
    })
    const test = await startDeep(t, { wrap })
    const claim = {
      metadata: { namespace: hostNamespace, name: 'data-dev-0', labels: { release: vcluster.name } },
    }
    const requests = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    await test.client.create(persistentVolumeClaims, { ...claim, spec: requests })
    await createPod(test.client, 'of-another-vcluster')
    const labels = { 'vcluster.loft.sh/managed-by': 'another' }
    const body = { metadata: { labels } }
    await test.client.patch(pods, { ...claim.metadata, name: 'of-another-vcluster' }, { type: 'merge', body })
    writes.length = 0
    await switchWorkspace(test.client, true)
    for (let turn = 0; turn < 2; turn++) {
      await test.pass(0)
      await playWorkloads(test)
    }
    await test.pass(0)
    const all = 'forkspacer.com/paused-by loft.sh/paused loft.sh/paused-date loft.sh/paused-replicas'
    t.strictSame(writes, ['Module sleeping', 'Module sleeped', `replicas 0, ${all}`, 'delete pods'])
    t.equal(await podsLeft(test), 1, 'that of another vcluster')
    t.ok(await test.client.get(persistentVolumeClaims, claim.metadata), 'volumes stay')
    writes.length = 0
    await switchWorkspace(test.client, false)
    for (let turn = 0; turn < 2; turn++) {
      await test.pass(0)
      await playWorkloads(test)
    }
    await test.pass(0)
    t.strictSame(writes, [`replicas 3, ${all}`, 'Module resuming', 'Module ready'])
  },
)

void t.test('a vcluster whose volumes would go with its sleep stays awake, and that is said', async (t) => {
  const test = await startDeep(t)
  const body = { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } }
  const { spec } = await test.client.get(statefulSets, vcluster)
  await test.client.delete(statefulSets, vcluster)
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claim }]
  const labels = { app: 'vcluster', release: vcluster.name }
  await test.client.create(statefulSets, {
    metadata: { ...vcluster, labels },
    spec: { ...spec, ...body.spec, volumeClaimTemplates },
  } as never)
  await playWorkloads(test)
  await switchWorkspace(test.client, true)
  await test.pass(0)
  t.equal((await readStatefulSet(test.client)).replicas, 3)
  t.match((await status(test))?.message, /StatefulSet team-dev\/dev is not put to sleep: .*Set it to Retain$/)
  const kept = { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Retain' } } }
  await test.client.patch(statefulSets, vcluster, { type: 'merge', body: kept })
  await test.pass(0)
  t.equal((await readStatefulSet(test.client)).replicas, 0)
})

void t.test('vcluster resume wakes what a Workspace put to sleep', async (t) => {
  const test = await startDeep(t)
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await playWorkloads(test)
  await test.pass(0)
  t.match(await status(test), { vcluster: 'asleep' })
  await byHand(test.client, 'resume')
  await playWorkloads(test)
  await test.pass(0)
  t.strictSame(await readStatefulSet(test.client), { replicas: 3, annotations: {} })
  const workspace = await test.client.get(workspaces, dev)
  t.match(workspace, { spec: { hibernated: false }, status: { phase: 'ready', vcluster: 'awake' } })
  t.equal(await phase(test), 'ready')
  await byHand(test.client, 'pause')
  await playWorkloads(test)
  await test.pass(0)
  t.match(await status(test), { phase: 'hibernated', vcluster: 'asleep' }, 'it is not waked again')
})

void t.test('a vcluster that was paused by hand is left alone, and its Modules too', async (t) => {
  const test = await startDeep(t)
  await byHand(test.client, 'pause')
  await playWorkloads(test)
  await test.pass(0)
  const message = 'vcluster team-dev/dev was paused by hand; resume it by hand'
  t.match(await status(test), { phase: 'hibernated', ready: false, vcluster: 'asleep', message })
  await test.change({ hibernated: true })
  await test.pass(3_600_000)
  t.match((await test.live()).status, { phase: 'ready', message: /waits for the vcluster/ })
  t.strictSame(test.noting.texts, ['install 1 first'])
  await test.client.delete(modules, shop)
  await test.pass(3_600_000)
  t.match(await test.live(), { metadata: { finalizers: ['forkspacer.com/module'] } })
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await switchWorkspace(test.client, false)
  await test.pass(0)
  await playWorkloads(test)
  await test.pass(0)
  t.equal((await readStatefulSet(test.client)).replicas, 3, 'the Workspace wakes what was paused by hand')
  await t.rejects(test.live(), { code: 404 })
})

void t.test('a Workspace that is deleted asleep wakes its vcluster, also without Modules', async (t) => {
  const test = await startDeep(t)
  const settle = async () => {
    await test.pass(0)
    await playWorkloads(test)
    await test.pass(0)
  }
  await test.client.delete(modules, shop)
  await switchWorkspace(test.client, true)
  await settle()
  t.match(await status(test), { phase: 'hibernated', vcluster: 'asleep' })
  await test.client.delete(workspaces, dev)
  await settle()
  t.strictSame(await readStatefulSet(test.client), { replicas: 3, annotations: {} })
  await t.rejects(status(test), { code: 404 })

  await byHand(test.client, 'pause')
  await createWorkspace(test.client, { vcluster })
  await settle()
  await test.client.delete(workspaces, dev)
  await settle()
  t.match(await readStatefulSet(test.client), { replicas: 0 }, 'one that was paused by hand is left alone')
  await t.rejects(status(test), { code: 404 })
})

void t.test('a Workspace whose vcluster was deleted asleep can be deleted', async (t) => {
  const test = await startDeep(t)
  test.noting.behaviour.uninstall = () => Promise.reject(new Error('no connection'))
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await playWorkloads(test)
  await test.pass(0)
  t.match(await status(test), { vcluster: 'asleep' })
  await test.client.delete(statefulSets, vcluster)
  await test.client.delete(workspaces, dev)
  await test.pass(30_000)
  const forceDelete = /the annotation forkspacer.com\/force-delete: "true" lets the Module go/
  t.match(await status(test), {
    phase: 'terminating',
    message: /^waits for the Modules default\/shop; vcluster team-dev\/dev does not exist: /,
  })
  t.match((await status(test))?.message, forceDelete)
  t.match((await test.live()).status, { phase: 'failed', message: forceDelete })
  test.noting.behaviour = {}
  await test.pass(600_000)
  await t.rejects(test.live(), { code: 404 }, 'a Module that does not need the vcluster is uninstalled')
  await t.rejects(status(test), { code: 404 })

  await createWorkspace(test.client, { vcluster })
  await test.pass(0)
  t.match(await status(test), { phase: 'failed', message: /does not exist/ })
  await test.client.delete(workspaces, dev)
  await test.pass(0)
  await t.rejects(status(test), { code: 404 })
})

void t.test('two Workspaces with one vcluster do not take it from each other', async (t) => {
  let patches = 0
  const wrap = (transport: Transport): Transport => ({
    ...boundTo(transport),
    request: async (request) => {
      if (request.method === 'PATCH' && /\/statefulsets\/[^/?]+(?:\?|$)/.test(request.path)) patches++
      if (patches > 20) throw new Error('the Workspaces take the vcluster from each other')
      return transport.request(request)
    },
  })
  const test = await startDeep(t, { wrap })
  const twin = { ...dev, name: 'twin' }
  const statusOf = async (key: typeof dev) => (await test.client.get(workspaces, key)).status
  const settle = async () => {
    await test.pass(0)
    await playWorkloads(test)
    await test.pass(0)
  }
  await switchWorkspace(test.client, true)
  await settle()
  t.equal(patches, 1)
  await test.client.create(workspaces, { metadata: twin, spec: { vcluster, hibernated: true } } as never)
  await settle()
  t.equal(patches, 1, 'it sleeps already')
  const asleep = { phase: 'hibernated', ready: false, vcluster: 'asleep' }
  const heldBy = (name: string) =>
    `vcluster team-dev/dev sleeps with Workspace default/${name}, which names it too; wake that one as well`
  t.match(await statusOf(dev), { ...asleep, message: undefined })
  t.match(await statusOf(twin), { ...asleep, message: heldBy('dev') })

  await switchWorkspace(test.client, false)
  await settle()
  t.equal(patches, 3, 'one Workspace wakes it, and the other puts it to sleep')
  t.match(await statusOf(dev), { ...asleep, message: heldBy('twin') })
  t.match(await statusOf(twin), { ...asleep, message: undefined })

  await test.client.patch(workspaces, twin, { type: 'merge', body: { spec: { hibernated: false } } })
  await settle()
  t.match(await statusOf(dev), { phase: 'ready', vcluster: 'awake' })
  t.match(await statusOf(twin), { phase: 'ready', vcluster: 'awake' })
  await test.client.delete(workspaces, twin)
  await switchWorkspace(test.client, true)
  await settle()
  const pausedBy = 'forkspacer.com/paused-by'
  const body = { metadata: { annotations: { [pausedBy]: 'uid-of-a-former-workspace' } } }
  await test.client.patch(statefulSets, vcluster, { type: 'merge', body })
  await settle()
  const { metadata } = await test.client.get(workspaces, dev)
  t.match(await readStatefulSet(test.client), { replicas: 0, annotations: { [pausedBy]: metadata.uid } })
})

void t.test('a vcluster of Deployments sleeps with its API server, controller and etcd', async (t) => {
  const patched: string[] = []
  const wrap = (transport: Transport): Transport => ({
    ...boundTo(transport),
    request: (request) => {
      const [, name] = /\/(?:deployments|statefulsets)\/([^/?]+)/.exec(request.path) ?? []
      if (request.method === 'PATCH' && name) patched.push(name)
      return transport.request(request)
    },
  })
  const test = await startTimed(t, { ...options, wrap })
  await test.client.create(namespaces, createNamespace)
  const kind = deployments as never as Resource
  await createWorkload(test.client, { kind, replicas: 1 })
  await createWorkload(test.client, { kind, app: 'vcluster-api', replicas: 2 })
  await createWorkload(test.client, { kind, app: 'vcluster-controller', replicas: 1 })
  await createWorkload(test.client, { app: 'vcluster-etcd', replicas: 3 })
  await playWorkloads(test)
  await test.client.create(workspaces, { metadata: { ...dev, name: 'deep' }, spec: { vcluster } } as never)
  await test.pass(0)
  const replicas = async () => {
    const apps = await test.client.list(deployments, { namespace: hostNamespace })
    const sets = await test.client.list(statefulSets, { namespace: hostNamespace })
    return Object.fromEntries(
      [...apps.items, ...sets.items].map(({ metadata, spec }) => [metadata.name, spec?.replicas]),
    )
  }
  const hibernate = async (hibernated: boolean) => {
    const body = { spec: { hibernated } }
    await test.client.patch(workspaces, { ...dev, name: 'deep' }, { type: 'merge', body })
    await test.pass(0)
    await playWorkloads(test)
    await test.pass(0)
  }
  const before = await replicas()
  await hibernate(true)
  t.strictSame(await replicas(), {
    dev: 0,
    'dev-vcluster-api': 0,
    'dev-vcluster-controller': 0,
    'dev-vcluster-etcd': 0,
  })
  const all = ['dev', 'dev-vcluster-api', 'dev-vcluster-controller', 'dev-vcluster-etcd']
  t.strictSame(patched.splice(0), all)
  await hibernate(false)
  t.strictSame(await replicas(), before)
  t.strictSame(patched, all.reverse(), 'its etcd wakes first')
  await hibernate(true)
  const annotations = { 'loft.sh/paused': null, 'loft.sh/paused-replicas': null }
  const body = { metadata: { annotations }, spec: { replicas: 1 } }
  await test.client.patch(kind, { namespace: hostNamespace, name: 'dev' }, { type: 'merge', body })
  await test.client.delete(workspaces, { ...dev, name: 'deep' })
  await test.pass(0)
  t.strictSame(await replicas(), before, 'a deletion wakes all, also if one was resumed by hand')
})

void t.test('replicas are not guessed, and a vcluster that is missing is named', async (t) => {
  const test = await startDeep(t)
  await switchWorkspace(test.client, true)
  await test.pass(0)
  await playWorkloads(test)
  await test.pass(0)
  const annotations = { 'loft.sh/paused-replicas': 'many' }
  await test.client.patch(statefulSets, vcluster, { type: 'merge', body: { metadata: { annotations } } })
  await switchWorkspace(test.client, false)
  await test.pass(0)
  t.match(await status(test), { phase: 'failed', message: /loft.sh\/paused-replicas is "many": set it/ })
  t.equal((await readStatefulSet(test.client)).replicas, 0)
  const spec = { vcluster: { ...vcluster, name: 'other' } }
  await test.client.create(workspaces, { metadata: { ...dev, name: 'lost' }, spec } as never)
  await test.pass(0)
  const lost = await test.client.get(workspaces, { ...dev, name: 'lost' })
  t.match(lost.status, { phase: 'failed', message: /vcluster team-dev\/other does not exist/ })
})

void t.test(
  'the vcluster of a plugin is refused, one of another namespace, and every one where they are not switched on',
  async (t) => {
    const [virtual, host] = [
      await createApiServer({ name: 'virtual' }),
      await createApiServer({ name: 'host' }),
    ]
    const plugin = await startTimed(t, {
      ...options,
      servers: { virtual, host },
      modules: { vclusters: true, references: 'all-namespaces', workspaces: 'virtual' },
    })
    const deep = { ...dev, name: 'deep' }
    const spec = { vcluster, connection: { type: 'virtual' } }
    await plugin.client.create(workspaces, { metadata: deep, spec } as never)
    await plugin.pass(0)
    t.match((await plugin.client.get(workspaces, deep)).status, {
      phase: 'failed',
      message: /a plugin cannot put its vcluster to sleep: scaling it to 0 ends the plugin itself/,
    })
    const test = await startTimed(t)
    await test.client.create(workspaces, { metadata: deep, spec: { vcluster } } as never)
    await test.pass(0)
    const message = /set vclusters in the options of moduleControllers/
    t.match((await test.client.get(workspaces, deep)).status, { phase: 'failed', message })
    const own = await startTimed(t, { modules: { vclusters: true } })
    await own.client.create(workspaces, { metadata: deep, spec: { vcluster } } as never)
    await own.pass(0)
    t.match((await own.client.get(workspaces, deep)).status, {
      phase: 'failed',
      message: /spec.vcluster names the namespace team-dev, whose users may not want it to sleep/,
    })
  },
)

void t.test('a plugin between two clusters refuses to put its own vcluster to sleep', async (t) => {
  const register = (plugin: Plugin) =>
    plugin.register(
      ...moduleControllers({ workspaces: 'virtual', vclusters: true, references: 'all-namespaces' }),
    )
  const [virtualServer, hostServer] = [
    await createApiServer({ name: 'virtual' }),
    await createApiServer({ name: 'host' }),
  ]
  const virtual = createClient({ transport: inProcessTransport(virtualServer) })
  await serveDefinitions(virtual, definitions)
  const host = createClient({ transport: inProcessTransport(hostServer) })
  await host.create(namespaces, createNamespace)
  await createWorkload(host)
  const plugin = await testPlugin(register as never, { virtualServer, hostServer, logger: silentLogger })
  t.teardown(() => plugin.stop())
  await createWorkspace(virtual, { vcluster, hibernated: true, connection: { type: 'virtual' } })
  await plugin.settled()
  t.match((await virtual.get(workspaces, dev)).status, {
    phase: 'failed',
    message:
      /a plugin cannot put its vcluster to sleep: scaling it to 0 ends the plugin itself, and nothing would be/,
  })
  t.strictSame(await readStatefulSet(host), { replicas: 3, annotations: {} })
})

void t.test('a crash before or after any write of a deep sleep and its wake has the same end', async (t) => {
  const switched =
    (hibernated: boolean) =>
    ({ client }: { client: TimedTest['client'] }) =>
      switchWorkspace(client, hibernated)
  const scenario = operatorScenario({
    register: registering(new NotingProgram(), options.modules),
    definitions,
    before: async ({ client }) => {
      await client.create(namespaces, createNamespace)
      await createWorkload(client)
      await createPod(client)
      await playWorkloads({ client })
      await createWorkspace(client, { vcluster })
    },
    simulate: playWorkloads,
    owns: ({ metadata }) => metadata.namespace === hostNamespace,
    writesPerChange: 16,
    steps: {
      'a Module is created': ({ client }) => client.create(modules, moduleOf()),
      'the Workspace is to sleep': switched(true),
      'the Workspace is to wake': switched(false),
    },
  })
  const { missed, writes, runs } = await exhaust(scenario, { faults: ['crashes'], part: dailyPart })
  t.strictSame(missed, [], 'every crash was injected')
  t.ok(
    writes.some((write) => /pods/.test(write)),
    'the deletion of the Pod is one of the writes',
  )
  t.comment(`${writes.length} writes, ${runs} crashes`)
})
