import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import type { Permission } from './permission.js'
import type { Runnable } from './runnable.js'
import type { Watches } from './watches.js'

/**
 * A runnable that serves keys of one kind: a {@link Syncer} or a {@link FakeSyncer}. Its capabilities are optional
 * methods, as the optional interfaces of vcluster's Go SDK are (`syncer/types.go` @ vcluster-sdk v0.4.2).
 *
 * @example
 * ```ts
 * class ConfigMaps extends NamespacedTranslator<ConfigMap> {
 *   override syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
 *     return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
 *   }
 * }
 * plugin.register(new ConfigMaps(ctx, 'configmap', configMaps))
 * ```
 */
export abstract class Reconciler<T extends KubeObject = KubeObject> implements Runnable {
  /** Names the syncer in logs, metrics and Events. */
  readonly name: string
  /** The kind of the synced objects, the same in both clusters. */
  readonly resource: Resource<T>
  /**
   * How long one run of a key may take, in milliseconds; default five minutes. After that time `ctx.signal` aborts and
   * the key is retried. A run that ignores the signal keeps its key, but no longer occupies a worker.
   */
  readonly runLimitMs: number = 300_000
  /** See {@link Runnable.permissions}; default nothing. */
  readonly permissions: readonly Permission[] = []

  constructor(name: string, resource: Resource<T>) {
    this.name = name
    this.resource = resource
  }

  /** Runs once after leadership is won, before any cache is filled. */
  init?(ctx: RegisterContext): Promise<void>
  /** Runs after every `init`, before the caches are filled: the place to add indices to stores. */
  registerIndices?(ctx: RegisterContext): Promise<void>
  /** Adds watches of other kinds, when the caches are filled and before the first run. */
  modifyController?(watches: Watches, ctx: RegisterContext): void
  /** Starts other work, when the runs of keys have started; see {@link Runnable.register}. */
  register?(ctx: RegisterContext, signal: AbortSignal): Promise<void>
  /** Runs before each run of a key; answering `true` skips the run. */
  reconcileStart?(ctx: SyncContext): Promise<boolean>
  /**
   * Runs after each run of a key, also a skipped or a failed one. An error that it throws is logged and
   * changes nothing.
   */
  reconcileEnd?(ctx: SyncContext): Promise<void>
}
