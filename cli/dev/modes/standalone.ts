import { filter, firstValueFrom } from 'rxjs'
import { leases } from '../../../sdk/engine/kube/builtin.js'
import { watchResource } from '../../../sdk/engine/watch/watch-resource.js'
import type { DevClusters } from '../../clusters/clusters.js'
import { writePluginKubeconfigs } from '../../clusters/plugin-kubeconfigs.js'
import type { PluginRunner, PluginRunnerOptions } from './plugin-runner.js'

/** Runs a plugin without a vcluster process, with two kubeconfig files and a Lease in the host namespace. */
export function standaloneRunner({ vclusterName, launch, onUp }: PluginRunnerOptions): PluginRunner {
  let env: Record<string, string> = {}
  return {
    startsBeforeClusters: false,
    async open(clusters: DevClusters) {
      const files = await writePluginKubeconfigs(clusters)
      env = {
        VIRTUAL_KUBECONFIG: files.virtual,
        HOST_KUBECONFIG: files.host,
        VCLUSTER_NAME: vclusterName,
        TARGET_NAMESPACE: clusters.targetNamespace,
      }
      void untilLeaseHeld(clusters).then(onUp)
      return 'none: the plugin runs standalone and takes a Lease'
    },
    start: () => launch(env),
    restartVCluster: undefined,
  }
}

/** Resolves when a Lease in the plugin's namespace has a holder. */
async function untilLeaseHeld({ host, targetNamespace: namespace }: DevClusters): Promise<void> {
  const leases$ = watchResource({ transport: host.transport, resource: leases, namespace })
  await firstValueFrom(
    leases$.pipe(filter((event) => 'object' in event && !!event.object.spec?.holderIdentity)),
  )
}
