import { apiVersionOf, type Resource } from '../kube/resource.js'
import type { Cluster } from './cluster.js'

/** A kind, by its name. */
export type NamedKind = Pick<Resource, 'group' | 'version' | 'kind'>

/**
 * Finds the resource of a kind in a cluster; `undefined` if the cluster does not serve the kind
 * (`ConvertKindToResource` and `KindExists` in `translate/crd.go` @ vcluster-sdk v0.4.2).
 *
 * @example
 * ```ts
 * const routes = { group: 'gateway.networking.k8s.io', version: 'v1', kind: 'HTTPRoute' }
 * const found = await findKind(ctx.virtual, routes)
 * console.log(found?.plural) // httproutes, or undefined if the cluster does not serve the kind
 * ```
 */
export async function findKind(
  cluster: Pick<Cluster, 'served'>,
  kind: NamedKind,
): Promise<Resource | undefined> {
  const served = await cluster.served(apiVersionOf(kind))
  return served.find((resource) => resource.kind === kind.kind)
}
