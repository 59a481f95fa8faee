import type { VClusterProcess } from '../../../simulator/vcluster-process.js'
import type { DevClusters } from '../../clusters/clusters.js'
import type { ReservedPort } from '../../machine/reserve-port.js'
import { hooksNote, ownSyncersOf } from './own-syncers.js'
import type { PluginRunner, PluginRunnerOptions } from './plugin-runner.js'

/** Ports of {@link sidecarRunner}. */
export interface SidecarPorts {
  /** The port of the simulated vcluster process. */
  vclusterPort: ReservedPort
  /** The port on which the plugin serves its hooks. */
  hookPort: number
}

/** Runs a sidecar, with the environment that vcluster's chart sets: vcluster's plugin protocol v1. */
export function sidecarRunner(options: PluginRunnerOptions, ports: SidecarPorts): PluginRunner {
  const { name } = options.plugin
  let vcluster: VClusterProcess | undefined
  const env = {
    VCLUSTER_PLUGIN_NAME: name,
    VCLUSTER_PLUGIN_ADDRESS: `localhost:${ports.hookPort}`,
    VCLUSTER_LISTEN_ADDRESS: listenAddressOf(ports),
  }
  return {
    startsBeforeClusters: true,
    async open(clusters: DevClusters) {
      vcluster = await startVCluster(clusters, options, ports)
      const { host } = clusters
      void vcluster.registered(name).then(options.onUp)
      return `listens on ${vcluster.address}${hooksNote(host)}`
    },
    start: () => options.launch(env),
    async restartVCluster() {
      await vcluster?.restart()
      return 'restarted; the plugin exits when it notices, and is started again'
    },
  }
}

const listenAddressOf = ({ vclusterPort }: SidecarPorts) => `127.0.0.1:${vclusterPort.port}`

/** Starts the simulated vcluster process, which waits for the plugin. */
async function startVCluster(
  { virtual, host, targetNamespace }: DevClusters,
  { plugin, vclusterName }: PluginRunnerOptions,
  ports: SidecarPorts,
): Promise<VClusterProcess> {
  const { startVClusterProcess } = await import('../../../simulator/vcluster-process.js')
  await ports.vclusterPort.release()
  return startVClusterProcess({
    virtualKubeconfig: virtual.pluginKubeconfig,
    hostKubeconfig: host.pluginKubeconfig,
    ownHostKubeconfig: host.ownKubeconfig,
    name: vclusterName,
    currentNamespace: targetNamespace,
    waitsFor: [plugin.name],
    ...ownSyncersOf(host),
    listenAddress: listenAddressOf(ports),
  })
}
