import { ApiError, isForbidden } from '../../engine/kube/error.js'
import type { Owner } from '../owner/owner.js'

/**
 * The error for an apply that was refused because the operator may not update the finalizers of the owner; undefined
 * for another error. API servers with the admission plugin OwnerReferencesPermissionEnforcement, such as those of
 * OpenShift, check this permission.
 */
export function refusedReferenceError(
  object: string,
  owner: Owner | undefined,
  error: unknown,
): Error | undefined {
  if (!owner || !(error instanceof ApiError) || !isForbidden(error)) return undefined
  if (!error.message.includes('cannot set blockOwnerDeletion')) return undefined
  const { plural, group } = owner.resource
  return new Error(
    `${object} was not applied: an owner reference needs the permission to update ${plural}/finalizers of ` +
      `${group === '' ? 'the core group' : group}. Apply the roles that vcluster-plugin rbac prints.`,
    { cause: error },
  )
}
