/**
 * One run of one key of a controller. The steps, in this order: read the object; finalize it if it is being deleted; add the
 * finalizer if it needs one; `reconcile`; delete what is not wanted any more; write the status.
 */
import type { ReconcileResult } from '../../controller/reconcile-result.js'
import type { Run } from '../../controller/run.js'
import { freezeJson } from '../../kube/json.js'
import type { KubeObject } from '../../kube/object.js'
import type { EventRecorder } from '../../observe/event-recorder.js'
import type { WiredController } from '../controller/wired-controller.js'
import { ObjectRun } from './object-run.js'
import { RunContext } from './run-context.js'

/** Runs a key of a controller once. */
export async function runKey<T extends KubeObject>(
  wired: WiredController<T>,
  run: Run,
  events: EventRecorder,
): Promise<ReconcileResult | undefined> {
  const { cluster, resource, options } = wired
  const object = freezeJson(cluster.store(resource).get(run.key))
  const context = new RunContext(wired as unknown as WiredController, run)
  if (object) return new ObjectRun({ wired, run, events, context, object }).run()
  const result = await options.deleted?.(
    context.base(({ client }) => ({ client })),
    run.key,
  )
  return result ?? undefined
}
