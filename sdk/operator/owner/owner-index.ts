import type { Cluster } from '../../engine/cluster/cluster.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { ensureIndex } from './ensure-index.js'
import type { Owner } from './owner.js'
import { claimOf, ownershipOf } from './ownership.js'

/** A kind of owned objects and its cluster. */
interface Kind {
  readonly cluster: Cluster
  readonly resource: Resource
}

/** The index of a kind's objects by the UIDs of their owners. Controllers of one primary kind share it. */
function indexName({ cluster, resource }: Pick<Owner, 'cluster' | 'resource'>): string {
  return `operator/owned by ${cluster} ${formatResource(resource)}`
}

/** Indexes the objects of a kind by the primary that they belong to. */
export function indexByOwner(
  { cluster, resource }: Kind,
  primary: Pick<Owner, 'cluster' | 'resource'>,
): void {
  const uidsOf = (object: KubeObject) => {
    const claim = claimOf(object, cluster.name, primary)
    return claim ? [claim.uid] : []
  }
  ensureIndex(cluster.store(resource), indexName(primary), uidsOf)
}

/** The objects of a kind that belong to an owner. */
export function ownedBy({ cluster, resource }: Kind, owner: Owner): KubeObject[] {
  const claimed = cluster.store(resource).byIndex(indexName(owner), owner.uid)
  return claimed.filter((object) => ownershipOf(object, cluster.name, owner) === 'owned')
}
