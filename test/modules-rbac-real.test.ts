// Operators of Modules on a real API server, with exactly the permissions that `vcluster-plugin rbac` derives.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkAccess } from '../cli/rbac/check-access.js'
import webProgram from '../examples/modules/web-program.js'
import type { Client } from '../sdk/engine/client/client.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import {
  configMaps,
  customResourceDefinitions,
  deployments,
  persistentVolumeClaims,
  secrets,
  services,
} from '../sdk/engine/kube/builtin.js'
import { cronJobs, horizontalPodAutoscalers, statefulSets } from '../sdk/engine/kube/builtin-workloads.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { loadChart } from '../sdk/helm/index.js'
import { createChart, helm, helmModule, workloadsOf } from '../sdk/modules/helm/helm.fixture.js'
import { type ManagedWorkspacesOptions, type Module, modules, workspaces } from '../sdk/modules/index.js'
import { kubeconfigSecretOf } from '../sdk/modules/managed/place.js'
import { createWorkspace, definitions } from '../sdk/modules/module/modules.fixture.js'
import { createFork, releaseOfCopy, withVolumes } from '../sdk/modules/workspace/fork-data.fixture.js'
import {
  createManaged,
  managed,
  managedNamespaces,
  placeOfKey,
  playVclusters,
} from '../sdk/modules/workspace/managed.fixture.js'
import { forkPods, kubelet, volumeMigration } from '../sdk/modules/workspace/volumes.fixture.js'
import type { ControllerPermission } from '../sdk/operator/controller/controller-permission.js'
import { root } from './dev-run.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { rbacKind } from './real/service-account.js'
import { restrictedOperator, type Server } from './restricted-operator.js'
import { run } from './run-program.js'
import { until } from './until.js'

const dev = { namespace: 'default', name: 'dev' }
const of = (name: string) => ({ namespace: 'default', name })
const moduleOf = (name: string, origin: Partial<Module['spec']>): Module => ({
  metadata: of(name),
  spec: { workspace: dev, hibernated: false, config: { appName: name }, ...origin },
})
const builtIn = { source: { raw: { kind: 'Web', metadata: {} } } }
const loaded = { custom: { program: { configMap: { ...of('web-program'), key: 'plugin' } } } }

/** The permissions for the objects of managers and charts. */
const toKeep = (resources: readonly unknown[]): ControllerPermission[] =>
  resources.map((resource) => ({ resource, verbs: ['get', 'create', 'patch', 'delete'] })) as never

/** The verbs for objects that have changed meanwhile. */
const ofRaces = ['get modules.batch.forkspacer.com', 'get workspaces.batch.forkspacer.com']

