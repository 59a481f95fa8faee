// Plugins with the real operator of CloudNativePG on a real API server. No Postgres runs.
import t, { type Test } from 'tap'
import { register as registerArchive } from '../../examples/cnpg-wal-archive/register.js'
import { type Backup, backups, type CnpgCluster, clusters } from '../../sdk/cnpg/cluster/cluster.js'
import { addSidecar, type CnpgPlugin, HookError } from '../../sdk/cnpg/index.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { type Pod, persistentVolumeClaims, pods } from '../../sdk/engine/kube/builtin.js'
import { jobs } from '../../sdk/engine/kube/builtin-workloads.js'
import { ApiError } from '../../sdk/engine/kube/error.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'
import { until } from '../until.js'
import { namespace, startEnvironment } from './environment.js'
import { SimulatedInstances } from './simulated-instances.js'
import { missingOperator } from './start-operator.js'

const [audit, hello, vault] = ['audit.example.org', 'hello-world.example.org', 'vault.example.org'] as const
/** The example that archives WAL: its parameters, and its name. */
const archive = {
  name: 'wal-archive.example.org',
  isWALArchiver: true,
  parameters: { claim: 'wal-archive' },
}
const db = { namespace, name: 'db' }
const healthy = 'Cluster in healthy state'

/** The calls of the plugins at sockets, for example `audit pre Cluster`. */
const calls: string[] = []
const countOf = (call: string) => calls.filter((one) => one === call).length
const state = { isSealed: true }

/** Labels what the operator makes, and takes part in everything that the operator asks. */
function registerAudit(plugin: CnpgPlugin): void {
  const label = (_ctx: unknown, { metadata }: { metadata: Pod['metadata'] }) => {
    metadata.labels = { ...metadata.labels, audited: 'true' }
  }
  const deleted = () => void calls.push('audit delete Pod')
  plugin.objects(jobs, { create: label }).objects(persistentVolumeClaims, { create: label })
  plugin.pods({ delete: deleted })
  plugin.cluster({
    preReconcile: () => void calls.push('audit pre Cluster'),
    postReconcile: () => void calls.push('audit post Cluster'),
  })
  plugin.backups({ preReconcile: () => void calls.push('audit pre Backup') })
}

/** Serves in instances as well, and holds a Cluster until it is opened. */
function registerVault(plugin: CnpgPlugin): void {
  plugin.pods({
    instance(ctx, pod) {
      addSidecar(pod, { name: 'vault', image: ctx.parameters.image ?? 'example.org/vault:1' })
    },
  })
  plugin.sidecar({ name: 'keys', image: 'example.org/keys:1' }, { jobs: true, instances: false })
  plugin.wal({ archive() {} })
  plugin.cluster({
    preReconcile(ctx) {
      calls.push('vault pre Cluster')
      if (ctx.parameters.key === 'lost')
        throw new HookError('parameter key: there is no key "lost" in the vault')
      return state.isSealed ? ctx.requeue(1, 'the vault is sealed') : undefined
    },
    postReconcile: () => void calls.push('vault post Cluster'),
  })
}

const clusterOf = (name: string, plugins: CnpgCluster['spec']['plugins']): CnpgCluster => ({
  metadata: { namespace, name },
  spec: { instances: 1, storage: { size: '1Gi' }, plugins: plugins ?? [] },
})

async function reaches(admin: Client, isReached: (status: NonNullable<CnpgCluster['status']>) => boolean) {
  await until(async () => isReached((await admin.get(clusters, db)).status ?? {}))
}

/** The statuses of the second plugin that the Cluster shows from now on; the operator empties them soon. */
function collectStatuses(t: Test, transport: Transport): ReadonlySet<string> {
  const seen = new Set<string>()
  const watch = watchResource({ transport, resource: clusters }).subscribe((event) => {
    if ('object' in event) seen.add(event.object.status?.pluginStatus?.[1]?.status ?? '')
  })
  t.teardown(() => watch.unsubscribe())
  return seen
}

/** Waits for reconciliations to the end: an idle Cluster has none, so its owner changes something of no effect. */
async function reconciledAgain(admin: Client): Promise<void> {
  for (const looked of ['once', 'twice']) {
    const before = countOf('audit post Cluster')
    await admin.patch(clusters, db, { type: 'merge', body: { metadata: { annotations: { looked } } } })
    await until(() => countOf('audit post Cluster') > before)
  }
}

/** Changes the parameters of a plugin in the Cluster. */
async function setParameters(admin: Client, plugin: string, parameters: Record<string, string>) {
  const { spec } = await admin.get(clusters, db)
  const plugins = spec.plugins?.map((one) => (one.name === plugin ? { ...one, parameters } : one))
  await admin.patch(clusters, db, { type: 'merge', body: { spec: { plugins } } })
}

