// Two replicas of an operator with webhooks, with exactly the roles that `rbac` prints, on a real API server with a
// controller manager: the first installation, and namespaces that are deleted.
import t from 'tap'
import { operatorRbac } from '../cli/roles/operator-rbac.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions, deployments, namespaces } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { validatingWebhookConfigurations } from '../sdk/engine/webhook/configuration/webhook-configuration.js'
import {
  type Backup,
  backup,
  backupDefinition,
  backups,
  deploymentFor,
} from '../sdk/operator/backups.fixture.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import type { InternalOperator } from '../sdk/operator/operator.js'
import type { InternalOperatorOptions } from '../sdk/operator/operator-options.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { caches } from '../sdk/operator/webhook/caches.fixture.js'
import { freePort } from '../simulator/free-ports.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { accountKubeconfig, createAccount, rbacKind } from './real/service-account.js'
import { startServiceProxy } from './real/service-proxy.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const name = 'shop-operator'
const account = { namespace: `${name}-system`, name }
const teams = ['team-a', 'team-b']

void t.test('two replicas with the printed roles', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster({ controllerManager: true })
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: cluster.kubeconfigFile }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const service = await startServiceProxy(t)
  const finalized: string[] = []

  const build = (options: Partial<InternalOperatorOptions>, port: number): InternalOperator => {
    const operator = createInternalOperator({
      name,
      env: {},
      logger: silentLogger,
      leaseNamespace: account.namespace,
      ...options,
      webhooks: {
        kinds: [caches],
        reads: [configMaps],
        certificate: 'selfSigned',
        host: '127.0.0.1',
        port,
        url: service.url,
        drainMs: 100,
        settleMs: 1000,
      },
    })
    operator.register(controller(caches, { reconcile: (ctx) => ctx.condition('Ready', true, 'Kept') }))
    operator.register(
      controller(backups, {
        namespaces: teams,
        owns: [deployments],
        reconcile: async (ctx, object) =>
          void (await ctx.apply(deployments, deploymentFor(object as Backup))),
        finalize: (ctx) => void finalized.push(ctx.key.namespace),
      }),
    )
    return operator
  }

  for (const definition of [crdOf(caches), backupDefinition])
    await admin.create(customResourceDefinitions, definition)
  for (const team of teams) await admin.create(namespaces, { metadata: { name: team } })
  const { roles } = operatorRbac(await build({}, 0).describe())
  await createAccount(
    admin,
    account,
    roles.filter(({ metadata }) => metadata.name === name),
  )
  const text = await accountKubeconfig(account, { transport, kubeconfig: cluster.kubeconfig })
  const kubeconfig = await loadKubeconfig({ text })
  const start = async () => {
    const port = await freePort()
    const openClusters = async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) })
    const operator = build({ openClusters }, port)
    const ended = operator.start()
    ended.catch(() => {})
    service.targets.push(port)
    const stop = async () => {
      const at = service.targets.indexOf(port)
      if (at >= 0) service.targets.splice(at, 1)
      await operator.stop()
      await ended
    }
    t.teardown(stop)
    return stop
  }
  const at = (namespace: string, name: string) => ({ namespace, name })
  const isGone = (namespace: string) =>
    admin.get(namespaces, at('', namespace)).then(
      () => false,
      (error: unknown) => isNotFound(error) || Promise.reject(error),
    )
  const isServed = async () =>
    (await admin.list(caches)).items.length + (await admin.list(backups)).items.length

  await until(async () => (await isServed()) === 0)
  await admin.create(configMaps, { metadata: at('default', 'known') })
  const replicas = [await start(), await start()]

  await t.test('no replica refuses a create on a first installation', async (t) => {
    await until(async () => Boolean(await admin.get(validatingWebhookConfigurations, at('', name))))
    const refused: unknown[] = []
    for (let n = 0; n < 24; n++) {
      const spec = { replicas: 1, store: { memory: {} }, peers: ['known'] }
      const object = { metadata: at('default', `cache-${n}`), spec }
      await admin.create(caches, object).catch((error: unknown) => refused.push(String(error)))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    t.same(refused, [])
    const wrong = { metadata: at('default', 'wrong'), spec: { store: { memory: {} }, peers: ['unknown'] } }
    for (let n = 0; n < 4; n++)
      await t.rejects(admin.create(caches, wrong as never), /spec\.peers\[0\]: does not exist/)
  })

  await t.test(
    'a namespace that is deleted goes with its objects, and the other one is served',
    async (t) => {
      const create = (team: string) =>
        admin
          .create(backups, { ...backup(1), metadata: at(team, 'daily') })
          .then(() => until(async () => Boolean(await admin.get(deployments, at(team, 'daily')))))
      for (const team of teams) await create(team)
      const sinceMs = performance.now()
      await admin.delete(namespaces, at('', 'team-a'))
      await until(() => isGone('team-a'))
      t.comment(`gone after ${Math.round(performance.now() - sinceMs)} ms`)
      t.same(finalized, ['team-a'])
      await admin.patch(backups, at('team-b', 'daily'), { type: 'merge', body: { spec: { size: 3 } } })
      await until(async () => (await admin.get(deployments, at('team-b', 'daily'))).spec?.replicas === 3)
    },
  )

  await t.test(
    'so does one whose roles have gone before its objects, and one that ends at a change of the leader',
    async (t) => {
      const [first] = replicas
      for (const { kind, metadata } of roles.filter(({ metadata }) => metadata.namespace === 'team-b'))
        for (const of of [`${kind}Binding`, kind])
          await admin.delete(rbacKind(of), at('team-b', metadata.name))
      await admin.delete(namespaces, at('', 'team-b'))
      await first?.()
      await until(() => isGone('team-b'))
      t.ok(finalized.includes('team-b'))
    },
  )
})
