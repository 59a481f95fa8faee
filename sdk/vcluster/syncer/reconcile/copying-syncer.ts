import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Syncer } from '../syncer.js'
import type { StoredPair } from './read-pair.js'

/** Which syncer copies a virtual object: the asking one, another one under the same host name, or none. */
export type CopyingSyncer = 'this' | 'other' | 'none'

/** All syncers that copy the same kind in the same direction, in the order of their registration. */
export type SameKind<T extends KubeObject> = readonly Syncer<T>[]

/**
 * Decides in a run of `syncer` whether this syncer copies the object. If several syncers select the object and give its
 * copy the same name, the syncer that was registered first copies it. So all syncers agree, and none changes or deletes
 * a copy of another.
 */
export function copyingSyncer<T extends KubeObject>(
  syncer: Syncer<T>,
  pair: StoredPair<T>,
  sameKind: SameKind<T>,
): CopyingSyncer {
  const { virtual } = pair
  const copiesAll = !syncer.selects || syncer.originals !== 'virtual'
  if (!virtual || copiesAll) return 'this'
  if (sameKind.length < 2) return syncer.selects?.(virtual) ? 'this' : 'none'
  const firstSyncer = sameKind.find(
    (candidate) => candidate.selects?.(virtual) && isSameName(candidate, syncer, pair),
  )
  if (!firstSyncer) return 'none'
  return firstSyncer === syncer ? 'this' : 'other'
}

function isSameName<T extends KubeObject>(
  candidate: Syncer<T>,
  syncer: Syncer<T>,
  { virtual, hostKey }: StoredPair<T>,
): boolean {
  if (candidate === syncer) return true
  const candidateKey = virtual && candidate.virtualToHost(keyOf(virtual), virtual)
  return candidateKey?.name === hostKey?.name && candidateKey?.namespace === hostKey?.namespace
}
