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
export function sidecarRunner(
  { plugin: { name }, vclusterName, launch, onUp }: PluginRunnerOptions,
  { vclusterPort, hookPort }: SidecarPorts,
): PluginRunner {
  let vcluster: VClusterProcess | undefined
  const listenAddress = `127.0.0.1:${vclusterPort.port}`
  const env = {
    VCLUSTER_PLUGIN_NAME: name,
    VCLUSTER_PLUGIN_ADDRESS: `localhost:${hookPort}`,
    VCLUSTER_LISTEN_ADDRESS: listenAddress,
  }
  return {
    startsBeforeClusters: true,
    async open({ virtual, host, targetNamespace }: DevClusters) {
      const { startVClusterProcess } = await import('../../../simulator/vcluster-process.js')
      await vclusterPort.release()
      vcluster = await startVClusterProcess({
        virtualKubeconfig: virtual.pluginKubeconfig,
        hostKubeconfig: host.pluginKubeconfig,
        ownHostKubeconfig: host.ownKubeconfig,
        name: vclusterName,
        currentNamespace: targetNamespace,
        waitsFor: [name],
        ...ownSyncersOf(host),
        listenAddress,
      })
      void vcluster.registered(name).then(onUp)
      return `listens on ${vcluster.address}${hooksNote(host)}`
    },
    start: () => launch(env),
    async restartVCluster() {
      await vcluster?.restart()
      return 'restarted; the plugin exits when it notices, and is started again'
    },
  }
}
