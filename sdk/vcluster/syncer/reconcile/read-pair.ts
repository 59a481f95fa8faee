import { shareFrozenParts } from '../../../engine/kube/frozen-parts.js'
import { freezeJson } from '../../../engine/kube/json.js'
import type { Key } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { RegisterContext } from '../../context/register-context.js'
import { storedHost } from '../../ownership/host-objects.js'
import { isCopyOf } from '../../ownership/ownership.js'
import type { Syncer } from '../syncer.js'

/** The objects of a key as the stores hold them now, deeply frozen. */
export interface StoredPair<T extends KubeObject = KubeObject> {
  readonly virtual: T | undefined
  /** The key of the copy; `undefined` if the virtual object must not have one. */
  readonly hostKey: Key | undefined
  /** The host object with that key: the copy, or a foreign object. */
  readonly host: T | undefined
  /** Whether the host object is provably the copy of the key. */
  readonly isPair: boolean
}

/** Reads both objects of a key. Rethrows errors of the syncer's own code. */
export function readPair<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: RegisterContext,
  key: Key,
): StoredPair<T> {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(key))
  const hostKey = syncer.virtualToHost(key, virtual)
  const host = hostKey && storedHost(syncer, ctx, hostKey)
  if (!host) return { virtual, hostKey, host, isPair: false }
  // From now on both share their content where it is equal.
  if (virtual) shareFrozenParts(virtual, host)
  freezeJson(host)
  return { virtual, hostKey, host, isPair: isCopyOf(syncer, host, key) }
}
