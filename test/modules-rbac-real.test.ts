// An operator of Modules on a real API server, with exactly the permissions that `vcluster-plugin rbac` derives.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { checkAccess } from '../cli/rbac/check-access.js'
import { operatorRbac } from '../cli/roles/operator-rbac.js'
import webProgram from '../examples/modules/web-program.js'
import { createClient } from '../sdk/client/create-client.js'
import { configMaps, customResourceDefinitions, deployments, secrets, services } from '../sdk/kube/builtin.js'
import { isNotFound } from '../sdk/kube/error.js'
import { type Module, modules, registerModules, workspaces } from '../sdk/modules/index.js'
import { createWorkspace, definitions } from '../sdk/modules/module/modules.fixture.js'
import { silentLogger } from '../sdk/observe/logger.js'
import { describeOperator } from '../sdk/operator/describe/describe-operator.js'
import { createInternalOperator } from '../sdk/operator/operator.js'
import { createTransport } from '../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/transport/load-kubeconfig.js'
import { root } from './dev-run.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { recordCalls } from './real/record-calls.js'
import { accountKubeconfig, createAccount, rbacKind } from './real/service-account.js'
import { run } from './run-program.js'
import { until } from './until.js'

const skip = missingAssets()
const account = { namespace: 'modules-operator-system', name: 'modules-operator' }
const dev = { namespace: 'default', name: 'dev' }
const of = (name: string) => ({ namespace: 'default', name })
const moduleOf = (name: string, origin: Partial<Module['spec']>): Module => ({
  metadata: of(name),
  spec: { workspace: dev, hibernated: false, config: { appName: name }, ...origin },
})
const builtIn = { source: { raw: { kind: 'Web', metadata: {} } } }
const loaded = { custom: { program: { configMap: { ...of('web'), key: 'plugin' } } } }

/** The verbs for objects that have changed meanwhile. */
const ofRaces = ['get modules.batch.forkspacer.com', 'get workspaces.batch.forkspacer.com']

void t.test('an operator of Modules has exactly its permissions', { skip, timeout: 240_000 }, async (t) => {
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
  for (const definition of definitions) await admin.create(customResourceDefinitions, definition)
  for (const kind of [modules, workspaces]) await until(() => succeeds(admin.list(kind as typeof modules)))

  const { used, forbidden, recording } = recordCalls()
  const options = { name: account.name, env: {} }
  const openClusters = async () => ({
    transports: new Map([['main', recording(createTransport({ kubeconfig }))]]),
  })
  const operator = createInternalOperator({
    ...{ ...options, logger: silentLogger, leaseNamespace: account.namespace, openClusters },
  })
  const controllers: unknown[] = []
  const verbs = ['get', 'create', 'patch', 'delete'] as const
  const asked = {
    builtIn: { Web: webProgram },
    programs: { allow: [], cacheFolder: join(folder, 'cache') },
    metadata: 'secret' as const,
    permissions: [deployments, services].map((resource) => ({ resource, verbs: [...verbs] })),
  }
  registerModules({ register: (one) => void controllers.push(one) }, asked)
  const { permissions, roles: all } = operatorRbac(describeOperator(options, controllers as never))
  const roles = all.filter(({ metadata }) => metadata.name === account.name)
  await createAccount(admin, account, roles)
  const kubeconfig = await loadKubeconfig({
    text: await accountKubeconfig(account, { transport, kubeconfig: cluster.kubeconfig }),
  })

  await t.test('it runs with its roles, and uses each verb', async (t) => {
    await building
    const content = await readFile(join(folder, 'program.mjs'), 'utf8')
    await admin.create(configMaps, { metadata: of('web'), data: { plugin: content } })
    for (const one of controllers) operator.register(one as never)
    const ended = operator.start()
    await operator.whenRunning()
    const inPhase = (name: string, phase: string) =>
      until(async () => (await admin.get(modules, of(name))).status?.phase === phase)
    await createWorkspace(admin)
    await admin.create(modules, moduleOf('shop', builtIn))
    await admin.create(modules, moduleOf('loaded', loaded))
    await inPhase('shop', 'ready')
    await inPhase('loaded', 'ready')
    const stored = await admin.get(secrets, of('shop-manager-data'))
    t.equal(stored.metadata.ownerReferences?.[0]?.name, 'shop')

    const fork = { spec: { from: dev } as never }
    await admin.create(workspaces, { metadata: of('fork'), ...fork } as never)
    await until(async () => (await admin.list(modules)).items.length === 4)
    // A schedule switches `spec.hibernated`.
    const autoHibernation = { enabled: true, schedule: '* * * * * *' }
    await admin.patch(workspaces, dev, { type: 'merge', body: { spec: { autoHibernation } } })
    await inPhase('shop', 'sleeped')
    await inPhase('loaded', 'sleeped')
    for (const name of ['dev', 'fork']) await admin.delete(workspaces, of(name))
    await until(async () => (await admin.list(workspaces)).items.length === 0)
    t.ok(await admin.get(deployments, of('loaded')).then(() => false, isNotFound))
    await until(async () => (await admin.list(configMaps, { namespace: 'default' })).items.length === 1)
    await operator.stop()
    await ended

    t.same(forbidden, [])
    const own = permissions.flatMap(({ verbs, group, resource }) =>
      verbs.map((verb) => `${verb} ${group === '' ? resource : `${resource}.${group}`}`),
    )
    const checkedByServer = ['modules', 'workspaces'].map(
      (kind) => `update ${kind}/finalizers.batch.forkspacer.com`,
    )
    const needed = new Set([...used, 'patch events', ...ofRaces, ...checkedByServer])
    t.same([...needed].sort(), [...new Set(own)].sort())
  })

  await t.test('the check finds a verb of Secrets that is missing', async (t) => {
    const asAccount = createTransport({ kubeconfig })
    t.teardown(() => asAccount.close())
    const check = async () =>
      (await checkAccess({ transport: asAccount, permissions, namespace: account.namespace })).missing
    t.same(await check(), [])
    const role = roles.find(({ kind }) => kind === 'ClusterRole')
    const rules = role?.rules.map((rule) =>
      rule.resources.includes('secrets') ? { ...rule, verbs: ['get', 'create'] } : rule,
    )
    const place = { namespace: '', name: account.name }
    await admin.patch(rbacKind('ClusterRole'), place, { type: 'merge', body: { rules } })
    await until(async () => (await check()).length > 0)
    t.match(await check(), [{ resource: 'secrets', verb: 'update' }])
  })
})

const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  )
