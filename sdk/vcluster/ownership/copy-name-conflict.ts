import { NameConflictError } from '../../engine/controller/name-conflict-error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { Resource } from '../../engine/kube/resource.js'

/** The error for a virtual object whose copy's name belongs to a foreign object of the host: its run ends with it. */
export function copyNameConflictError(
  { kind }: Pick<Resource, 'kind'>,
  key: Key,
  hostKey: Key,
): NameConflictError {
  return new NameConflictError(
    `${kind} ${formatKey(key)} cannot be copied: the host object ${formatKey(hostKey)} is not a copy of it. ` +
      'Remove that object, or give the virtual object another name.',
    hostKey,
  )
}
