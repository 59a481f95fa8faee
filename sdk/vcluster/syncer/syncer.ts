import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Side } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { Reconciler } from './reconciler.js'
import type { SyncResult } from './sync-result.js'

/**
 * Both objects as they were when they were last in sync, if a syncer remembers that ({@link Syncer.lastSynced}). The
 * state is kept on the copy, so a change that was made while no replica ran is also seen. `undefined` if the state is
 * not known. The objects have only their identity and the remembered fields that are known.
 */
export interface OldStates<T extends KubeObject> {
  readonly hostOld?: DeepReadonly<T>
  readonly virtualOld?: DeepReadonly<T>
}

/** An original and its copy, deeply frozen because the stores share them; to change one, clone it first. */
export interface Pair<T extends KubeObject> extends OldStates<T> {
  readonly host: DeepReadonly<T>
  readonly virtual: DeepReadonly<T>
}

/** The same under the plain type, for code that is generic in it; see {@link asPlainPair}. */
export interface PlainPair<T extends KubeObject> {
  readonly host: T
  readonly virtual: T
  readonly hostOld?: T
  readonly virtualOld?: T
}

/** The pair under the plain type, for code that reads it and takes parts of it into new objects. */
export function asPlainPair<T extends KubeObject>(pair: Pair<T>): PlainPair<T> {
  return pair as PlainPair<T>
}

/**
 * Keeps the objects of one kind in sync between the virtual and the host cluster. Subclass it, or one of the
 * translators that build on it.
 *
 * The SDK calls one method per run of a key, chosen by which objects exist *now*: `syncDown` (virtual only), `sync`
 * (both), `syncUp` (host only). It never runs one key twice at a time, retries failed runs with backoff, and calls
 * nothing before both clusters have been listed completely. A method must be able to run again after a crash at any
 * point: look at the objects, not at what happened.
 *
 * The capabilities below `sync`, and those of {@link Reconciler}, are optional methods.
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
export abstract class Syncer<T extends KubeObject = KubeObject> extends Reconciler<T> {
  /**
   * The cluster that has the originals; the other one has their copies. `virtual` (default): a host object that is not
   * provably a copy is a foreign object, and a copy whose original is gone is deleted. `host`: a host object
   * that is not `isManaged` is not (or no longer) an original, and the SDK itself writes nothing on the host.
   */
  readonly originals: Side = 'virtual'
  /**
   * Handling of a copy whose original was deleted and created again under the same name: `false` (default)
   * deletes the copy and creates it again, `true` leaves it to `sync` (`Options.DisableUIDDeletion` of the Go
   * SDK).
   */
  readonly updatesOnNewUid: boolean = false
  /**
   * Whether a key runs again after a write of its own run, once the API server has stored the object exactly as the run
   * sent it: `true` (default) calls `sync` after `syncDown` has created the copy, for the status or finalizers of the
   * copy. Set it to `false` if a run leaves nothing to do, as `mirrorDown` does: this saves a run for each write. A key
   * always runs again if the stored object differs, after a deletion, and after any change that the run did not make.
   */
  readonly runsAfterOwnWrites: boolean = true
  /**
   * The host namespaces that contain the syncer's host objects, `''` for all; default the target namespace. Each is
   * watched, for which the plugin needs permissions.
   */
  readonly hostNamespaces: readonly string[] | undefined = undefined

  /** The key of the copy of the virtual object `key`; `undefined` if it must not have a copy. */
  abstract virtualToHost(key: Key, virtual?: T): Key | undefined
  /** The virtual object of which a host object is the copy; `undefined` when it is not a copy. */
  abstract hostToVirtual(host: T): Key | undefined
  /** Whether a host object is provably a copy of ours. A foreign object is never changed nor deleted. */
  abstract isManaged(host: T): boolean
  /**
   * The virtual object of which a host object is provably the copy; undefined if it is not managed. It combines {@link
   * isManaged} and {@link hostToVirtual}: override it if that is cheaper than calling both.
   */
  sourceOf(host: T): Key | undefined {
    return this.isManaged(host) ? this.hostToVirtual(host) : undefined
  }

  /** Called if the virtual object has no counterpart on the host. */
  abstract syncDown(ctx: SyncContext, virtual: DeepReadonly<T>): SyncResult
  /** Called if original and copy both exist. */
  abstract sync(ctx: SyncContext, pair: Pair<T>): SyncResult

  /**
   * Called if only the host object exists. Without this method an owned copy is deleted, unless it carries the
   * annotation `vcluster.loft.sh/skip-backsync: "true"`, which keeps this method from being called, too.
   */
  syncUp?(ctx: SyncContext, host: DeepReadonly<T>): SyncResult

  /** Both objects as they were when they were last in sync: passed to `sync` with the current objects. */
  lastSynced?(pair: Pair<T>): OldStates<T>

  /**
   * Whether this syncer copies a virtual object; default all. If not, the copy is deleted, unless another syncer of the
   * same kind selects the object. If several syncers select it, the syncer that was registered first copies it. It must
   * depend on the object alone.
   */
  selects?(virtual: T): boolean
  /**
   * Whether to leave a virtual object and its copy alone. Default: objects that another controller manages, by the
   * label `vcluster.loft.sh/controlled-by`, or by an annotation of that key that names another syncer.
   */
  excludeVirtual?(virtual: T): boolean
  /** The same for a host object that is managed; a label that names this very syncer does not exclude by default. */
  excludeHost?(host: T): boolean

  /**
   * The virtual object that a host object asks to become, by an annotation for instance, while it is not managed and
   * not being deleted. If there is no such virtual object, `import` is called.
   */
  importKey?(host: T): Key | undefined
  /**
   * Adopts a host object under `ctx.key`, whose {@link importKey} returned that key; if there are several, the first by
   * namespace and name. Returns whether the object was adopted; after `false` the run continues as if the object did
   * not exist (`Importer` in `pkg/syncer/types/types.go` @ vcluster v0.33.1).
   */
  import?(ctx: SyncContext, host: DeepReadonly<T>): Promise<boolean>
  /** While this returns `true`, the run is delayed for a second (`Importer.IgnoreHostObject`). */
  ignoreHostObject?(host: T): boolean
}
