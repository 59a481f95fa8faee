import { operatorRbac } from '../cli/roles/operator-rbac.js'
import type { Client } from '../sdk/engine/client/client.js'
import type { UnitSource } from '../sdk/engine/manager/unit-source.js'
import { silentLogger } from '../sdk/engine/observe/logger.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { type ModulesOptions, moduleControllers } from '../sdk/modules/index.js'
import { describeOperator } from '../sdk/operator/describe/describe-operator.js'
import { createInternalOperator } from '../sdk/operator/operator-runtime.js'
import type { RealCluster } from './real/real-cluster.js'
import { recordCalls } from './real/record-calls.js'
import { accountKubeconfig, createAccount } from './real/service-account.js'

/** A real API server, and its administrator. */
export interface Server {
  admin: Client
  transport: ReturnType<typeof createTransport>
  cluster: RealCluster
}

/** An operator of Modules with its roles only; its requests are recorded. */
export async function restrictedOperator(
  name: string,
  options: ModulesOptions,
  { admin, transport, cluster }: Server,
) {
  const account = { namespace: `${name}-system`, name }
  const controllers: readonly unknown[] = moduleControllers(options)
  for (const one of controllers) await (one as UnitSource).findPermissions()
  const { permissions, roles: all } = operatorRbac(describeOperator({ name, env: {} }, controllers as never))
  const roles = all.filter(({ metadata }) => metadata.name === name)
  await createAccount(admin, account, roles)
  const text = await accountKubeconfig(account, { transport, kubeconfig: cluster.kubeconfig })
  const kubeconfig = await loadKubeconfig({ text })
  const { used, forbidden, recording } = recordCalls()
  const operator = createInternalOperator({
    name,
    env: {},
    logger: silentLogger,
    leaseNamespace: account.namespace,
    openClusters: async () => ({
      transports: new Map([['main', recording(createTransport({ kubeconfig }))]]),
    }),
  })
  for (const one of controllers) operator.register(one as never)
  const ended = operator.start()
  await operator.whenRunning()
  const stop = async () => {
    await operator.stop()
    await ended
  }
  return { account, permissions, roles, kubeconfig, used, forbidden, stop }
}
