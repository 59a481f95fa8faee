/**
 * One run of one key: reads who exists now, and calls the one method of the syncer that fits. This file and
 * `run-syncer.ts` are the only places that know the order of things.
 *
 * It promises that nothing is written on account of an object that is not provably ours (a stranger is
 * refused), that a syncer cannot change what the stores hold, that a copy of an earlier incarnation is replaced, and that a copy without an original goes.
 * It leaves the retry of what throws to `run-syncer.ts`.
 */
import type { SyncContext } from '../context/sync-context.js'
import { freezeJson } from '../kube/json.js'
import { type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { storedHost } from '../syncer/host-objects.js'
import type { Outcome, SyncResult } from '../syncer/outcome.js'
import { StrangerError } from '../syncer/stranger-error.js'
import type { Syncer } from '../syncer/syncer.js'
import { isControlledByOther, isCopyOf, sourceUid } from '../translator/ownership.js'
import { deleteCopy } from '../translator/write-copy.js'

/** Runs `ctx.key` once. Throws what the syncer throws, and `StrangerError` where the copy's name is taken. */
export async function reconcile<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
): Promise<Outcome | undefined> {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(ctx.key))
  const hostKey = syncer.virtualToHost(ctx.key, virtual)
  if (hostKey === undefined || (virtual && isControlledByOther(virtual, syncer.name))) return undefined
  const host = freezeJson(storedHost(syncer, ctx, hostKey))

  if (host === undefined) return virtual && settle(syncer.syncDown(ctx, virtual))
  if (!isCopyOf(syncer, host, ctx.key)) return virtual && refuse(syncer, ctx.key, hostKey)
  if (virtual === undefined)
    return syncer.syncUp ? settle(syncer.syncUp(ctx, host)) : deleteCopy(syncer, ctx, host)
  if (isOfEarlierIncarnation(syncer, host, virtual)) return replaceCopy(syncer, ctx, { host, virtual })
  return settle(syncer.sync(ctx, { host, virtual }))
}

/** `void` and `undefined` are the same answer: rest. Throws for a delay that is no number. */
async function settle(result: SyncResult): Promise<Outcome | undefined> {
  const outcome = (await result) ?? undefined
  if (!Number.isNaN(outcome?.requeueAfterMs)) return outcome
  throw new TypeError(
    'requeueAfterMs is NaN; answer milliseconds, or nothing to rest until something changes',
  )
}

function refuse(syncer: Syncer, key: Key, hostKey: Key): never {
  throw new StrangerError(syncer.resource, key, hostKey)
}

/** A copy that does not say its source's UID was made by an older SDK: it is stamped at its next update. */
function isOfEarlierIncarnation<T extends KubeObject>(syncer: Syncer<T>, host: T, virtual: T): boolean {
  const uid = sourceUid(host)
  return !syncer.keepsCopyOnNewUid && uid !== undefined && uid !== virtual.metadata.uid
}

async function replaceCopy<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  { host, virtual }: { host: T; virtual: T },
): Promise<Outcome | undefined> {
  await deleteCopy(syncer, ctx, host)
  // A copy with finalizers or a grace period still stands; its last event brings this key back.
  if (storedHost(syncer, ctx, keyOf(host))) return undefined
  return settle(syncer.syncDown(ctx, virtual))
}
