import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { plainOptions } from '../../engine/manager/plain-options.js'
import type { Adoption } from '../apply/apply-request.js'
import type { Scope } from './scope.js'

/**
 * Options of {@link owned}. The scope must contain every object that the controller applies: with a label selector,
 * apply objects with these labels.
 */
export interface OwnedOptions<T extends KubeObject> extends Scope {
  /** The cluster that holds the objects; default that of the primary. */
  cluster?: string
  /**
   * The existing objects that may be taken over, if nothing controls them; default none. A function returns true for
   * these. `'by-label'` is for clusters that are restored from backups, which change UIDs and remove owner references:
   * the objects get the owner label and annotations besides the reference, and a restored object that names its primary
   * by them is taken over. An object that still has a reference to the earlier primary is left to the garbage
   * collector.
   */
  adopt?: Adoption<T>
  /**
   * Whether the controller works without the kind, for example if the program that brings its definition need not be
   * installed; default false: it waits until the kind is served. `ctx.serves` tells runs, and every key runs when the
   * kind appears.
   */
  optional?: boolean
  /** Selects the changes of an object that run the key of its owner; default all. */
  predicate?(object: T, before: T): boolean
}

/** The result of the function may be spread into its options. */
const optionTypes: OptionTypes<OwnedOptions<KubeObject> & { resource: unknown }> = {
  resource: 'any',
  cluster: 'any',
  namespaces: 'any',
  labelSelector: 'any',
  fieldSelector: 'any',
  adopt: 'any',
  optional: 'any',
  predicate: 'any',
}

/** A kind whose objects a controller owns. */
export interface Owned<T extends KubeObject = KubeObject> extends OwnedOptions<T> {
  readonly resource: Resource<T>
}

/**
 * Declares an owned kind with options.
 *
 * @example
 * ```ts
 * const issued = owned(secrets, { cluster: 'host', adopt: (live) => live.metadata.labels?.backup !== undefined })
 * controller(backups, { cluster: 'virtual', owns: [issued], reconcile: () => {} })
 * ```
 */
export function owned<T extends KubeObject>(resource: Resource<T>, options: OwnedOptions<T> = {}): Owned<T> {
  checkOptions('owned', options, optionTypes)
  return { ...plainOptions(options, optionTypes), resource }
}

/**
 * Declares an owned kind that the controller works without; see {@link OwnedOptions.optional}.
 *
 * @example
 * ```ts
 * const group = 'monitoring.coreos.com'
 * const plural = 'servicemonitors'
 * const monitors: Resource = { group, version: 'v1', kind: 'ServiceMonitor', plural, namespaced: true }
 * controller(backups, {
 *   owns: [optional(monitors)],
 *   async reconcile(ctx, { metadata: { name = '' } }) {
 *     if (ctx.serves(monitors)) await ctx.apply(monitors, { metadata: { name } })
 *   },
 * })
 * ```
 */
export function optional<T extends KubeObject>(kind: Resource<T> | Owned<T>): Owned<T> {
  return { ...asOwned(kind), optional: true }
}

/** A kind as {@link owned} returns it. */
export function asOwned<T extends KubeObject>(kind: Resource<T> | Owned<T>): Owned<T> {
  return 'resource' in kind ? plainOptions(kind, optionTypes) : { resource: kind }
}
