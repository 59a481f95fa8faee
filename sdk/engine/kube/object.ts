/** A reference from a dependent object to the object that owns it. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

/** The metadata every Kubernetes object carries; fields not named here survive as they came. */
export interface ObjectMeta {
  name?: string
  namespace?: string
  generateName?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string | null
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string> | undefined
  annotations?: Record<string, string> | undefined
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  managedFields?: unknown[]
}

/**
 * A Kubernetes object as raw JSON. Types exist at compile time only: whatever the API server sent,
 * fields unknown to the type included, is what a program reads and writes back.
 */
export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
}

/** The response of a list call: one page of objects and the beginning of the next page. */
export interface KubeList<T extends KubeObject = KubeObject> {
  apiVersion?: string
  kind?: string
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  items: T[]
}

/** A JSON value as the SDK reads it; an integer that a double cannot hold is a `bigint`. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json }
