import type { Observable } from 'rxjs'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { withJitter } from '../../engine/time/jitter.js'
import type { Effects, Things } from '../effect/effect.js'
import type { ControllerContext, DeletedContext } from './context.js'
import type { ControllerPermission } from './controller-permission.js'
import type { DeclaredObjects, ObjectsOf } from './declared-kinds.js'
import type { Owned } from './owned.js'
import type { Predicate } from './predicate.js'
import type { Scope } from './scope.js'
import type { Watched } from './watch.js'

/** The result of `reconcile` and `finalize`: nothing to wait for a change, or when to run again. */
// biome-ignore lint/suspicious/noConfusingVoidType: a method without a return statement has this type
export type ReconcileReturn = ReconcileResult | undefined | void | Promise<ReconcileResult | undefined | void>

/**
 * Options of `controller`. The scope is that of the primary objects. One that leaves the selectors is released: its key
 * runs once more, with `ctx.selected` false, nothing that it owns is deleted, and it loses the finalizer.
 *
 * `controller` infers the types of `ctx` from `conditions`, `owns` and `watches`: `ctx.apply` takes the owned kinds.
 */
export interface ControllerOptions<
  T extends KubeObject,
  M extends Things = Things,
  Condition extends string = string,
  Owns extends Resource | Owned = Resource | Owned,
  Watches extends Watched = Watched,
> extends Scope {
  /**
   * The controller's name in logs, metrics, Events and its field manager; default the plural of its kind. Never change
   * it.
   */
  name?: string
  /** The cluster that holds the primary objects; default the only cluster of an operator. */
  cluster?: string
  /**
   * Earlier field managers whose fields the controller takes over, for example `old-operator.backups` after a rename of
   * the operator, or the field manager of a program that it replaces; default none. Without this option such fields
   * have two managers, and a field that the controller no longer applies stays. The option may stay in the code.
   */
  formerFieldManagers?: readonly string[]
  /** The kinds of the objects that it creates. A change of such an object runs the key of its owner. */
  owns?: readonly Owns[]
  /** Further kinds whose changes run keys. */
  watches?: readonly Watches[]
  /** Selects the changes of a primary object that run its key; default all. */
  predicate?: Predicate<T>
  /** Runs each key again after this time without a change, in milliseconds, plus or minus 10 %; default never. */
  everyMs?: number
  /**
   * Runs every key again at this interval, in milliseconds, plus or minus 10 %, after the keys of changes; default
   * never. Lost events need no resync, because silent watches are found. `everyMs` is a time of each key, from its own
   * last run on.
   */
  resyncMs?: number
  /** Further triggers. An error of the Observable is logged, and it is subscribed to again with backoff. */
  triggers$?: Observable<Key>
  /** Permissions for calls by `ctx.client`, and for objects that it applies with `shared`; default none. */
  permissions?: readonly ControllerPermission[]
  /** How many keys run at a time; default 32. */
  concurrency?: number
  /**
   * Lets objects that share something, such as an account or a device, take turns: objects with the same result never
   * run at the same time, whatever `concurrency` is. It is asked when the object is about to run; undefined means that
   * it waits for no other object. Objects for which it throws take turns with each other. Default none. It must be
   * quick and a pure function of the object.
   */
  serializeBy?(object: DeepReadonly<T>): string | undefined
  /**
   * How many runs may begin in any second, such as the quota of an external API; default no limit. A number below 1 is
   * one run in so many seconds. Each replica counts for itself, if they share the work.
   */
  maxRunsPerSecond?: number
  /** How long one run may take, in milliseconds; default 300,000. */
  runLimitMs?: number
  /**
   * Whether another controller of the program reconciles the same kind, too; default false. Both must say so, and write
   * different conditions and different fields of the status.
   */
  shared?: boolean
  /** The fields of the status that it writes, if it is `shared`; default none. Without `shared` it writes them all. */
  statusFields?: readonly string[]
  /**
   * Its finalizer; default `<group>/<name>`. Set it to take over objects of another operator. Never change it later.
   */
  finalizer?: string
  /**
   * Whether the annotation `<group>/owned-kinds` of an object names the kinds of the objects that were applied for it.
   * By it a later release deletes objects of a kind that it does not declare in `owns` any more. Default: for objects
   * with the finalizer, where the same patch writes it. For others it is one more patch for each new object.
   */
  ownedKindsHint?: boolean
  /** The condition types that it writes; default those of the kind. */
  conditions?: readonly Condition[]
  /**
   * The things outside of Kubernetes that it makes for each object, by name. The kind names them, too, in `effects` of
   * `defineKind`. They are removed before the object goes.
   */
  effects?: Effects<T, M>
  /**
   * Brings the clusters to the state that the object asks for. It must be safe to call at any time, and again after any
   * failure.
   */
  reconcile(
    ctx: ControllerContext<T, M, Condition, ObjectsOf<Owns>, DeclaredObjects<T, Owns | Watches>>,
    object: DeepReadonly<T>,
  ): ReconcileReturn
  /**
   * Undoes what the garbage collector cannot, before the object goes. It must also work if `reconcile` never ran.
   * Afterwards the effects are removed, unless it released them, and the objects that it owns elsewhere are deleted.
   */
  finalize?(
    ctx: ControllerContext<T, M, Condition, ObjectsOf<Owns>, DeclaredObjects<T, Owns | Watches>>,
    object: DeepReadonly<T>,
  ): ReconcileReturn
  /** Runs when the object is gone. */
  deleted?(ctx: DeletedContext, key: Key): ReconcileReturn
}

/**
 * Asks for another run of the key after a time, plus or minus 10 %, so that keys do not run all at once.
 *
 * @example
 * ```ts
 * controller(backups, {
 *   reconcile: (ctx, backup) => (backup.status?.nodes ? undefined : requeue({ afterMs: 5_000 })),
 * })
 * ```
 */
export function requeue({ afterMs, exact = false }: { afterMs: number; exact?: boolean }): ReconcileResult {
  return { requeueAfterMs: exact ? afterMs : withJitter(afterMs) }
}
