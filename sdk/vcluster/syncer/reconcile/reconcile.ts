/**
 * One run of one key: reads both objects as they are now, chooses the one action that fits, and performs it.
 *
 * It guarantees that an object that is not provably ours causes no write (a foreign object is refused), that a syncer
 * cannot change what the stores hold, that a copy of an earlier incarnation is replaced, and that a copy without an
 * original is deleted. The controller retries a run that throws.
 */

import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { freezeJson } from '../../../engine/kube/json.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { removeCopy } from '../../ownership/write-copy.js'
import { CopyContest } from '../contest/copy-contest.js'
import type { SyncResult } from '../sync-result.js'
import type { PlainPair, Syncer } from '../syncer.js'
import { type Action, chooseAction } from './choose-action.js'
import type { SameKind } from './copying-syncer.js'
import { importObject } from './imports.js'
import { readPair } from './read-pair.js'
import { checkResult } from './settle.js'

/** Runs `ctx.key` once. Throws what the syncer throws, and `NameConflictError` if the copy's name is taken. */
export async function reconcile<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: SyncContext,
  sameKind: SameKind<T> = [],
): Promise<ReconcileResult | undefined> {
  const pair = readPair(syncer, ctx, ctx.key)
  const action = await chooseAction(syncer, ctx, pair, sameKind)
  if ('outdated' in action && action.outdated && !(await removeCopy(syncer, ctx, action.outdated)))
    // A copy with finalizers or a grace period still exists; its deletion event enqueues this key again.
    return undefined
  const call = { syncer: syncer.name, method: action.type, key: ctx.key }
  try {
    return CopyContest.earliestResult(ctx, await checkResult(call, perform(syncer, ctx, action)))
  } catch (error) {
    CopyContest.limitError(ctx, error)
    throw error
  }
}

function perform<T extends KubeObject>(syncer: Syncer<T>, ctx: SyncContext, action: Action<T>): SyncResult {
  switch (action.type) {
    case 'idle':
      return Promise.resolve(action.result)
    case 'import':
      return importObject(syncer, ctx)
    case 'syncUp':
      return syncer.syncUp?.(ctx, action.host) ?? Promise.resolve()
    case 'syncDown':
      return syncer.syncDown(ctx, action.virtual)
    case 'sync': {
      const { host, virtual } = action
      const old = freezeJson(syncer.lastSynced?.({ host, virtual })) as Partial<PlainPair<T>> | undefined
      return syncer.sync(ctx, { host, virtual, ...old })
    }
  }
}
