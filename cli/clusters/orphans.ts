import { isNotFound, PluginError } from '../../sdk/engine/kube/error.js'
import { formatKey, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { clusterScopedMarker, hostNamespaceOf } from '../../sdk/vcluster/naming/names.js'
import { markerLabel } from '../../sdk/vcluster/naming/ownership-keys.js'
import type { SyncerDescription } from '../../sdk/vcluster/plugin/description.js'
import type { DevCluster, DevClusters } from './clusters.js'
import { originalOf } from './original-of.js'

/** The copies that {@link refuseOrphans} checks. */
export interface OrphansOptions {
  targetNamespace: string
  vclusterName: string
  /** The plugin's syncers; their kinds are checked. */
  syncers: readonly SyncerDescription[]
}

const maxNamed = 3

/**
 * Throws a `PluginError` `WOULD_DELETE_COPIES` if copies have no original in the virtual cluster. A plugin deletes such
 * copies, and with the wrong virtual cluster it would delete all of them.
 */
export async function refuseOrphans(
  { virtual, host }: Pick<DevClusters, 'virtual' | 'host'>,
  { targetNamespace, vclusterName, syncers }: OrphansOptions,
): Promise<void> {
  for (const { resource, hostNamespaces } of syncers) {
    const marker = resource.namespaced ? vclusterName : clusterScopedMarker(targetNamespace, vclusterName)
    const copies = await copiesOn(host, resource, {
      labelSelector: `${markerLabel}=${marker}`,
      namespaces: resource.namespaced ? (hostNamespaces ?? [targetNamespace]) : [''],
    })
    const originals = copies.length > 0 ? await keysOf(virtual, resource) : new Set()
    const orphans = copies.filter((copy) => {
      const original = originalOf.host(copy)
      if (original === undefined || originals.has(formatKey(original))) return false
      const own = hostNamespaceOf(original.namespace, targetNamespace, vclusterName)
      return !isOfOtherVCluster(copy.metadata.namespace, own)
    })
    if (orphans.length === 0) continue
    const names = orphans.slice(0, maxNamed).map((copy) => formatKey(keyOf(copy)))
    const more = orphans.length > maxNamed ? ', …' : ''
    const countText = `${orphans.length} of ${copies.length} copies of kind ${resource.kind} (${names.join(', ')}${more}) in ${host.source}`
    const which = `their originals are not in the virtual cluster, ${virtual.source}`
    const advice = `pass the virtual cluster of the vcluster ${vclusterName} with --virtual, or add --delete-orphans if these copies may be deleted`
    throw new PluginError(
      'WOULD_DELETE_COPIES',
      `the plugin would delete ${countText}, because ${which}; ${advice}`,
    )
  }
}

/**
 * Whether a host namespace is the one that another vcluster with the same name has for the same virtual namespace. Both
 * names have the digest of the virtual namespace, and then that of the vcluster and its host namespace.
 */
function isOfOtherVCluster(namespace = '', own: string): boolean {
  const digestLength = 8
  return (
    namespace !== own && namespace.length === own.length && namespace.startsWith(own.slice(0, -digestLength))
  )
}

/** The copies in namespaces of the host, `''` for all. There are none of a kind that the host does not serve. */
async function copiesOn(
  { client }: DevCluster,
  resource: Resource,
  { labelSelector, namespaces }: { labelSelector: string; namespaces: readonly string[] },
): Promise<KubeObject[]> {
  const scopes = namespaces.includes('') ? [{}] : namespaces.map((namespace) => ({ namespace }))
  const found: KubeObject[] = []
  for (const scope of scopes) {
    const list = await client.listAll(resource, { ...scope, labelSelector }).catch((error: unknown) => {
      if (isNotFound(error)) return { items: [] }
      throw error
    })
    found.push(...list.items)
  }
  return found
}

async function keysOf({ client }: DevCluster, resource: Resource): Promise<Set<unknown>> {
  const { items } = await client.listAll(resource)
  return new Set(items.map((item) => formatKey(keyOf(item))))
}
