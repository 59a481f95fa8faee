// Modules on a real API server with the controllers of a control plane.
import t from 'tap'
import { createClient } from '../sdk/client/create-client.js'
import { configMaps, customResourceDefinitions } from '../sdk/kube/builtin.js'
import { isNotFound } from '../sdk/kube/error.js'
import { modules } from '../sdk/modules/kinds/module-kind.js'
import { workspaces } from '../sdk/modules/kinds/workspace-kind.js'
import {
  createWorkspace,
  definitions,
  moduleOf,
  NotingProgram,
  registering,
  shop,
} from '../sdk/modules/module/modules.fixture.js'
import { silentLogger } from '../sdk/observe/logger.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { createTransport } from '../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/transport/load-kubeconfig.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')

void t.test('Modules on a real control plane', { skip, timeout: 240_000 }, async (t) => {
  const cluster = await startRealCluster({ controllerManager: true })
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  for (const definition of definitions) await client.create(customResourceDefinitions, definition)
  await until(() =>
    client
      .list(modules)
      .then(() => client.list(workspaces))
      .then(
        () => true,
        () => false,
      ),
  )

  const noting = new NotingProgram()
  const operator = createInternalOperator({
    name: 'modules',
    logger: silentLogger,
    openClusters: async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) }),
  })
  registering(noting)(operator)
  const ended = operator.start()
  t.teardown(async () => {
    await operator.stop()
    await ended
  })
  await operator.whenRunning()
  const hibernate = (hibernated: boolean) =>
    client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated } } })
  const inPhase = (phase: string) =>
    until(async () => (await client.get(modules, shop)).status?.phase === phase)
  const installed = { namespace: 'default', name: 'shop-installed' }

  await createWorkspace(client)
  await client.create(modules, moduleOf({ config: { nested: { size: 3 }, list: ['a', 1] } } as never))
  await inPhase('ready')
  t.strictSame(
    noting.calls[0]?.config,
    { nested: { size: 3 }, list: ['a', 1] },
    'the server keeps any configuration',
  )
  const { metadata } = await client.get(modules, shop)
  t.equal((await client.get(configMaps, installed)).metadata.ownerReferences?.[0]?.uid, metadata.uid)
  t.strictSame(JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
    installed: 'shop-installed',
  })
  await hibernate(true)
  await inPhase('sleeped')
  await hibernate(false)
  await inPhase('ready')

  const both = moduleOf({ custom: {} } as never, { name: 'both' })
  await t.rejects(client.create(modules, both), /exactly one of source, helm and custom must be set/)
  const github = moduleOf({ source: { github: {} } } as never, { name: 'github' })
  await t.rejects(client.create(modules, github), /github is not supported/)
  const moved = { spec: { workspace: { name: 'other' } } }
  await t.rejects(client.patch(modules, shop, { type: 'merge', body: moved }), /field is immutable/)

  await client.delete(workspaces, { namespace: 'default', name: 'dev' })
  await until(() => client.get(modules, shop).then(() => false, isNotFound))
  await until(() =>
    client.get(workspaces, { namespace: 'default', name: 'dev' }).then(() => false, isNotFound),
  )
  t.ok(await client.get(configMaps, installed).then(() => false, isNotFound))
  t.strictSame(noting.texts, ['install 1 first', 'sleep 1 first', 'resume 1 first', 'uninstall 1 first'])
})
