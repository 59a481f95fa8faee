/**
 * Answers `lookup` of templates with the objects of a cluster, as Helm does. The caller decides which objects templates
 * may see, because they also render text of users.
 */

import type { Cluster } from '../../engine/cluster/cluster.js'
import { findKind } from '../../engine/cluster/find-kind.js'
import { parseApiVersion } from '../../engine/kube/api-version.js'
import { isForbidden, isNotFound } from '../../engine/kube/error.js'
import type { KubeList } from '../../engine/kube/object.js'
import { apiVersionOf, formatResource, type Resource } from '../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { RenderError, UnservedLookupError } from '../render/render-error.js'
import type { Lookup, LookupQuery } from '../render/renderer.js'

/** Options of {@link clusterLookup}. */
export interface ClusterLookupOptions {
  /** The cluster, for example that of a run. */
  readonly cluster: Pick<Cluster, 'client' | 'served'>
  /**
   * Whether templates may see the objects of a query; otherwise the query finds nothing. Default: all that the account
   * of the program may read. Values are text of users, and a chart may render them by `tpl`, so restrict it where users
   * may not see everything.
   */
  readonly allow?: (query: LookupQuery, resource: Resource) => boolean
  /** Called for each query that `allow` refuses; default nothing. */
  readonly onRefused?: (query: LookupQuery, resource: Resource) => void
}

const optionTypes: OptionTypes<ClusterLookupOptions> = { cluster: 'object', allow: 'any', onRefused: 'any' }

/**
 * Makes the function that answers `lookup`. Rendering fails with a `RenderError`, as with Helm, if the cluster does not
 * serve the version, or if the account of the program may not read the objects.
 *
 * @example
 * ```ts
 * const lookup = clusterLookup({
 *   cluster: ctx.virtual,
 *   allow: ({ namespace }, { kind }) => namespace === 'team' && kind !== 'Secret',
 * })
 * ```
 */
export function clusterLookup(options: ClusterLookupOptions): Lookup {
  checkOptions('clusterLookup', options, optionTypes)
  const { cluster, allow = () => true, onRefused = () => {} } = options
  return async (asked, signal) => {
    const resource = await servedKind(cluster, asked)
    if (!resource) return undefined
    const query = resource.namespaced ? asked : { ...asked, namespace: '' }
    if (allow(query, resource)) return read(cluster, { query, resource, signal })
    onRefused(query, resource)
    return undefined
  }
}

/** The resource of a query; undefined for an unknown kind of a version that is served. */
async function servedKind(
  cluster: Pick<Cluster, 'served'>,
  { apiVersion, kind }: LookupQuery,
): Promise<Resource | undefined> {
  const read = parseApiVersion(apiVersion)
  // Templates may render text of users, which must not become another path of the API server.
  const served = read ? await cluster.served(apiVersion) : []
  if (read && served.length > 0) return findKind(cluster, { ...read, kind })
  throw new UnservedLookupError({ apiVersion, kind })
}

interface LookupRequest {
  readonly query: LookupQuery
  readonly resource: Resource
  readonly signal: AbortSignal
}

async function read(
  { client }: Pick<Cluster, 'client'>,
  { query, resource, signal }: LookupRequest,
): Promise<object | undefined> {
  const { namespace, name } = query
  // Helm looks for the object without a namespace, where no server has it.
  if (name !== '' && resource.namespaced && namespace === '') return undefined
  try {
    if (name !== '') return await client.get(resource, { namespace, name }, { signal })
    return completeList(resource, await client.listAll(resource, { ...(namespace && { namespace }), signal }))
  } catch (error) {
    if (isNotFound(error)) return undefined
    if (!isForbidden(error)) throw error
    throw new RenderError('RenderError', notAllowedMessage({ query, resource }, error.message), {
      cause: error,
    })
  }
}

function notAllowedMessage(
  { query: { namespace, name }, resource }: Omit<LookupRequest, 'signal'>,
  why: string,
): string {
  const queryText = `${formatResource(resource)}${name && ` "${name}"`}${namespace && ` in namespace ${namespace}`}`
  return `lookup: the program may not ${name ? 'get' : 'list'} ${queryText}; allow it, or remove the lookup: ${why}`
}

/** Adds apiVersion and kind to a list and its items, as templates expect them; API servers omit those of the items. */
function completeList(resource: Resource, list: KubeList): object {
  const apiVersion = apiVersionOf(resource)
  const items = list.items.map((item) => ({ apiVersion, kind: resource.kind, ...item }))
  return { apiVersion, kind: `${resource.kind}List`, ...list, items }
}
