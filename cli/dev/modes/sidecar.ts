import type { VClusterProcess } from '../../../simulator/vcluster-process.js'
import type { DevClusters } from '../../clusters/clusters.js'
import type { ReservedPort } from '../../machine/reserve-port.js'
import { mirrorsOf, withoutHooks } from './own-syncers.js'
import type { PluginPlace, PluginPlaceParts } from './plugin-runner.js'

/** The ports of {@link besideVCluster}. */
export interface BesidePorts {
  /** Where the stand-in vcluster process will listen. */
  vclusterPort: ReservedPort
  /** Where the plugin serves its hooks. */
  hookPort: number
}

/** A sidecar, with the environment that vcluster's chart sets: vcluster's plugin protocol v1. */
export function besideVCluster(
  { plugin: { name }, vclusterName, launch, onUp }: PluginPlaceParts,
  { vclusterPort, hookPort }: BesidePorts,
): PluginPlace {
  let vcluster: VClusterProcess | undefined
  const listenAddress = `127.0.0.1:${vclusterPort.port}`
  const env = {
    VCLUSTER_PLUGIN_NAME: name,
    VCLUSTER_PLUGIN_ADDRESS: `localhost:${hookPort}`,
    VCLUSTER_LISTEN_ADDRESS: listenAddress,
  }
  return {
    isPatient: true,
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
        ...mirrorsOf(host),
        listenAddress,
      })
      void vcluster.registered(name).then(onUp)
      return `listens on ${vcluster.address}${withoutHooks(host)}`
    },
    start: () => launch(env),
    async restartVCluster() {
      await vcluster?.restart()
      return 'restarted; the plugin exits when it notices, and is started again'
    },
  }
}
