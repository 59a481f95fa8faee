import { ContestedFields } from '../../../engine/controller/contested-fields.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { formatKey, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { SyncContext } from '../../context/sync-context.js'
import { changedFields } from './changed-fields.js'

/** A copy as it is, and as it is to be. */
export interface CopyChange {
  readonly copy: KubeObject | undefined
  readonly wanted: KubeObject
}

/**
 * Notices that another program of the host sets fields of a copy back each time, although the original has not changed.
 * Such fields are put right more and more rarely, and an Event names them.
 */
export class CopyContest {
  readonly #resource: Resource
  readonly #contested: ContestedFields
  /** The resourceVersions of copies after their last write, by their originals. */
  readonly #written = new WeakMap<KubeObject, string | undefined>()

  constructor(resource: Resource, clock: Pick<Clock, 'now'>) {
    this.#resource = resource
    this.#contested = new ContestedFields(clock)
  }

  /** Takes note of the copy that a write has left. */
  wrote(ctx: SyncContext, copy: KubeObject | undefined): void {
    const original = this.#originalOf(ctx)
    if (original) this.#written.set(original, copy?.metadata.resourceVersion)
  }

  /** When a run is to look again that must not write the copy now; undefined if it may. */
  pause(ctx: SyncContext, { copy, wanted }: CopyChange): ReconcileResult | undefined {
    const original = this.#originalOf(ctx)
    const written = original && this.#written.get(original)
    if (!copy || !original || written === undefined || written === copy.metadata.resourceVersion)
      return undefined
    const id = formatKey(keyOf(copy))
    const fields = changedFields(copy, wanted)
    if (fields.length === 0 || this.#contested.mayRepair(id, fields)) return undefined
    if (!this.#contested.isNamed(id)) this.#report(ctx, original, { id, fields })
    const contest = this.#contested.find(id)
    return contest && { requeueAfterMs: Math.ceil(contest.resumeMs) }
  }

  #originalOf({ virtual, key }: SyncContext): KubeObject | undefined {
    return virtual.store(this.#resource).get(key)
  }

  #report(ctx: SyncContext, original: KubeObject, { id, fields }: { id: string; fields: string[] }): void {
    const message =
      `another program of the host sets ${fields.join(', ')} of the copy ${id} to a different value each time. Let one of them ` +
      'decide: name the field in excludeFields, excludedLabels or excludedAnnotations of the syncer, or change the other program. ' +
      'Until then it is put right more and more rarely.'
    this.#contested.name(id, message)
    ctx.logger.warn({ fields }, message)
    ctx.events.warning(original, 'FieldContested', message)
  }
}
