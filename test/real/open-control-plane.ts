import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
import { type Logger, silentLogger } from '../../sdk/engine/observe/logger.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { createInternalOperator } from '../../sdk/operator/operator-runtime.js'
import { until } from '../until.js'
import { type RealCluster, startRealCluster } from './real-cluster.js'

type Tap = { teardown(done: () => unknown): void }

/** A real API server with the controllers of a control plane, and its administrator. */
export interface ControlPlane {
  readonly cluster: RealCluster
  readonly client: Client
  /** The connection of the administrator. */
  readonly transport: Transport
  /** Starts an operator of the administrator. Resolves when it runs. It ends with the test, or by `stop`. */
  startOperator(options: ControlPlaneOperator): Promise<Operator>
}

/** An operator on a {@link ControlPlane}. */
export interface ControlPlaneOperator {
  readonly name: string
  readonly register: (operator: Operator) => unknown
  /** Wraps its connection; default unchanged. */
  readonly wrap?: (transport: Transport) => Transport
  /** Default it logs nothing. */
  readonly logger?: Logger
  /** Default true. */
  readonly leaderElection?: boolean
}

/** Starts a control plane that serves these definitions. It ends with the test. */
export async function openControlPlane(
  t: Tap,
  definitions: readonly CustomResourceDefinition[],
): Promise<ControlPlane> {
  const cluster = await startRealCluster({
    controllerManager: true,
    beforeControllers: async (file) => {
      const transport = createTransport({ kubeconfig: await loadKubeconfig({ file }) })
      try {
        await serve(createClient({ transport }), definitions)
      } finally {
        await transport.close()
      }
    },
  })
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  const startOperator = async ({ register, wrap = unchanged, ...options }: ControlPlaneOperator) => {
    const operator = createInternalOperator({
      logger: silentLogger,
      ...options,
      openClusters: async () => ({
        transports: new Map([['main', wrap(createTransport({ kubeconfig }))]]),
      }),
    })
    await register(operator)
    const ended = operator.start()
    t.teardown(async () => {
      await operator.stop()
      await ended
    })
    await operator.whenRunning()
    return operator
  }
  return { cluster, client, transport, startOperator }
}

const unchanged = (transport: Transport) => transport

/** A definition that is established may not be served yet. */
async function serve(client: Client, definitions: readonly CustomResourceDefinition[]): Promise<void> {
  for (const definition of definitions) await client.create(customResourceDefinitions, definition)
  for (const { spec } of definitions) {
    const { group, names, scope, versions } = spec
    const version = versions.find(({ served }) => served)?.name ?? ''
    const resource = {
      group,
      version,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === 'Namespaced',
    }
    await until(async () => Array.isArray((await client.list(resource)).items))
  }
}
