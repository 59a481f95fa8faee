// Tests the messages about a definition that is not that of the program, on a real API server.
import t from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../sdk/engine/kube/builtin.js'
import { type LogFields, silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { backup, backupDefinition, backups, memcached } from '../sdk/operator/backups.fixture.js'
import { controller } from '../sdk/operator/engine/controller.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets()

void t.test('a definition that is not that of the program', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })

  /** The first warning of an operator whose definition in the cluster is changed. */
  const warning = async (
    change: (definition: CustomResourceDefinition) => void,
    create: () => Promise<unknown>,
  ): Promise<string | undefined> => {
    const definition = structuredClone(backupDefinition)
    change(definition)
    await client.create(customResourceDefinitions, definition)
    await until(() => create().then(() => true))
    const said: string[] = []
    const note = ({ error }: LogFields, message: string) =>
      void said.push(error instanceof Error ? error.message : message)
    const logger = { ...silentLogger, warn: note, error: note, child: () => logger }
    const operator = createInternalOperator({
      name: 'backup-operator',
      logger,
      leaderElection: false,
      openClusters: async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) }),
    })
    operator.register(controller(backups, memcached))
    const ended = operator.start()
    await until(() => said.length > 0)
    await operator.stop()
    await ended
    const key = { namespace: '', name: definition.metadata.name ?? '' }
    await client.delete(customResourceDefinitions, key)
    await until(() =>
      client.get(customResourceDefinitions, key).then(
        () => false,
        () => true,
      ),
    )
    return said[0]
  }

  t.match(
    await warning(
      ({ spec }) => {
        for (const version of spec.versions) delete version.subresources
      },
      () => client.create(backups, backup(3)),
    ),
    /^the status of Backup default\/daily cannot be written: the definition of backups\.cache\.my\.domain in the cluster has no status subresource in v1;/,
  )
  const clusterScoped = { ...backups, namespaced: false }
  t.match(
    await warning(
      ({ spec }) => {
        spec.scope = 'Cluster'
      },
      () => client.create(clusterScoped, { metadata: { name: 'daily' }, spec: { size: 1 } }),
    ),
    /^Backup daily has no namespace, but the program defines the kind as Namespaced: .* has the scope Cluster;/,
  )
})
