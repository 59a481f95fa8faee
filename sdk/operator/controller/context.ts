import type { Client } from '../../engine/client/client.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { EventDetails } from '../../engine/observe/event-recorder.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { Things } from '../effect/effect.js'
import type { ConditionOf, ObjectOf } from '../kind/define/kind.js'
import type { ConditionStatus } from '../status/conditions.js'
import type { CachedObjects } from './cached-objects.js'
import type { ConditionType, DeclaredResource, OwnedResource } from './declared-kinds.js'

/** The status of objects of type `T`, without what the SDK fills in itself. */
export type StatusOf<T> = T extends { status?: infer Status }
  ? Omit<NonNullable<Status>, 'conditions' | 'effects' | 'observedGeneration'>
  : Record<string, unknown>

/** Options of {@link ClusterAccess.apply}. */
export interface ApplyOptions {
  /**
   * The object belongs to others, and the controller only writes some of its fields; default false: the primary owns
   * it.
   */
  shared?: boolean
  /** Takes fields of a shared object from their managers; the reason is logged. Default: a conflict is an error. */
  force?: string
  /**
   * Fields that an earlier version of the controller applied and that now belong to others, such as `spec.replicas` to
   * an autoscaler. They keep their values; without this option they would be reset to their defaults. A path is a list
   * of member names, separated by dots; it does not lead into lists. The option may stay in the code.
   */
  release?: readonly string[]
  /**
   * Deletes an owned object and creates it again if the API server refuses a change because fields are immutable, such
   * as the template of a Job; default false: the refusal is reported. Objects that it owns go with it, for example the
   * Pods of a Job. A claim or a volume, whose data goes with it, is deleted only by `'with-data'`.
   */
  recreate?: boolean | 'with-data'
}

/** Some fields of a value, at any depth; an item of a list is complete. */
export type SomeFields<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: SomeFields<T[K]> }
    : T

/** Some fields of an object of type `T` that others own: its metadata, and whatever else a controller decides. */
export type SharedFields<T extends KubeObject> = SomeFields<Omit<T, 'metadata'>> & Pick<T, 'metadata'>

/**
 * One cluster, for one run. `Owned` are the objects of the kinds that the controller owns, and `Declared` those of all
 * its kinds. The default takes any kind.
 */
export interface ClusterAccess<in Owned = never, in Declared = never> {
  /** Sends calls of this run; writes pass the write gate. */
  readonly client: Client
  /** The cache of a kind that the controller owns, watches or is made for. */
  store<O extends KubeObject>(resource: DeclaredResource<O, Declared>): CachedObjects<O>
  /**
   * Whether the API server serves a kind that the controller declares as optional, and its cache is filled; true for
   * its other kinds.
   */
  serves<O extends KubeObject>(resource: DeclaredResource<O, Declared>): boolean
  /**
   * Applies the given fields of an object by server-side apply, and returns the live object. Name only the fields that
   * the controller decides. An object without a namespace gets the primary's. Nothing is sent if nothing changed.
   *
   * With `shared` the object belongs to others, and members that its type requires may be left out.
   *
   * @throws `NameConflictError` if a foreign object has the name: it is left alone, and the key runs when it goes
   */
  apply<O extends KubeObject>(
    resource: Resource<O>,
    object: SharedFields<NoInfer<O>>,
    options: ApplyOptions & { shared: true },
  ): Promise<O>
  apply<O extends KubeObject>(
    resource: OwnedResource<O, Owned>,
    object: O,
    options?: ApplyOptions,
  ): Promise<O>
}

/** Writes Events about the primary object. */
export interface ObjectEvents {
  normal(reason: string, message: string, details?: EventDetails): void
  warning(reason: string, message: string, details?: EventDetails): void
}

/**
 * The context of one run: `reconcile` and `finalize` get it with the object. `controller` infers the condition types
 * and the kinds from its arguments. The defaults, for functions that take a context, allow any.
 */
export interface ControllerContext<
  T extends KubeObject = KubeObject,
  M extends Things = Things,
  Condition extends string = string,
  in Owned = never,
  in Declared = never,
> extends ClusterAccess<Owned, Declared> {
  readonly key: Key
  /**
   * Whether the selectors of the controller select the object; without selectors always true. If not, this is the last
   * run of the key: the object belongs to no one or to another program from then on.
   */
  readonly selected: boolean
  /** Aborts when the run takes too long, and when the program ends; pass it to calls that wait. */
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly clock: Clock
  readonly events: ObjectEvents
  /**
   * The status, as a draft that begins as a copy of the live one: assign to its fields. It is written once, at the end
   * of the run, if it differs.
   */
  readonly status: StatusOf<T>
  /**
   * Writes the status now, as the run has made it so far, for example before a step that takes minutes. The condition
   * `Reconciling` says that the run goes on. The end of the run writes the rest.
   */
  writeStatus(): Promise<void>
  /** Another cluster of the program. */
  cluster(name: string): Pick<ControllerContext<T, M, Condition, Owned, Declared>, keyof ClusterAccess>
  /** Sets a condition of the object; `reason` is one CamelCase word. */
  condition(
    type: ConditionType<Condition>,
    status: boolean | ConditionStatus,
    reason: string,
    message?: string,
  ): void
  /**
   * Makes sure that the thing of an effect exists, and returns its present state.
   *
   * @throws `PermanentError` if a process died while it created the thing and `find` cannot say whether it
   * exists: a condition says so, and the annotation `<group>/retry-effect` creates it again, once
   */
  effect<Name extends keyof M & string>(name: Name): Promise<M[Name]>
  /**
   * Makes sure that an effect with `keyed` has a thing for each of these keys, and returns them by key. The things of
   * other keys are removed. If some fail, the others are made nevertheless, and the call throws. A run that does not
   * call it changes nothing.
   *
   * @throws `PermanentError` for more than 100 keys, and for a key that is not 1 to 253 visible ASCII characters
   * without quotes and backslashes; otherwise as {@link effect}
   */
  effects<Name extends keyof M & string>(
    name: Name,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, M[Name]>>
  /** Forgets the things of all effects without removing them. */
  releaseEffects(): Promise<void>
}

/**
 * The context of a kind's controllers, for those that are classes: TypeScript does not infer the parameters of their
 * methods.
 *
 * @example
 * ```ts
 * class BackupController implements ControllerOptions<ObjectOf<typeof backups>> {
 *   reconcile(ctx: ContextOf<typeof backups>, backup: DeepReadonly<ObjectOf<typeof backups>>) {
 *     ctx.condition('Available', backup.spec.size > 0, 'Counted')
 *   }
 * }
 * const backupController = controller(backups, new BackupController())
 * ```
 */
export type ContextOf<K, M extends Things = Things> = ControllerContext<ObjectOf<K>, M, ConditionOf<K>>

/** The context of {@link ControllerOptions.deleted}. */
export interface DeletedContext {
  readonly key: Key
  /** Aborts when the run takes too long, and when the program ends. */
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly clock: Clock
  /** Sends calls to the cluster of the object. */
  readonly client: Client
  /** Another cluster of the program. */
  cluster(name: string): Pick<ClusterAccess, 'client'>
}
