import { formatResource } from '../../engine/kube/resource.js'
import type { Runnable } from '../syncer/runnable.js'
import { Syncer } from '../syncer/syncer.js'

/** The syncers of the same kind and direction as this one, itself included, in the order of their registration. */
export function sameKindAs(syncer: Runnable, all: readonly Runnable[]): readonly Syncer[] {
  if (!(syncer instanceof Syncer)) return []
  const kind = formatResource(syncer.resource)
  return all.filter(
    (one): one is Syncer =>
      one instanceof Syncer && one.originals === syncer.originals && formatResource(one.resource) === kind,
  )
}
