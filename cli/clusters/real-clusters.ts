import { namespaces, services } from '../../sdk/engine/kube/builtin.js'
import { isForbidden, isNotFound, PluginError } from '../../sdk/engine/kube/error.js'
import type { ClusterOptions, RealOptions } from './cluster-options.js'
import type { DescribePlugin, DevClusters } from './clusters.js'
import { startEmbeddedCluster } from './embedded-clusters.js'
import { refuseOrphans } from './orphans.js'
import { type ExistingCluster, openRealCluster } from './real-cluster.js'
import { userKubeconfigFile } from './user-kubeconfig.js'

/**
 * Opens a real host cluster, and a real virtual cluster or an embedded one. Throws a `PluginError` if the plugin must
 * not run there: `CLUSTER_UNREACHABLE`, `NO_NAMESPACE`, `SAME_CLUSTER`, `WOULD_DELETE_COPIES`, or from `prepare`
 * `WOULD_DELETE_COPIES`.
 */
export async function openRealClusters(
  options: ClusterOptions,
  real: RealOptions & { describe: DescribePlugin },
): Promise<DevClusters> {
  const { targetNamespace, vclusterName } = options
  const { kubeconfig = userKubeconfigFile(), context, virtual: virtualFile, createNamespace } = real
  const host = await openRealCluster('host', { file: kubeconfig, context })
  const hasNamespace = await isThere(host, targetNamespace)
  if (!hasNamespace && !createNamespace) throw noNamespaceError(host, targetNamespace)
  if (virtualFile === undefined && hasNamespace) await refuseRealVCluster(host, targetNamespace, vclusterName)
  const virtual = await openVirtual(virtualFile, options)
  if (virtual.url === host.url) throw sameClusterError(host)
  return {
    virtual,
    host,
    targetNamespace,
    async prepare() {
      if (virtual.isReal && !real.deleteOrphans)
        await refuseOrphans(
          { virtual, host },
          { targetNamespace, vclusterName, syncers: (await real.describe())?.syncers ?? [] },
        )
      if (hasNamespace) return undefined
      await host.client.create(namespaces, { metadata: { name: targetNamespace } })
      return `created the namespace ${targetNamespace}, which is kept on exit`
    },
  }
}

/** The virtual cluster of a kubeconfig, or an embedded one without a kubeconfig. */
function openVirtual(file: string | undefined, options: ClusterOptions) {
  return file === undefined ? startEmbeddedCluster('virtual', options) : openRealCluster('virtual', { file })
}

/**
 * Whether a namespace exists. True without permission to read it; the plugin then reports a missing namespace.
 */
async function isThere({ client }: ExistingCluster, name: string): Promise<boolean> {
  try {
    await client.get(namespaces, { namespace: '', name })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    if (isForbidden(error)) return true
    throw error
  }
}

/**
 * Throws if the namespace has a real vcluster of that name, known by the Service that its chart creates. The embedded
 * virtual cluster has no originals of its copies, so the plugin would delete them all.
 */
async function refuseRealVCluster(host: ExistingCluster, namespace: string, name: string): Promise<void> {
  const service = `the Service ${namespace}/${name} in the cluster of ${host.source}`
  const advice =
    'pass the virtual cluster of that vcluster with --virtual, or use another vcluster name with --name'
  try {
    await host.client.get(services, { namespace, name })
  } catch (error) {
    if (isNotFound(error)) return
    const reason = error instanceof Error ? error.message : String(error)
    const risk = 'if it exists, that vcluster has copies there, which the plugin would delete'
    throw new PluginError('WOULD_DELETE_COPIES', `cannot check for ${service}: ${reason}; ${risk}: ${advice}`)
  }
  throw new PluginError(
    'WOULD_DELETE_COPIES',
    `${service} belongs to a vcluster. The plugin would delete its copies, because the embedded virtual cluster does not have their originals: ${advice}`,
  )
}

function noNamespaceError({ source, kubectl }: ExistingCluster, namespace: string): PluginError {
  const advice = `choose another with --namespace, or create it with --create-namespace or: ${kubectl} create namespace ${namespace}`
  return new PluginError(
    'NO_NAMESPACE',
    `there is no namespace ${namespace} in the cluster of ${source}; ${advice}`,
  )
}

function sameClusterError({ source }: ExistingCluster): PluginError {
  const advice =
    'pass a virtual cluster with --virtual (`vcluster connect NAME --print` writes its kubeconfig), or remove --virtual'
  return new PluginError(
    'SAME_CLUSTER',
    `the cluster of ${source} cannot be both the host and the virtual cluster; ${advice}`,
  )
}
