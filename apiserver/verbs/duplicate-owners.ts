import type { ObjectMeta, OwnerReference } from '../../sdk/engine/kube/object.js'

const field = '.metadata.ownerReferences contains duplicate entries'
const advice =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests'

/**
 * Removes exact duplicates of owner references, and warns of them; `pkg/endpoints/handlers/rest.go` of
 * k8s.io/apiserver v0.36.3. `when` is part of the warning.
 */
export function dropDuplicateOwners(metadata: ObjectMeta, warnings: string[], when = ''): void {
  const { ownerReferences: owners = [] } = metadata
  if (owners.length < 2) return
  const uniqueOwners = new Map<string, OwnerReference>()
  const duplicates: string[] = []
  for (const owner of owners) {
    const identity = identityOf(owner)
    if (uniqueOwners.has(identity)) duplicates.push(owner.uid)
    else uniqueOwners.set(identity, owner)
  }
  if (duplicates.length === 0) return
  warnings.push(`${field}${when}; ${advice}; duplicate UID(s) observed: ${duplicates.join(', ')}`)
  metadata.ownerReferences = [...uniqueOwners.values()]
}

/** A text that is the same for equal references, whatever the order of their members. */
function identityOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion])
}

/** The time of the check for a patch, in the warning. */
export const afterAdmission = ' after mutating admission happens'
