// An operator on a real API server with exactly the permissions that `vcluster-plugin rbac` derives.
import t from 'tap'
import { checkAccess } from '../cli/rbac/check-access.js'
import { operatorRbac } from '../cli/roles/operator-rbac.js'
import { buckets } from '../examples/bucket/bucket.js'
import { FakeCloud } from '../examples/bucket/cloud.js'
import { register as registerBucket } from '../examples/bucket/register.js'
import { backups as memcachedBackups } from '../examples/memcached/backup.js'
import { register as registerMemcached } from '../examples/memcached/register.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions, deployments } from '../sdk/engine/kube/builtin.js'
import { type Logger, silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import {
  type Backup,
  backup,
  backupDefinition,
  backups,
  deploymentFor,
  key,
} from '../sdk/operator/backups.fixture.js'
import { describeOperator } from '../sdk/operator/describe/describe-operator.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { setWorkloadReady } from '../testing/operator/set-ready.js'
import { findMissingVerbs } from './real/find-missing-verbs.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { type RunWithRoles, runWithRoles } from './real/run-with-roles.js'
import { accountKubeconfig, createAccount, rbacKind } from './real/service-account.js'
import { until } from './until.js'

const skip = missingAssets()
const account = { namespace: 'memcached-operator-system', name: 'memcached-operator' }

/** Uses every permission that a controller declares; only races need the rest. */
const memcached = controller(backups, {
  owns: [deployments],
  async reconcile(ctx, object) {
    ctx.events.normal('Reconciled', 'the object was reconciled')
    if (object.spec.size > 0) await ctx.apply(deployments, deploymentFor(object as Backup))
    ctx.condition('Available', true, 'Done')
  },
  finalize: () => {},
})

/** Calls of a run that happen only if an object has changed meanwhile, or that the API server checks by itself. */
const unseen = (...calls: string[]) => ['patch events.events.k8s.io', ...calls].sort()

void t.test('an operator has exactly its permissions', { skip, timeout: 600_000 }, async (t) => {
  // On OpenShift, an owner reference that blocks deletion needs `update` on the finalizers of the owner.
  const args = ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement']
  const cluster = await startRealCluster({ apiserverArgs: args })
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: cluster.kubeconfig }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  for (const definition of [backupDefinition, crdOf(memcachedBackups), crdOf(buckets)])
    await admin.create(customResourceDefinitions, definition)
  const shared = { admin, transport, kubeconfig: cluster.kubeconfig }

  const ran = await runWithRoles({
    ...shared,
    name: account.name,
    register: (operator) => operator.register(memcached as never),
    walk: async () => {
      await admin.create(backups, backup(1))
      await until(() => exists(() => admin.get(deployments, key)))
      await admin.patch(backups, key, { type: 'merge', body: { spec: { size: 0 } } })
      await until(async () => !(await exists(() => admin.get(deployments, key))))
      await admin.delete(backups, key)
      await until(async () => !(await exists(() => admin.get(backups, key))))
    },
  })
  const { description, roles, kubeconfig } = ran
  const { permissions } = operatorRbac(description)

  await t.test('it runs with its roles, and uses each verb', async (t) => {
    t.same(ran.forbidden, [])
    const checkedByServer = 'update backups/finalizers.cache.my.domain'
    const needed = new Set([
      ...ran.used,
      ...unseen('get backups.cache.my.domain', 'get deployments.apps', checkedByServer),
    ])
    t.same([...needed].sort(), ran.printed)
  })

  const ofExamples: RunWithRoles[] = []
  await t.test('the examples run with their roles, and use each verb', async (t) => {
    const example = { ...key, name: 'example' }
    const first = await runWithRoles({
      ...shared,
      name: 'memcached-example',
      register: registerMemcached,
      walk: async () => {
        await admin.create(memcachedBackups, { metadata: example, spec: { size: 2 } })
        await until(() => exists(() => admin.get(deployments, example)))
        await setWorkloadReady(admin, { metadata: example })
        await until(async () => isTrue(await admin.get(memcachedBackups, example), 'Available'))
        await admin.patch(memcachedBackups, example, { type: 'merge', body: { spec: { size: 3 } } })
        await until(async () => (await admin.get(deployments, example)).spec?.replicas === 3)
      },
    })
    t.same(first.forbidden, [])
    t.same(
      first.printed.filter((call) => !first.used.has(call)),
      [
        'create events.events.k8s.io',
        'delete deployments.apps',
        'get deployments.apps',
        'get memcachedbackups.cache.my.domain',
        'patch events.events.k8s.io',
        'patch memcachedbackups.cache.my.domain',
        'update memcachedbackups/finalizers.cache.my.domain',
      ],
    )
    t.same(
      [...first.used].filter((call) => !first.printed.includes(call)),
      [],
    )
    ofExamples.push(first)
    const cloud = new FakeCloud()
    const photos = { ...key, name: 'photos' }
    const second = await runWithRoles({
      ...shared,
      name: 'bucket-example',
      register: (operator) => registerBucket(operator, cloud),
      walk: async () => {
        await admin.create(buckets, { metadata: photos, spec: { region: 'north' } })
        await until(async () => isTrue(await admin.get(buckets, photos), 'Ready'))
        await admin.patch(buckets, photos, { type: 'merge', body: { spec: { region: 'south' } } })
        await until(async () => isTrue(await admin.get(buckets, photos), 'Stalled'))
        await admin.delete(buckets, photos)
        await until(async () => !(await exists(() => admin.get(buckets, photos))))
      },
    })
    ofExamples.push(second)
    t.equal(cloud.buckets.size, 0)
    t.same(second.forbidden, [])
    t.same(
      second.printed.filter((call) => !second.used.has(call)),
      [
        'get buckets.cloud.my.domain',
        'patch events.events.k8s.io',
        'update buckets/finalizers.cloud.my.domain',
      ],
    )
    t.same(
      [...second.used].filter((call) => !second.printed.includes(call)),
      [],
    )
  })

  await t.test('a verb that is missing is found by the check', async (t) => {
    for (const { description, roles, kubeconfig, account } of [ran, ...ofExamples]) {
      const asAccount = createTransport({ kubeconfig })
      t.teardown(() => asAccount.close())
      const { permissions } = operatorRbac(description)
      const { namespace } = account
      const count = await findMissingVerbs(t, { transport: asAccount, permissions, namespace, admin, roles })
      t.ok(count > 10, `${count} verbs of ${account.name}`)
    }
  })

  await t.test('a missing permission to list stops only the controller that needs it', async (t) => {
    const seen = new Set<string>()
    const others = controller(configMaps, {
      reconcile: (_ctx, { metadata }) => void seen.add(metadata.name ?? ''),
    })
    const partial = { namespace: 'partial-system', name: 'partial' }
    const described = describeOperator({ name: partial.name, env: {} }, [memcached, others] as never)
    const own = operatorRbac(described).roles.filter(({ metadata }) => metadata.name === partial.name)
    const withoutList = own.map((role) => ({
      ...role,
      rules: role.rules.map((rule) =>
        rule.resources?.includes('deployments')
          ? { ...rule, verbs: rule.verbs.filter((verb) => verb !== 'list') }
          : rule,
      ),
    }))
    await createAccount(admin, partial, withoutList)
    const text = await accountKubeconfig(partial, { transport, kubeconfig: cluster.kubeconfig })
    const asPartial = createTransport({ kubeconfig: await loadKubeconfig({ text }) })
    const warnings: string[] = []
    const logger: Logger = {
      ...silentLogger,
      warn: (_fields, message) => void warnings.push(message),
      child: () => logger,
    }
    const operator = createInternalOperator({
      name: partial.name,
      env: {},
      logger,
      leaderElection: false,
      openClusters: async () => ({ transports: new Map([['main', asPartial]]) }),
    })
    operator.register(memcached as never)
    operator.register(others)
    const ended = operator.start()
    const created = { ...key, name: 'partial' }
    await admin.create(backups, { ...backup(1), metadata: created })
    await admin.create(configMaps, { metadata: created })
    await until(async () => seen.has('partial'))
    await until(() => warnings.some((message) => message.startsWith('the kind may not be listed')))
    await t.rejects(admin.get(deployments, created), /not found/)
    for (const { kind, metadata, rules } of own) {
      const place = { namespace: metadata.namespace ?? '', name: metadata.name }
      await admin.patch(rbacKind(kind), place, { type: 'merge', body: { rules } })
    }
    await until(() => exists(() => admin.get(deployments, created)))
    await operator.stop()
    await ended
  })

  await t.test(
    'without update on finalizers no owner reference can be written, which an error says',
    async (t) => {
      const [role] = roles
      const rules = role?.rules.filter(({ resources }) => !resources?.includes('backups/finalizers'))
      const place = { namespace: '', name: account.name }
      await admin.patch(rbacKind('ClusterRole'), place, { type: 'merge', body: { rules } })
      const asAccount = createTransport({ kubeconfig })
      t.teardown(() => asAccount.close())
      await until(
        async () =>
          (await checkAccess({ transport: asAccount, permissions, namespace: account.namespace })).missing
            .length > 0,
      )
      const errors: string[] = []
      const note = ({ error }: { error?: unknown }) => void errors.push(String(error))
      const logger: Logger = { ...silentLogger, warn: note, error: note, child: () => logger }
      const operator = createInternalOperator({
        name: account.name,
        env: {},
        logger,
        leaderElection: false,
        openClusters: async () => ({ transports: new Map([['main', asAccount]]) }),
      })
      operator.register(memcached as never)
      const ended = operator.start()
      await admin.create(backups, backup(1))
      const sentence =
        'main deployments.apps default/daily was not applied: an owner reference needs the permission to update backups/finalizers of cache.my.domain'
      await until(() => errors.some((error) => error.includes(sentence)))
      t.notOk(await exists(() => admin.get(deployments, key)))
      await admin.patch(rbacKind('ClusterRole'), place, { type: 'merge', body: { rules: role?.rules } })
      await until(() => exists(() => admin.get(deployments, key)))
      await operator.stop()
      await ended
    },
  )
})

const isTrue = (
  { status }: { status?: { conditions?: readonly { type: string; status: string }[] } },
  type: string,
) => status?.conditions?.some((one) => one.type === type && one.status === 'True') === true

const exists = (read: () => Promise<unknown>): Promise<boolean> =>
  read().then(
    () => true,
    () => false,
  )