const skip = missingAssets()
void t.test('operators of Modules have exactly their permissions', { skip, timeout: 600_000 }, async (t) => {
  // On OpenShift, an owner reference that blocks deletion needs `update` on the finalizers of the owner.
  const args = ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement']
  const folder = t.testdir({ cache: {} })
  const building = run(root, [
    ...[process.execPath, 'bin/vcluster-plugin.js', 'module', 'build', 'examples/modules/web-program.ts'],
    ...['--out', folder],
  ])
  const cluster = await startRealCluster({ apiserverArgs: args })
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const server = { admin, transport, cluster }
  for (const definition of definitions) await admin.create(customResourceDefinitions, definition)
  for (const kind of [modules, workspaces]) await until(() => succeeds(admin.list(kind as typeof modules)))
  const inPhase = (name: string, phase: string) =>
    until(async () => (await admin.get(modules, of(name))).status?.phase === phase)
  const deleted = async (...names: string[]) => {
    for (const name of names) await admin.delete(workspaces, of(name))
    await until(async () => (await admin.list(workspaces)).items.length === 0)
  }

  await t.test('with programs', async (t) => {
    const { account, permissions, roles, kubeconfig, used, forbidden, stop } = await restrictedOperator(
      'programs',
      {
        builtIn: { Web: webProgram },
        programs: { allow: [], cacheFolder: join(folder, 'cache'), configMapNamespaces: ['default'] },
        metadata: 'secret',
        permissions: toKeep([deployments, services]),
      },
      server,
    )
    await building
    const content = await readFile(join(folder, 'program.mjs'), 'utf8')
    await admin.create(configMaps, { metadata: of('web-program'), data: { plugin: content } })
    await createWorkspace(admin)
    await admin.create(modules, moduleOf('shop', builtIn))
    await admin.create(modules, moduleOf('loaded', loaded))
    await inPhase('shop', 'ready')
    await inPhase('loaded', 'ready')
    const stored = await admin.get(secrets, of('shop-manager-data'))
    t.equal(stored.metadata.ownerReferences?.[0]?.name, 'shop')

    await admin.create(workspaces, { metadata: of('fork'), spec: { from: dev } } as never)
    await until(async () => (await admin.list(modules)).items.length === 4)
    // A schedule switches `spec.hibernated`.
    const autoHibernation = { enabled: true, schedule: '* * * * * *' }
    await admin.patch(workspaces, dev, { type: 'merge', body: { spec: { autoHibernation } } })
    await inPhase('shop', 'sleeped')
    await inPhase('loaded', 'sleeped')
    await deleted('dev', 'fork')
    t.ok(await admin.get(deployments, of('loaded')).then(() => false, isNotFound))
    await until(async () => (await admin.list(configMaps, { namespace: 'default' })).items.length === 1)
    await stop()
    t.same(forbidden, [])
    const own = permissions.flatMap(({ verbs, group, resource }) =>
      verbs.map((verb) => `${verb} ${group === '' ? resource : `${resource}.${group}`}`),
    )
    const checkedByServer = ['modules', 'workspaces'].map(
      (kind) => `update ${kind}/finalizers.batch.forkspacer.com`,
    )
    const needed = new Set([...used, 'patch events.events.k8s.io', ...ofRaces, ...checkedByServer])
    t.same([...needed].sort(), [...new Set(own)].sort())

    await t.test('the check finds a verb of Secrets that is missing', async (t) => {
      const asAccount = createTransport({ kubeconfig })
      t.teardown(() => asAccount.close())
      const check = async () =>
        (await checkAccess({ transport: asAccount, permissions, namespace: account.namespace })).missing
      t.same(await check(), [])
      const role = roles.find(({ kind }) => kind === 'ClusterRole')
      const rules = role?.rules.map((rule) =>
        rule.resources?.includes('secrets') ? { ...rule, verbs: ['get', 'create'] } : rule,
      )
      const place = { namespace: '', name: account.name }
      await admin.patch(rbacKind('ClusterRole'), place, { type: 'merge', body: { rules } })
      await until(async () => (await check()).length > 0)
      t.match(await check(), [{ resource: 'secrets', verb: 'update' }])
    })
  })

  await t.test('with Helm releases', async (t) => {
    const kinds = [configMaps, secrets, deployments, statefulSets, cronJobs, horizontalPodAutoscalers]
    const options = { helm, permissions: toKeep(kinds) }
    const { forbidden, stop } = await restrictedOperator('releases', options, server)
    await createWorkspace(admin)
    await createChart(admin)
    await admin.create(modules, helmModule({ cleanup: { removePVCs: true } }))
    await inPhase('shop', 'ready')
    t.match(await workloadsOf(admin), { deployment: 3, set: 2, suspended: false })
    await admin.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated: true } } })
    await inPhase('shop', 'sleeped')
    t.match(await workloadsOf(admin), { deployment: 0, set: 0, suspended: true })
    await admin.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated: false } } })
    await inPhase('shop', 'ready')
    await deleted('dev')
    t.match(await workloadsOf(admin), { deployment: undefined, set: undefined })
    await stop()
    t.same(forbidden, [])
  })

  await t.test('with forks of data', async (t) => {
    const kinds = [configMaps, secrets, deployments, statefulSets, cronJobs, horizontalPodAutoscalers]
    const options = { ...withVolumes, permissions: toKeep(kinds) }
    const { forbidden, stop } = await restrictedOperator('forks', options, server)
    const { play } = kubelet()
    await createWorkspace(admin)
    const values = [{ raw: { only: ['Secret', 'ConfigMap', 'StatefulSet'] } }]
    await admin.create(modules, helmModule({ values, migration: volumeMigration }))
    await inPhase('shop', 'ready')
    await createClaim(admin, 'data-web-0')
    await createFork({ client: admin })
    await until(
      async () =>
        (await forkOf(admin))?.data?.some(({ message }) => message?.includes('not asleep')) ?? false,
    )
    await createClaim(admin, `data-${await releaseOfCopy(admin)}-0`)
    await admin.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated: true } } })
    await until(async () => {
      await play({ client: admin })
      return (await forkOf(admin))?.phase === 'done'
    })
    t.match(await forkOf(admin), {
      data: [{ phase: 'done' }, { phase: 'done' }, { phase: 'done', bytes: 19 }],
    })
    await until(async () => (await forkPods(admin)).length === 0)
    await deleted('copy', 'dev')
    await stop()
    t.same(forbidden, [])
  })

  const withManaged = async (t: Test, name: string, chart: ManagedWorkspacesOptions['chart']) => {
    // The vcluster is the cluster itself, and its controllers are played.
    // The API server of the test represents that of the vcluster, at a loopback address.
    const kubeconfigs = { networks: ['127.0.0.0/8'] }
    const options = { builtIn: { Web: webProgram }, managed: { chart }, kubeconfigs }
    const { forbidden, stop } = await restrictedOperator(name, options, server)
    const place = placeOfKey('default', 'dev')
    const played = (condition: () => Promise<boolean>) =>
      until(async () => {
        await playVclusters({ client: admin }, cluster.kubeconfig)
        return condition()
      })
    const hibernate = async (hibernated: boolean, phase: string) => {
      await admin.patch(workspaces, dev, { type: 'merge', body: { spec: { hibernated } } })
      await played(async () => (await admin.get(workspaces, dev)).status?.phase === phase)
    }
    await createManaged(admin, dev)
    await admin.create(modules, moduleOf('shop', builtIn))
    await played(async () => (await admin.get(modules, of('shop'))).status?.phase === 'ready')
    t.ok(await admin.get(secrets, kubeconfigSecretOf(place)))
    await hibernate(true, 'hibernated')
    t.equal((await admin.get(statefulSets, place)).spec?.replicas, 0)
    await hibernate(false, 'ready')
    await admin.delete(workspaces, dev)
    await played(
      async () => (await admin.get(workspaces, dev)).status?.message?.includes('to be gone') ?? false,
    )
    await finalizeNamespace(transport, place.namespace)
    await until(async () => (await admin.list(workspaces)).items.length === 0)
    t.same(await managedNamespaces({ client: admin }), [])
    await stop()
    t.same(forbidden, [])
  }
  await t.test('with managed Workspaces', (t) => withManaged(t, 'managed', managed.chart))
  const { VCLUSTER_CHART = '', HELM_ENGINE = '' } = process.env
  const missing =
    (VCLUSTER_CHART === '' || HELM_ENGINE === '') &&
    'VCLUSTER_CHART or HELM_ENGINE is not set: export VCLUSTER_CHART=$(test/vcluster-chart/fetch) HELM_ENGINE=$(npm run --silent helm-engine)'
  await t.test('with managed Workspaces by the chart of vcluster', { skip: missing }, async (t) =>
    withManaged(t, 'vclusters', await loadChart(VCLUSTER_CHART)),
  )
})

const forkOf = async (admin: Client) => (await admin.get(workspaces, of('copy'))).status?.fork

/** The controller of StatefulSets, which does not run here, makes such a claim. */
const createClaim = (admin: Client, name: string) =>
  admin.create(persistentVolumeClaims, {
    metadata: of(name),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })

/** The namespace controller, which does not run here. */
const finalizeNamespace = (transport: Server['transport'], name: string) =>
  transport.request({
    method: 'PUT',
    path: `/api/v1/namespaces/${name}/finalize`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
      spec: { finalizers: [] },
    }),
  })

const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  )
