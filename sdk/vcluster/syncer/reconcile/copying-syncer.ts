import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Syncer } from '../syncer.js'
import type { StoredPair } from './read-pair.js'

/** The syncer that copies a virtual object: this one, another one to the same host name, or none. */
export type CopyingSyncer = 'this' | 'other' | 'none'

/** All syncers that copy the same kind in the same direction, in the order of their registration. */
export type SameKind<T extends KubeObject> = readonly Syncer<T>[]

/**
 * Finds the syncer that copies an object. If several syncers select the object and give its copy the same name, the
 * syncer that was registered first copies it. So all syncers agree, and none changes or deletes a copy of another.
 */
export function copyingSyncer<T extends KubeObject>(
  syncer: Syncer<T>,
  pair: StoredPair<T>,
  sameKind: SameKind<T>,
): CopyingSyncer {
  const { virtual } = pair
  if (!virtual || !syncer.selects || syncer.originals !== 'virtual') return 'this'
  if (sameKind.length < 2) return syncer.selects(virtual) ? 'this' : 'none'
  const selecting = sameKind.find((one) => one.selects?.(virtual) && isSameName(one, syncer, pair))
  if (!selecting) return 'none'
  return selecting === syncer ? 'this' : 'other'
}

function isSameName<T extends KubeObject>(
  one: Syncer<T>,
  syncer: Syncer<T>,
  { virtual, hostKey }: StoredPair<T>,
): boolean {
  if (one === syncer) return true
  const other = virtual && one.virtualToHost(keyOf(virtual), virtual)
  return other?.name === hostKey?.name && other?.namespace === hostKey?.namespace
}
