/**
 * One run of one key: reads who exists now, and calls the one method of the syncer that fits. This file and
 * `run-syncer.ts` are the only places that know the order of things.
 *
 * It guarantees that an object that is not provably ours causes no write (a foreign object is refused), that
 * a syncer cannot change what the stores hold, that a copy of an earlier incarnation is replaced, and that a
 * copy without an original goes. `run-syncer.ts` retries a run that throws.
 */

import { goneKindRetryMs, isKindGoing } from '../../cluster/is-kind-going.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import { shareFrozenParts } from '../../kube/frozen-parts.js'
import { freezeJson } from '../../kube/json.js'
import { type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import { controlledByLabel, skipBacksyncAnnotation } from '../../naming/ownership-keys.js'
import { copyNameConflict } from '../../ownership/copy-name-conflict.js'
import { storedHost } from '../../ownership/host-objects.js'
import { isControlledByOther, isCopyOf, sourceUid } from '../../ownership/ownership.js'
import { deleteCopy } from '../../ownership/write-copy.js'
import type { PlainPair, Syncer } from '../syncer.js'
import { importCandidate } from './imports.js'
import { type SyncerCall, settle } from './settle.js'

/** How long a run waits for a host object that is to be ignored for now, in milliseconds. */
const ignoredRetryMs = 1000

/** Runs `ctx.key` once. Throws what the syncer throws, and `NameConflictError` where the copy's name is taken. */
export async function reconcile<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
): Promise<ReconcileResult | undefined> {
  const virtual = freezeJson(ctx.virtual.store(syncer.resource).get(ctx.key))
  const hostKey = syncer.virtualToHost(ctx.key, virtual)
  if (virtual && isExcludedVirtual(syncer, virtual)) return undefined
  const host = hostKey && freezeJson(hostOf(syncer, ctx, { hostKey, virtual }))
  if (host && isCopyOf(syncer, host, ctx.key)) {
    if (isExcludedHost(syncer, host)) return undefined
    if (syncer.ignoreHostObject?.(host)) return { requeueAfterMs: ignoredRetryMs }
    return reconcileHost(syncer, ctx, { host, virtual })
  }
  if (virtual === undefined) return adopt(syncer, ctx)
  if (syncer.originals === 'host')
    return settle(callOf(syncer, ctx, 'syncDown'), syncer.syncDown(ctx, virtual))
  if (host) throw copyNameConflict(syncer.resource, ctx.key, keyOf(host))
  return hostKey && settle(callOf(syncer, ctx, 'syncDown'), syncer.syncDown(ctx, virtual))
}

/** The host object of a run. From now on it shares its content with the virtual one where both are equal. */
function hostOf<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  { hostKey, virtual }: { hostKey: Key; virtual: T | undefined },
): T | undefined {
  const host = storedHost(syncer, ctx, hostKey)
  if (host && virtual) shareFrozenParts(virtual, host)
  return host
}

/** The host object is managed, and the virtual one's counterpart. */
async function reconcileHost<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  { host, virtual }: { host: T; virtual: T | undefined },
): Promise<ReconcileResult | undefined> {
  if (virtual === undefined) return withoutVirtual(syncer, ctx, host)
  if (isOfEarlierIncarnation(syncer, host, virtual)) return replaceCopy(syncer, ctx, { host, virtual })
  const old = freezeJson(syncer.lastSynced?.({ host, virtual })) as Partial<PlainPair<T>> | undefined
  const pair: PlainPair<T> = { host, virtual, ...old }
  return settle(callOf(syncer, ctx, 'sync'), syncer.sync(ctx, pair))
}

async function withoutVirtual<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  host: T,
): Promise<ReconcileResult | undefined> {
  if (host.metadata.annotations?.[skipBacksyncAnnotation] === 'true') return undefined
  const isOfVirtual = syncer.originals === 'virtual'
  if (isOfVirtual && (await isKindGoing(syncer.resource, { ...ctx, cluster: ctx.virtual })))
    return { requeueAfterMs: goneKindRetryMs }
  if (syncer.syncUp) return settle(callOf(syncer, ctx, 'syncUp'), syncer.syncUp(ctx, host))
  return isOfVirtual ? deleteCopy(syncer, ctx, host) : undefined
}

/** Neither cluster has an object with this key: a host object may ask to be imported. */
async function adopt<T extends KubeObject>(syncer: Syncer<T>, ctx: SyncContext): Promise<undefined> {
  const candidate = freezeJson(importCandidate(syncer, ctx, ctx.key))
  if (candidate && (await syncer.import?.(ctx, candidate))) ctx.logger.info({}, 'a host object was imported')
}

/** Whether a syncer leaves a virtual object and its copy alone. */
export function isExcludedVirtual<T extends KubeObject>(syncer: Syncer<T>, virtual: T): boolean {
  return syncer.excludeVirtual ? syncer.excludeVirtual(virtual) : isControlledByOther(virtual, syncer.name)
}

/**
 * Whether it leaves a managed host object alone. A plugin may label its copies with its own syncer's name, to keep
 * vcluster's own syncers away from them.
 */
export function isExcludedHost<T extends KubeObject>(syncer: Syncer<T>, host: T): boolean {
  if (syncer.excludeHost) return syncer.excludeHost(host)
  const isLabelledOurs = host.metadata.labels?.[controlledByLabel] === syncer.name
  return !isLabelledOurs && isControlledByOther(host, syncer.name)
}

function callOf({ name: syncer }: { name: string }, { key }: SyncContext, method: string): SyncerCall {
  return { syncer, method, key }
}

/** A copy that does not say its source's UID was made by an older SDK: it is stamped at its next update. */
function isOfEarlierIncarnation<T extends KubeObject>(syncer: Syncer<T>, host: T, virtual: T): boolean {
  const uid = sourceUid(host)
  return (
    syncer.originals === 'virtual' &&
    !syncer.updatesOnNewUid &&
    uid !== undefined &&
    uid !== virtual.metadata.uid
  )
}

async function replaceCopy<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  { host, virtual }: { host: T; virtual: T },
): Promise<ReconcileResult | undefined> {
  await deleteCopy(syncer, ctx, host)
  // A copy with finalizers or a grace period still exists; its deletion event enqueues this key again.
  if (storedHost(syncer, ctx, keyOf(host))) return undefined
  return settle(callOf(syncer, ctx, 'syncDown'), syncer.syncDown(ctx, virtual))
}