void t.test('the operator with plugins', { skip: missingOperator(), timeout: 600_000 }, async (t) => {
  const { admin, transport, operator, deployed } = await startEnvironment(t, {
    [audit]: registerAudit,
    [vault]: registerVault,
    [archive.name]: (plugin) =>
      registerArchive(plugin as unknown as Parameters<typeof registerArchive>[0], {
        image: 'example.org/archive:1',
      }),
  })
  const instances = new SimulatedInstances(admin, db)
  t.teardown(() => instances.stop())
  t.teardown(
    () => t.passing() || console.error(operator.log().slice(-8000), deployed.lines.slice(-20).join('\n')),
  )
  instances.start()
  const statuses = collectStatuses(t, transport)

  await t.test('a Cluster waits for a plugin that the operator does not know', async (t) => {
    await admin.create(
      clusters,
      clusterOf('db', [...[audit, hello, vault].map((name) => ({ name })), archive]),
    )
    const unknown = 'Cluster cannot proceed to reconciliation due to an unknown plugin being required'
    await reaches(admin, ({ phase }) => phase === unknown)
    t.match((await admin.get(clusters, db)).status?.phaseReason, `Unknown plugin: '${hello}'`)
  })

  await t.test('the Service and the Secrets of the manifest make it known', async (t) => {
    await deployed.start()
    // The operator looks again after 10 s, or when the Cluster changes.
    await admin.patch(clusters, db, {
      type: 'merge',
      body: { metadata: { annotations: { looked: 'again' } } },
    })
    await reaches(admin, ({ pluginStatus }) => pluginStatus?.length === 4)
    const { status } = await admin.get(clusters, db)
    t.match(status?.pluginStatus, [
      { name: audit, version: '0.1.0', capabilities: ['TYPE_LIFECYCLE_SERVICE', 'TYPE_RECONCILER_HOOKS'] },
      { name: hello, version: '0.1.0', capabilities: ['TYPE_OPERATOR_SERVICE', 'TYPE_LIFECYCLE_SERVICE'] },
      { name: vault, walCapabilities: ['TYPE_ARCHIVE_WAL'] },
      { name: archive.name, walCapabilities: ['TYPE_ARCHIVE_WAL', 'TYPE_RESTORE_WAL'] },
    ])
  })

  await t.test('a plugin holds the Cluster before its instances are made', async (t) => {
    await until(() => countOf('vault pre Cluster') > 1)
    t.same((await admin.list(persistentVolumeClaims, { namespace })).items, [])
    state.isSealed = false
    await reaches(admin, ({ phase }) => phase === healthy)
  })

  await t.test('what the operator makes has the changes of all plugins', async (t) => {
    const audited = { metadata: { labels: { audited: 'true' } } }
    t.match((await admin.list(persistentVolumeClaims, { namespace })).items, [audited])
    t.match(instances.finished, [
      {
        ...audited,
        spec: {
          template: {
            spec: {
              initContainers: [{ name: 'bootstrap-controller' }, { name: 'keys' }, { name: 'wal-archive' }],
            },
          },
        },
      },
    ])
    const [pod] = (await admin.list(pods, { namespace })).items
    const restarted = { restartPolicy: 'Always', volumeMounts: [{ mountPath: '/plugins' }] }
    t.match(pod?.spec?.initContainers, [
      { name: 'bootstrap-controller' },
      { name: 'pauser', ...restarted },
      { name: 'vault', image: 'example.org/vault:1', ...restarted },
      { name: 'wal-archive', restartPolicy: 'Always' },
    ])
    t.match(pod?.metadata, {
      labels: { 'plugin-metadata': 'default' },
      annotations: { 'plugin-metadata': 'default' },
    })
    // The operator calls these after it has written the phase.
    await until(() => countOf('audit post Cluster') > 0 && countOf('vault post Cluster') > 0)
    await until(() => statuses.has('{"enabled":true}'))
  })

  await t.test(
    'the webhooks of the manifest fill and refuse Clusters, together with those of the operator',
    async (t) => {
      const created = await admin.create(clusters, clusterOf('filled', [{ name: hello }]), { dryRun: true })
      t.match(created.spec.plugins, [
        { name: hello, parameters: { labels: '{"plugin-metadata":"default"}' } },
      ])
      t.ok(created.spec.postgresql?.parameters, 'the operator fills its own defaults')
      const mistaken = clusterOf('mistaken', [{ name: hello, parameters: { labels: '{' } }])
      const refusal = await admin.create(clusters, mistaken).catch((error: unknown) => error)
      t.match(refusal, {
        status: { code: 422, message: 'spec.plugins.0.parameters.labels: Invalid value: "{": is not JSON' },
      })
      t.ok(refusal instanceof ApiError)
      const hidden = clusterOf('hidden', [
        { name: hello, enabled: false },
        { name: hello, parameters: { labels: '{' } },
      ])
      const other = await admin.create(clusters, hidden).catch((error: unknown) => error)
      t.match(other, { status: { message: 'spec.plugins.1.parameters.labels' } })
    },
  )

  await t.test('a sidecar that archives has the files and variables of Postgres', async (t) => {
    const [pod] = (await admin.list(pods, { namespace })).items
    const sidecar = pod?.spec?.initContainers?.find(({ name }) => name === 'wal-archive')
    const postgres = pod?.spec?.containers.find(({ name }) => name === 'postgres')
    const folder = postgres?.env?.find(({ name }) => name === 'PGDATA')?.value ?? ''
    t.equal(folder, '/var/lib/postgresql/data/pgdata')
    t.equal(sidecar?.env?.find(({ name }) => name === 'PGDATA')?.value, folder)
    const mounted = ({
      volumeMounts = [],
    }: {
      volumeMounts?: { name: string; mountPath: string }[] | undefined
    } = {}) => volumeMounts.map(({ name, mountPath }) => `${name} ${mountPath}`)
    for (const one of mounted(postgres)) t.ok(mounted(sidecar).includes(one), one)
    t.ok(mounted(sidecar).includes('pgdata /var/lib/postgresql/data'))
    t.ok(mounted(sidecar).includes('archive /archive'))
    const [job] = instances.finished
    const inJob = job?.spec?.template.spec?.initContainers?.find(({ name }) => name === 'wal-archive')
    t.ok(mounted(inJob).includes('pgdata /var/lib/postgresql/data'))
  })

  await t.test('an idle Cluster with a status is not reconciled without end', async (t) => {
    // Changes of the cases before this one may take a while to settle; an endless reconciliation never pauses.
    let last = { count: -1, at: 0 }
    await until(() => {
      const count = countOf('audit post Cluster')
      if (count !== last.count) last = { count, at: performance.now() }
      return performance.now() - last.at >= 5000
    })
    t.ok(last.count > 0)
  })

  await t.test('an idle Cluster keeps its Pod, and a change of its sidecar replaces it', async (t) => {
    const podOf = async () =>
      (await admin.list(pods, { namespace })).items.find(({ metadata }) => !metadata.deletionTimestamp)
    const before = await podOf()
    await reconciledAgain(admin)
    t.equal((await podOf())?.metadata.uid, before?.metadata.uid)
    await setParameters(admin, vault, { image: 'example.org/vault:2' })
    await until(async () => (await podOf())?.spec?.initContainers?.[2]?.image === 'example.org/vault:2')
    t.not((await podOf())?.metadata.uid, before?.metadata.uid)
    await until(() => countOf('audit delete Pod') > 0)
    await reaches(admin, ({ phase }) => phase === healthy)
  })

  await t.test('the owner of the Cluster reads what a hook throws', async (t) => {
    await setParameters(admin, vault, { image: 'example.org/vault:2', key: 'lost' })
    await reaches(
      admin,
      ({ phase }) =>
        phase === 'Cluster cannot proceed to reconciliation due to an error while interacting with plugins',
    )
    t.match((await admin.get(clusters, db)).status, {
      phaseReason:
        'rpc error: code = FailedPrecondition desc = parameter key: there is no key "lost" in the vault',
    })
    await setParameters(admin, vault, { image: 'example.org/vault:2' })
    await reaches(admin, ({ phase }) => phase === healthy)
  })

  await t.test('a Backup asks its hook, and fails without a kubelet to run it', async (t) => {
    const spec = { cluster: { name: 'db' }, method: 'plugin', pluginConfiguration: { name: vault } }
    const backup: Backup = { metadata: { namespace, name: 'nightly' }, spec }
    await admin.create(backups, backup)
    await until(
      async () => (await admin.get(backups, { namespace, name: 'nightly' })).status?.phase === 'failed',
    )
    t.ok(countOf('audit pre Backup') > 0)
  })

  await t.test('renewed certificates reach both sides without a failed reconciliation', async (t) => {
    const registered = () => operator.log().split('"Registered plugin"').length
    const before = registered()
    const { length } = operator.log()
    await deployed.renew()
    await until(() => registered() > before)
    await reconciledAgain(admin)
    t.equal((await admin.get(clusters, db)).status?.phase, healthy)
    t.notMatch(operator.log().slice(length), 'Error while discovering plugins')
  })
})
