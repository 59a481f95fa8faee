import type { KubeObject } from '../kube/object.js'
import { isEarlier, isLater } from '../kube/resource-version.js'

/** A write of ours that the watch has not confirmed yet, and what the watch says in the meantime. */
export interface OwnWrite<T extends KubeObject> {
  /** The object we wrote or deleted. */
  readonly uid: string | undefined
  /** The resourceVersion of what we wrote; `undefined` for a delete, whose answer names none. */
  readonly resourceVersion: string | undefined
  /** How many lists had begun when it was noted: one that began later knows of it. */
  readonly listsBegun: number
  /** What the watch last said about the key; shown once the write is settled. */
  seen: T | undefined
}

/** Whether what the watch says about a key is older than our own write, so that readers must not see it. */
export function hides<T extends KubeObject>(own: OwnWrite<T>, object: T): boolean {
  const { uid, resourceVersion } = object.metadata
  return own.resourceVersion === undefined ? uid === own.uid : isEarlier(resourceVersion, own.resourceVersion)
}

/** Whether a deletion that the watch reports is of an earlier object of the same name. */
export function outlives<T extends KubeObject>(own: OwnWrite<T>, deleted: T): boolean {
  const { uid, resourceVersion } = deleted.metadata
  if (uid === own.uid) return false
  return own.resourceVersion === undefined || isEarlier(resourceVersion, own.resourceVersion)
}

/** Whether a watch that has delivered everything up to `resourceVersion` has taken the write into account. */
export function isSettledAt<T extends KubeObject>(own: OwnWrite<T>, resourceVersion: string): boolean {
  return own.resourceVersion !== undefined && !isLater(own.resourceVersion, resourceVersion)
}
