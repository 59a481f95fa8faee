import { freezeJson } from '../../../engine/kube/json.js'
import { formatKey, type Key } from '../../../engine/kube/key.js'
import type { RegisterContext } from '../../context/register-context.js'
import { isControlledByOther } from '../../ownership/ownership.js'
import { isExcluded } from '../../syncer/reconcile/excluded.js'
import { readPair, type StoredPair } from '../../syncer/reconcile/read-pair.js'
import type { Reconciler } from '../../syncer/reconciler.js'
import { Syncer } from '../../syncer/syncer.js'

/** Both objects of a key, as the stores know them. */
export interface InspectedPair extends StoredPair {
  /** The error that the syncer's own code threw when it computed the host object's key. */
  readonly error?: unknown
}

/** Reads both objects of a key as a run would. */
export function inspectedPair(syncer: Reconciler, ctx: RegisterContext, key: Key): InspectedPair {
  try {
    if (syncer instanceof Syncer) return readPair(syncer, ctx, key)
  } catch (error) {
    return { ...virtualAlone(syncer, ctx, key), error }
  }
  return virtualAlone(syncer, ctx, key)
}

function virtualAlone({ resource }: Reconciler, ctx: RegisterContext, key: Key): InspectedPair {
  const virtual = freezeJson(ctx.virtual.store(resource).get(key))
  return { virtual, hostKey: undefined, host: undefined, isPair: false }
}

/** Whether another controller manages one of both objects, so that the syncer leaves them alone. */
export function isLeftAlone(syncer: Reconciler, pair: InspectedPair): boolean {
  const { virtual } = pair
  if (!(syncer instanceof Syncer)) return virtual !== undefined && isControlledByOther(virtual, syncer.name)
  try {
    return isExcluded(syncer, pair)
  } catch {
    // The syncer's own code threw; its run reports that.
    return false
  }
}

/** The name of an object in messages: `ConfigMap default/greeting`. */
export const named = ({ resource }: Reconciler, key: Key) => `${resource.kind} ${formatKey(key)}`
