import { filter, firstValueFrom } from 'rxjs'
import { leases } from '../../../sdk/kube/builtin.js'
import { watchResource } from '../../../sdk/watch/watch-resource.js'
import type { DevClusters } from '../../clusters/clusters.js'
import { writePluginKubeconfigs } from '../../clusters/plugin-kubeconfigs.js'
import type { PluginPlace, PluginPlaceParts } from './plugin-runner.js'

/** A plugin without a vcluster process, with both kubeconfigs as files and a Lease in the host namespace. */
export function standingAlone({ vclusterName, launch, onUp }: PluginPlaceParts): PluginPlace {
  let env: Record<string, string> = {}
  return {
    isPatient: false,
    async open(clusters: DevClusters) {
      const files = await writePluginKubeconfigs(clusters)
      env = {
        VIRTUAL_KUBECONFIG: files.virtual,
        HOST_KUBECONFIG: files.host,
        VCLUSTER_NAME: vclusterName,
        TARGET_NAMESPACE: clusters.targetNamespace,
      }
      void untilLed(clusters).then(onUp)
      return 'none: the plugin runs standalone and takes a Lease'
    },
    start: () => launch(env),
    restartVCluster: undefined,
  }
}

/** Resolves when somebody leads by a Lease in the plugin's namespace. */
async function untilLed({ host, targetNamespace: namespace }: DevClusters): Promise<void> {
  const seen$ = watchResource({ transport: host.transport, resource: leases, namespace })
  await firstValueFrom(
    seen$.pipe(filter((event) => 'object' in event && !!event.object.spec?.holderIdentity)),
  )
}
