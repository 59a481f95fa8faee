import type { OperatorDescription } from '../../sdk/operator/describe/operator-description.js'
import { UsageError } from '../terminal/usage-error.js'
import { type OperatorPermission, operatorPermissions } from './operator-permissions.js'
import { type RoleObject, roleObjects } from './role-objects.js'
import { userRoles } from './user-roles.js'

/** The permissions of an operator in one of its clusters, and its roles. */
export interface OperatorRbac {
  permissions: readonly OperatorPermission[]
  /** The roles of the operator, and the ClusterRoles for the users of its kinds. */
  roles: readonly RoleObject[]
}

/** Options of {@link operatorRbac}. */
export interface OperatorRbacOptions {
  /** Default the first. */
  cluster?: string | undefined
  /** Permissions beyond those that are declared; default none. */
  recorded?: readonly OperatorPermission[]
}

/** Derives the roles of an operator from what it declares; the cluster is by default the first. Throws `UsageError`. */
export function operatorRbac(
  description: OperatorDescription,
  { cluster = description.clusters[0] ?? '', recorded = [] }: OperatorRbacOptions = {},
): OperatorRbac {
  const { name, clusters, kinds } = description
  if (!clusters.includes(cluster))
    throw new UsageError(`the operator ${name} has no cluster ${cluster}; it has ${clusters.join(', ')}`)
  const permissions = [...operatorPermissions(description, cluster), ...recorded]
  const ownRoles = roleObjects(permissions, { name, side: 'host' })
  const ownKinds = kinds.filter((kind) => kind.cluster === cluster)
  return { permissions, roles: [...ownRoles, ...userRoles(name, ownKinds)] }
}
