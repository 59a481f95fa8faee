/** A control plane, the operator, and three plugins: one behind mutual TLS, two at sockets. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { CnpgPlugin } from '../../sdk/cnpg/cnpg-plugin.js'
import { PluginRuntime } from '../../sdk/cnpg/plugin.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { startRealCluster } from '../real/real-cluster.js'
import { connectProxy } from './connect-proxy.js'
import { DeployedPlugin } from './deployed-plugin.js'
import { type RunningOperator, startOperator } from './start-operator.js'

/** The namespace of Clusters. It allows only Pods that are restricted, as those of the operator are. */
export const namespace = 'databases'

/** Everything that runs. */
export interface Environment {
  admin: Client
  /** The connection of `admin`. */
  transport: Transport
  operator: RunningOperator
  deployed: DeployedPlugin
}

/** Starts everything, with these plugins at sockets, and stops it at the end of the test. */
export async function startEnvironment(
  t: Test,
  atSockets: Readonly<Record<string, (plugin: CnpgPlugin) => void>>,
): Promise<Environment> {
  const [folder, plugins] = ['cnpg-', 'cnpg-'].map((prefix) => mkdtempSync(join(tmpdir(), prefix))) as [
    string,
    string,
  ]
  const targets = new Map<string, number>()
  const proxy = await connectProxy(t, targets)
  const cluster = await startRealCluster({ env: { HTTPS_PROXY: proxy } })
  t.teardown(() => cluster.stop())
  const transport = createTransport({ kubeconfig: await loadKubeconfig({ file: cluster.kubeconfigFile }) })
  t.teardown(() => transport.close())
  const admin = createClient({ transport })
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  await admin.create(namespaces, { metadata: { name: namespace, labels } })
  for (const [name, register] of Object.entries(atSockets))
    await serve(t, { name, folder: plugins, register })
  const { kubeconfigFile } = cluster
  const operator = await startOperator({ admin, kubeconfigFile, folder, plugins, proxy })
  t.teardown(() => operator.stop())
  const deployed = new DeployedPlugin(admin, { folder, targets })
  t.teardown(() => deployed.stop())
  return { admin, transport, operator, deployed }
}

async function serve(
  t: Test,
  { name, folder, register }: { name: string; folder: string; register: (plugin: CnpgPlugin) => void },
): Promise<void> {
  const args = ['--plugin-path', folder]
  const plugin = new PluginRuntime({
    name,
    version: '0.1.0',
    logger: silentLogger,
    env: {},
    args,
    trial: 'always',
  })
  register(plugin)
  const ended = plugin.start()
  t.teardown(async () => {
    await plugin.stop()
    await ended
  })
  while (!plugin.address) await new Promise((resolve) => setTimeout(resolve, 5))
}
