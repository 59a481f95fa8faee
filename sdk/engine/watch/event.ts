import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'

/**
 * An event of a watch. A relist is part of the type: the objects between `listStarted` and `listDone` are all that
 * exist at `resourceVersion`; an object that was known before and has no `listed` event is gone.
 */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'listStarted' }
  | { readonly type: 'listed'; readonly object: T }
  /** `restored` is set after the cluster was restored from a backup: answers to writes before the list do not count. */
  | { readonly type: 'listDone'; readonly resourceVersion: string; readonly restored?: true }
  | { readonly type: 'applied'; readonly object: T }
  | { readonly type: 'deleted'; readonly object: T }
  | { readonly type: 'bookmark'; readonly resourceVersion: string }
  /**
   * The object exists, but was not read because memory is short: its known state may be old. A list follows when there
   * is room.
   */
  | { readonly type: 'leftOut'; readonly key: Key }
  /**
   * The API server does not serve this kind at present, which says nothing about its objects. A list follows when the
   * kind is served.
   */
  | { readonly type: 'unserved' }
  /** The API server does not allow this program to list the kind. A list follows when listing is allowed. */
  | { readonly type: 'forbidden' }
