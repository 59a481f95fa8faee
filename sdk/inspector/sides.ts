import type { RegisterContext } from '../context/register-context.js'
import { freezeJson } from '../kube/json.js'
import { formatKey, type Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { storedHost } from '../ownership/host-objects.js'
import { isControlledByOther, isCopyOf } from '../ownership/ownership.js'
import { isExcludedHost, isExcludedVirtual } from '../syncer/reconcile/reconcile.js'
import type { Reconciler } from '../syncer/reconciler.js'
import { Syncer } from '../syncer/syncer.js'

/** Both objects of a key, as the stores know them. */
export interface Sides {
  readonly virtual: KubeObject | undefined
  /** The host object's key, even if it does not exist; undefined if it must not exist. */
  readonly hostKey: Key | undefined
  readonly host: KubeObject | undefined
  /** Whether the host object is provably the key's. */
  readonly isPair: boolean
  /** The error that the syncer's own code threw when it was asked for the host object's key. */
  readonly error?: unknown
}

/** Reads both objects of a key as a run would. */
export function sidesOf(syncer: Reconciler, ctx: RegisterContext, key: Key): Sides {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(key))
  const alone = { virtual, hostKey: undefined, host: undefined, isPair: false }
  if (!(syncer instanceof Syncer)) return alone
  try {
    const hostKey = syncer.virtualToHost(key, virtual)
    const host = hostKey && freezeJson(storedHost(syncer, ctx, hostKey))
    return { virtual, hostKey, host, isPair: host !== undefined && isCopyOf(syncer, host, key) }
  } catch (error) {
    return { ...alone, error }
  }
}

/** Whether another controller looks after one of both, so that the syncer leaves them alone. */
export function isLeftAlone(syncer: Reconciler, { virtual, host, isPair }: Sides): boolean {
  if (!(syncer instanceof Syncer)) return virtual !== undefined && isControlledByOther(virtual, syncer.name)
  try {
    if (virtual && isExcludedVirtual(syncer, virtual)) return true
    return isPair && host !== undefined && isExcludedHost(syncer, host)
  } catch {
    // The syncer's own code threw; its run tells of that.
    return false
  }
}

/** For sentences: `ConfigMap default/greeting`. */
export const named = ({ resource }: Reconciler, key: Key) => `${resource.kind} ${formatKey(key)}`
