import { type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { plainOptions } from '../../engine/manager/plain-options.js'
import type { Store } from '../../engine/store/store.js'
import { ensureIndex } from '../owner/ensure-index.js'
import type { KindScope, Scope } from './scope.js'

/** Finds the keys that a change of a watched object runs. */
export interface KeyMapper<T extends KubeObject> {
  /** Prepares the cache of the primary objects, once. */
  prepare?(primaries: Store): void
  /** The keys for one state of an object. It is called for the state before the change, too. */
  keysOf(object: T, primaries: Store): Iterable<Key>
}

/** Options of {@link watch}. */
export interface WatchOptions<T extends KubeObject> extends Scope {
  /** The cluster that holds the objects; default that of the primary. */
  cluster?: string
  /**
   * Whether the cache holds the metadata of the objects alone, which saves memory where labels, annotations and owners
   * are all that is read; default false. The objects have no `spec` and no `status` then.
   */
  metadataOnly?: boolean
  /** Whether the controller works without the kind; see `OwnedOptions.optional`. Default false. */
  optional?: boolean
  /** Finds the keys to run: a function of the object, or {@link byLabel}, or {@link byField}. */
  keys: KeyMapper<T> | ((object: T) => Iterable<Key>)
  /** Selects the changes of an object that run its keys; default all. */
  predicate?(object: T, before: T): boolean
}

/** The result of the function may be spread into its options. */
const optionTypes: OptionTypes<WatchOptions<KubeObject> & { resource: unknown }> = {
  resource: 'any',
  cluster: 'any',
  namespaces: 'any',
  labelSelector: 'any',
  fieldSelector: 'any',
  metadataOnly: 'any',
  optional: 'any',
  keys: 'any',
  predicate: 'any',
}

/** A kind whose changes run keys of a controller. */
export interface Watched<T extends KubeObject = KubeObject> extends KindScope {
  readonly resource: Resource<T>
  readonly cluster?: string | undefined
  readonly optional?: boolean
  readonly keys: KeyMapper<T>
  predicate?(object: T, before: T): boolean
}

/**
 * Watches a kind that a controller reads but does not own.
 *
 * @example
 * ```ts
 * const podsOfBackups = watch(pods, { labelSelector: 'app=backup', metadataOnly: true, keys: byLabel('backup') })
 * controller(backups, { watches: [podsOfBackups], reconcile: () => {} })
 * ```
 */
export function watch<T extends KubeObject>(
  resource: Resource<T>,
  options: WatchOptions<NoInfer<T>>,
): Watched<T> {
  checkOptions('watch', options, optionTypes)
  const { keys, ...others } = plainOptions(options, optionTypes)
  return { ...others, resource, keys: typeof keys === 'function' ? { keysOf: keys } : keys }
}

/** A watched kind whose members a copy keeps. */
export const plainWatched = (watched: Watched): Watched => plainOptions(watched, optionTypes)

/**
 * The primary whose name an object has as a label, in the namespace of the object.
 *
 * @example
 * ```ts
 * const podsOfBackups = watch(pods, { keys: byLabel('backup') })
 * controller(backups, { watches: [podsOfBackups], reconcile: () => {} })
 * ```
 */
export function byLabel(label: string): KeyMapper<KubeObject> {
  return {
    *keysOf({ metadata }) {
      const name = metadata.labels?.[label]
      if (name) yield { namespace: metadata.namespace ?? '', name }
    },
  }
}

/**
 * The primaries of the object's namespace that name the object in a field, such as `spec.secretRef.name`. Their cache
 * is indexed by the field, so a change costs no search.
 *
 * @example
 * ```ts
 * const settings = watch(configMaps, { keys: byField('spec.settingsRef.name') })
 * controller(backups, { watches: [settings], reconcile: () => {} })
 * ```
 */
export function byField(path: string): KeyMapper<KubeObject> {
  const index = `operator/field ${path}`
  const members = path.replace(/^\./, '').split('.')
  return {
    prepare: (primaries) => ensureIndex(primaries, index, (primary) => fieldValues(primary, members)),
    *keysOf({ metadata }, primaries) {
      for (const primary of primaries.byIndex(index, metadata.name ?? ''))
        if (isInReach(primary, metadata.namespace)) yield keyOf(primary)
    },
  }
}

/** Whether a primary may name objects of a namespace: a cluster-scoped one may name those of any. */
function isInReach({ metadata }: KubeObject, namespace: string | undefined): boolean {
  return metadata.namespace === undefined || metadata.namespace === namespace
}

/** The text in a field, as the only value of an index; none if the field has no text. */
function fieldValues(object: unknown, members: readonly string[]): string[] {
  let value = object
  for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member]
  return typeof value === 'string' ? [value] : []
}
