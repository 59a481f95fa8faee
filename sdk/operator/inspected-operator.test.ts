import t from 'tap'
import { setWorkloadReady } from '../../testing/operator/set-ready.js'
import type { ControllerExplanation } from '../engine/inspector/controller-explanation.js'
import { configMaps, deployments, services } from '../engine/kube/builtin.js'
import { PermanentError } from '../engine/kube/error.js'
import { inspectedPlugin } from '../vcluster/plugin/inspection/inspected-plugin.fixture.js'
import { type Backup, backup, backupDefinition, backups, memcached } from './backups.fixture.js'
import type { ControllerOptions } from './controller/definition.js'
import { controller } from './engine/controller.js'
import { servedOperator } from './inspected-operator.fixture.js'

/** Fails by the settings of an object. */
const moody: ControllerOptions<Backup> = {
  ...memcached,
  async reconcile(ctx, object) {
    if (object.spec.settings === 'wrong') throw new PermanentError('settings cannot be read')
    if (object.spec.settings === 'later') return { requeueAfterMs: 60_000 }
    return memcached.reconcile(ctx, object)
  },
}

const named = (name: string, settings?: string): Backup => {
  const { metadata, spec } = backup(2)
  return { metadata: { ...metadata, name }, spec: { ...spec, ...(settings !== undefined && { settings }) } }
}

void t.test('the inspector of an operator', async (t) => {
  const { client, settled, overview, pairs, why } = await servedOperator(
    t,
    (operator) => operator.register(controller(backups, moody)),
    [backupDefinition],
  )
  for (const one of [named('daily'), named('bad', 'wrong'), named('hourly', 'later')])
    await client.create(backups, one)
  await settled()

  await t.test('tells what its controllers do', async (t) => {
    const told = await overview()
    t.match(told, {
      plugin: { name: 'inspected', mode: 'operator', vclusterName: null, isRunning: true },
      leadership: { state: 'leading' },
      syncers: [],
      hooks: [],
      controllers: [
        {
          name: 'backups',
          apiVersion: 'cache.my.domain/v1',
          kind: 'Backup',
          cluster: 'main',
          objects: 3,
          owns: [{ cluster: 'main', apiVersion: 'apps/v1', kind: 'Deployment' }],
          hasReleases: false,
          runs: { terminal_error: 1 },
          errors: [{ name: 'bad', message: 'settings cannot be read' }],
        },
      ],
    })
    t.strictSame(told.watches.map(({ side, kind }) => `${side} ${kind}`).sort(), [
      'main Backup',
      'main Deployment',
    ])
  })

  await t.test('lists the objects by their state', async (t) => {
    const { pairs: listed, counts } = await pairs()
    t.strictSame(
      listed.map(({ name, state, syncer, cluster, hasVirtual }) => [
        name,
        state,
        syncer,
        cluster,
        hasVirtual,
      ]),
      [
        ['bad', 'given up', 'backups', 'main', true],
        ['daily', 'in sync', 'backups', 'main', true],
        ['hourly', 'in sync', 'backups', 'main', true],
      ],
    )
    t.match(counts, { 'given up': 1, 'in sync': 2 })
  })

  await t.test('explains an object: its run, its conditions, what it owns and waits for', async (t) => {
    const [told] = await why('kind=backup&name=daily')
    t.match(told, {
      controller: 'backups',
      cluster: 'main',
      summary: 'Backup default/daily is reconciled.',
      lastRun: { result: 'success' },
      conditions: [{ type: 'Available', status: 'False', reason: 'DeploymentReady' }],
      owned: [{ kind: 'Deployment', namespace: 'default', name: 'daily', problem: /replicas/ }],
      tree: [{ name: 'Deployment default/daily', health: 'not ready', text: /replicas/, owns: [] }],
      waitsFor: [/^Deployment default\/daily: /],
      releaseDetails: null,
      yaml: /size: 2/,
    })
    const happened = told?.timeline.map((entry) =>
      'side' in entry ? `${entry.what} ${entry.verb} ${entry.object ?? 'own'}` : entry.what,
    )
    for (const entry of ['change appeared own', 'run', 'write written Deployment default/daily'])
      t.ok(happened?.includes(entry), `${entry} of ${happened}`)
    await setWorkloadReady(client, { metadata: { namespace: 'default', name: 'daily' } })
    await settled()
    const [ready] = await why('kind=backups.cache.my.domain&name=daily')
    t.match(ready, { conditions: [{ type: 'Available', status: 'True' }], owned: [{ problem: null }] })
    t.strictSame(ready?.waitsFor, [])
  })

  await t.test('says when an object runs again, and why it does not', async (t) => {
    t.match(await why('kind=backup&name=hourly'), [
      { lastRun: { result: 'requeue_after' }, waitsFor: [/^Its next run is in (60|[45]\d) s\.$/] },
    ])
    t.match(await why('kind=backup&name=bad'), [
      {
        state: 'given up',
        summary: /left as it is until it changes\. The last run failed: settings cannot be read/,
      },
    ])
    const annotations = { 'cache.my.domain/paused': 'true' }
    await client.patch(
      backups,
      { namespace: 'default', name: 'hourly' },
      { type: 'merge', body: { metadata: { annotations } } },
    )
    await settled()
    t.match(await why('kind=backup&name=hourly'), [
      {
        state: 'left alone',
        summary: /waits: The annotation cache\.my\.domain\/paused stops the controller\./,
      },
    ])
    t.match(await why('kind=backup&name=absent'), [
      { hasVirtual: false, summary: 'There is no Backup default/absent.' },
    ])
  })

  await t.test('says what a run waits for that ended early', async (t) => {
    const key = { namespace: 'default', name: 'daily' }
    await client.patch(deployments, key, { type: 'merge', body: { metadata: { finalizers: ['test/stay'] } } })
    await client.delete(deployments, key)
    await settled()
    t.match(await why('kind=backup&name=daily'), [
      { state: 'pending', summary: /waits: The last run ended early: .*daily is being deleted/ },
    ])
    await client.patch(deployments, key, { type: 'merge', body: { metadata: { finalizers: null } } })
    await settled()
    t.match(await why('kind=backup&name=daily'), [{ state: 'in sync' }])
  })
})

void t.test('the inspector of a plugin shows its controllers next to its syncers', async (t) => {
  const watcher = controller(services, {
    cluster: 'virtual',
    owns: [{ resource: configMaps, cluster: 'host' }] as never,
    reconcile: () => undefined,
  })
  const { read, virtual, settled, stop } = await inspectedPlugin({ controllers: [watcher as never] })
  t.teardown(stop)
  await virtual.create(services, {
    metadata: { namespace: 'default', name: 'web' },
    spec: { ports: [{ port: 80 }] },
  })
  await settled()
  t.match(await read('overview'), {
    syncers: [{ name: 'configmap' }, { name: 'secret' }],
    controllers: [{ name: 'services', cluster: 'virtual', owns: [{ cluster: 'host', kind: 'ConfigMap' }] }],
  })
  const [told] = (await read('why?kind=service&name=web')) as ControllerExplanation[]
  t.match(told, { controller: 'services', state: 'in sync', lastRun: { result: 'success' } })
  t.ok(told?.timeline.some(({ what }) => what === 'change'))
})
