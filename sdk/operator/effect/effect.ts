import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'

/** A thing outside of Kubernetes. */
export interface Thing {
  /** How the other system names it. */
  readonly id: string
}

/** The argument of the functions of an {@link Effect}. */
export interface EffectContext<T extends KubeObject> {
  readonly object: DeepReadonly<T>
  /**
   * The key of the thing, if the effect is {@link Effect.keyed}; otherwise empty. For a thing that is to be removed it
   * comes from the metadata or the status of the object, which users may be able to write.
   */
  readonly key: string
  /** Aborts when the run takes too long, and when the program ends; pass it to every call. */
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly clock: Clock
}

/**
 * How a controller makes one thing outside of Kubernetes for each object: exactly one, even if its process dies at any
 * moment. Each step is written to the status before it is done. The token decides which thing belongs to the object,
 * not the status, which users may be able to write.
 *
 * @example
 * ```ts
 * const made = new Map<string, Thing>() // simulates a cloud
 * const bucket: Effect<ObjectOf<typeof backups>> = {
 *   find: async (_ctx, token) => made.get(token),
 *   create: async (_ctx, token) => made.set(token, { id: token }).get(token) ?? { id: token },
 *   remove: async (_ctx, id) => void made.delete(id),
 * }
 * controller(backups, { effects: { bucket }, reconcile: async (ctx) => void (await ctx.effect('bucket')) })
 * ```
 */
export interface Effect<T extends KubeObject, R extends Thing = Thing> {
  /**
   * Whether each object has several things, one for each key that `ctx.effects` gets; default false: it has one. Things
   * that were made before it is changed are found by their notes, and removed.
   */
  readonly keyed?: boolean
  /**
   * Names the thing for the life of the object: the tag that {@link find} looks for, and an idempotency key for {@link
   * create}. Default the object's UID and the effect's name, and a hash of the key.
   *
   * A function of your own must return another text for each object and each key: users may be able to note keys that
   * the object never had, and the things with their tokens are removed. Users who may write the status can choose the
   * token of such a function while the thing is created; the default is not taken from the status.
   */
  token?(object: DeepReadonly<T>, key: string): string
  /**
   * The thing with this token: `undefined` if there is none for certain, `'unknown'` if it cannot be known.
   */
  find(ctx: EffectContext<T>, token: string): Promise<R | undefined | 'unknown'>
  /** Makes the thing, and labels it with the token in the same call. */
  create(ctx: EffectContext<T>, token: string): Promise<R>
  /**
   * Changes the thing that {@link find} answered so that it fits the object, and returns it as it is then; default
   * nothing is changed. It is called by each `ctx.effect` of a thing that exists, and again if the process dies
   * meanwhile: compare first.
   */
  update?(ctx: EffectContext<T>, thing: R): Promise<R>
  /** Removes the thing that {@link find} answered; it may be gone already. */
  remove(ctx: EffectContext<T>, id: string): Promise<void>
}

/** The things that a controller makes for each object, by the names of their effects. */
export type Things = Readonly<Record<string, Thing>>

/** The effects of a controller by name. */
export type Effects<T extends KubeObject, M extends Things = Things> = {
  readonly [Name in keyof M]: Effect<T, M[Name]>
}
