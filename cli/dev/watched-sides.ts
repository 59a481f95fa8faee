import uniqBy from 'lodash/uniqBy.js'
import { formatResource, type Resource } from '../../sdk/engine/kube/resource.js'
import type { DescribePlugin, DevCluster, DevClusters } from '../clusters/clusters.js'
import type { WatchedSide } from '../copies/watch-copies.js'

/**
 * The objects that `dev` watches to show copies: all objects of an embedded cluster; in a real cluster only the kinds
 * that the plugin registered, and on the host only the target namespace.
 */
export async function watchedSides(
  { virtual, host, targetNamespace }: DevClusters,
  describe: DescribePlugin,
): Promise<{ virtual: WatchedSide; host: WatchedSide }> {
  const kinds = virtual.isReal || host.isReal ? kindsOf(await describe()) : []
  const sideOf = ({ transport, isReal }: DevCluster): WatchedSide => ({
    transport,
    ...(isReal && { kinds }),
  })
  return {
    virtual: sideOf(virtual),
    host: { ...sideOf(host), ...(host.isReal && { namespace: targetNamespace }) },
  }
}

function kindsOf(description: Awaited<ReturnType<DescribePlugin>>): Resource[] {
  const { syncers = [], upSyncers = [], hooks = [] } = description ?? {}
  const resources = [...syncers, ...upSyncers, ...hooks].map(({ resource }) => resource)
  return uniqBy(resources, formatResource)
}
