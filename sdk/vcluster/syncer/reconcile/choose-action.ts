import { goneKindRetryMs, isKindGoing } from '../../../engine/cluster/is-kind-going.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { skipBacksyncAnnotation } from '../../naming/ownership-keys.js'
import { copyNameConflictError } from '../../ownership/copy-name-conflict.js'
import { sourceUid } from '../../ownership/ownership.js'
import type { Syncer } from '../syncer.js'
import { copyingSyncer, type SameKind } from './copying-syncer.js'
import { isExcluded } from './excluded.js'
import type { StoredPair } from './read-pair.js'

/** The one action of a run. */
export type Action<T extends KubeObject> =
  /** Calls no method. `outdated` is a copy to delete, whose original does not exist or is not selected. */
  | { readonly type: 'idle'; readonly result?: ReconcileResult; readonly outdated?: T }
  /**
   * Calls the syncer's method of that name. `outdated` is the copy of an earlier object of the same name, to be deleted
   * first.
   */
  | { readonly type: 'syncDown'; readonly virtual: T; readonly outdated?: T }
  | { readonly type: 'sync'; readonly virtual: T; readonly host: T }
  | { readonly type: 'syncUp'; readonly host: T }
  /** Neither cluster has an object with this key: a host object may ask to be imported. */
  | { readonly type: 'import' }

const noAction = { type: 'idle' } as const

/** How long a run waits while a host object must be ignored, in milliseconds. */
const ignoredRetryMs = 1000

/**
 * Chooses the action of a run by the objects that exist now; `reconcile` performs it. `sameKind` are all syncers of the
 * kind, because another one may copy the object. Throws `NameConflictError` if a foreign object has the copy's name.
 */
export async function chooseAction<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  pair: StoredPair<T>,
  sameKind: SameKind<T> = [],
): Promise<Action<T>> {
  const { virtual, hostKey, host, isPair } = pair
  if (isExcluded(syncer, pair)) return noAction
  const selection = copyingSyncer(syncer, pair, sameKind)
  if (selection === 'other') return noAction
  if (selection === 'none') return host && isPair ? { type: 'idle', outdated: host } : noAction
  if (host && isPair) {
    if (syncer.ignoreHostObject?.(host)) return { type: 'idle', result: { requeueAfterMs: ignoredRetryMs } }
    return virtual ? actionForPair(syncer, { host, virtual }) : actionWithoutVirtual(syncer, ctx, host)
  }
  if (virtual === undefined) return { type: 'import' }
  if (syncer.originals === 'virtual') {
    if (host) throw copyNameConflictError(syncer.resource, ctx.key, keyOf(host))
    if (!hostKey) return noAction
  }
  return { type: 'syncDown', virtual }
}

/** The action if both objects exist. */
function actionForPair<T extends KubeObject>(
  syncer: Syncer<T>,
  { host, virtual }: { host: T; virtual: T },
): Action<T> {
  if (isOfEarlierIncarnation(syncer, host, virtual)) return { type: 'syncDown', virtual, outdated: host }
  return { type: 'sync', host, virtual }
}

/** The action if only the host object exists, and is the copy of the key. */
async function actionWithoutVirtual<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  host: T,
): Promise<Action<T>> {
  if (host.metadata.annotations?.[skipBacksyncAnnotation] === 'true') return noAction
  const isOfVirtual = syncer.originals === 'virtual'
  if (isOfVirtual && (await isKindGoing(syncer.resource, { ...ctx, cluster: ctx.virtual })))
    return { type: 'idle', result: { requeueAfterMs: goneKindRetryMs } }
  if (syncer.syncUp) return { type: 'syncUp', host }
  return isOfVirtual ? { type: 'idle', outdated: host } : noAction
}

/**
 * Whether a copy was made from an earlier object of the same name. A copy without a UID of its source was made by an
 * older SDK, and gets the UID at its next update.
 */
function isOfEarlierIncarnation<T extends KubeObject>(syncer: Syncer<T>, host: T, virtual: T): boolean {
  const uid = sourceUid(host)
  return (
    syncer.originals === 'virtual' &&
    !syncer.updatesOnNewUid &&
    uid !== undefined &&
    uid !== virtual.metadata.uid
  )
}
