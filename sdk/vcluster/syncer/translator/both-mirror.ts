import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import type { ConflictRule } from '../both/decide.js'
import type { Pair } from '../syncer.js'
import { DownMirror, type MirrorDownOptions } from './down-mirror.js'

/** The options that `mirrorBoth` adds to those of copies to the host. */
export interface BothMirrorOptions<T extends KubeObject> extends MirrorDownOptions<T> {
  /** The side whose change counts if both sides have changed a field; default `virtual`. */
  onConflict?: ConflictRule
}

/** Copies to the host, and copies fields that only the host has changed back to the original. */
export class BothMirror<T extends KubeObject> extends DownMirror<T> {
  readonly #onConflict: ConflictRule

  constructor(ctx: RegisterContext, resource: Resource<T>, options: BothMirrorOptions<T>) {
    const {
      name = `${resource.kind.toLowerCase()}-both`,
      remembers = ['*'],
      onConflict = 'virtual',
    } = options
    super(ctx, resource, { ...options, name, remembers })
    this.#onConflict = onConflict
  }

  protected override syncContent(ctx: SyncContext, pair: Pair<T>): Promise<ReconcileResult | undefined> {
    return this.syncBoth(ctx, pair, { onConflict: this.#onConflict })
  }
}
