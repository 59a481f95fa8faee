/**
 * One run of one key of a controller. The steps, in this order: read the object; release it if it is not selected any
 * more; finalize it if it is being deleted; add the finalizer if it needs one; `reconcile`; delete what is not wanted
 * any more; write the status.
 */
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import type { Run } from '../../engine/controller/run.js'
import { isNotFound } from '../../engine/kube/error.js'
import { freezeJson } from '../../engine/kube/json.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { EventRecorder } from '../../engine/observe/event-recorder.js'
import type { WiredController } from '../controller/wired-controller.js'
import { checkScope } from './check-scope.js'
import { ObjectRun } from './object-run.js'
import { RunContext } from './run-context.js'

/** Runs a key of a controller once. A key that has waited counts as waiting until its run ends in another way. */
export async function runKey<T extends KubeObject>(
  wired: WiredController<T>,
  run: Run,
  events: EventRecorder,
): Promise<ReconcileResult | undefined> {
  const name = formatKey(run.key)
  const earlier = wired.waits.get(name)
  try {
    return await runFound(wired, run, events)
  } finally {
    if (wired.waits.get(name) === earlier) wired.waits.delete(name)
  }
}

async function runFound<T extends KubeObject>(
  wired: WiredController<T>,
  run: Run,
  events: EventRecorder,
): Promise<ReconcileResult | undefined> {
  const { cluster, resource } = wired
  const context = new RunContext(wired as unknown as WiredController, run)
  const cached = freezeJson(cluster.store(resource).get(run.key))
  if (cached) checkScope(resource, run.key)
  const foundObject = await findObject(wired, context, { cached, key: run.key })
  if (foundObject === 'nothing to do') return undefined
  // Nothing is applied for the object any more, unless it is selected again.
  if (!foundObject?.selected) wired.applier.forgetPrimary(run.key)
  if (!foundObject) {
    forget(wired, run.key)
    return handleDeletion(wired, run.key, context)
  }
  wired.seen?.add(run.key)
  return new ObjectRun({ wired, run, events, context, ...foundObject }).run()
}

async function handleDeletion<T extends KubeObject>(
  { options, seen }: WiredController<T>,
  key: Key,
  context: RunContext,
): Promise<ReconcileResult | undefined> {
  if (!seen?.has(key)) return undefined
  const result = await options.deleted?.(
    context.base(({ client }) => ({ client })),
    key,
  )
  if (!result) seen.forget(key)
  return result ?? undefined
}

function forget<T extends KubeObject>(
  { statusManagers, failedRuns, finalizerContest, forgotten }: WiredController<T>,
  key: Key,
): void {
  statusManagers.forget(key)
  failedRuns.clear(key)
  finalizerContest.forget(key)
  forgotten.forget(key)
}

/** An object to run, and whether the controller selects it; undefined if there is none. */
type FoundObject<T> = { object: T; selected: boolean } | undefined

/**
 * Finds the object to run. An object that no longer matches the selectors leaves the cache as if it was deleted, so it
 * is read from the API server. An object that matches again needs no run: its return to the cache runs the key.
 */
async function findObject<T extends KubeObject>(
  { selection, resource }: WiredController<T>,
  { primary }: RunContext,
  { cached, key }: { cached: T | undefined; key: Key },
): Promise<FoundObject<T> | 'nothing to do'> {
  if (!selection) return cached && { object: cached, selected: true }
  if (cached && selection.selects(cached)) {
    selection.forget(cached)
    return { object: cached, selected: true }
  }
  const live = await primary.client.get(resource, key).catch(undefinedIfNotFound)
  if (!live) return undefined
  const isDone = selection.selects(live) || selection.isReleased(live)
  return isDone && !live.metadata.deletionTimestamp
    ? 'nothing to do'
    : { object: freezeJson(live), selected: false }
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}
