import type { KubeObject } from '../kube/object.js'

/**
 * Drops `metadata.managedFields`, often the larger part of an object, which a syncer does not need. An update without
 * `managedFields` does not change them on the server.
 */
export function dropManagedFields(object: KubeObject): void {
  const metadata: { managedFields?: unknown[] | undefined } = object.metadata
  // Assigned, not deleted: deleting a member makes an object slow to read and larger.
  if (metadata.managedFields !== undefined) metadata.managedFields = undefined
}
