import type { Resource } from '../../kube/resource.js'
import type { AccessRule } from '../../manager/unit-source.js'

/** A permission of a controller for calls of its own, which its declared kinds do not imply. */
export interface ControllerPermission {
  readonly resource: Resource
  /** For example `get`, `create` or `patch`. */
  readonly verbs: readonly string[]
  /** For example `status` or `scale`; default the object itself. */
  readonly subresource?: string
  /** The cluster; default that of the primary objects. */
  readonly cluster?: string
  /** Only this namespace; default all that the program sees. */
  readonly namespace?: string
  /** Only objects of these names; default all. RBAC cannot restrict `create` and `list` so. */
  readonly names?: readonly string[]
}

/** The declared permissions as rules; `primary` is the cluster of the primary objects. */
export function rulesOfPermissions(
  permissions: readonly ControllerPermission[],
  primary: string | undefined,
): AccessRule[] {
  return permissions.map(({ resource, verbs, subresource, cluster = primary, namespace, names }) => ({
    cluster,
    group: resource.group,
    resource: subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`,
    verbs,
    ...(namespace !== undefined && { namespace }),
    ...(names && { names }),
    ...(!resource.namespaced && { isClusterScoped: true }),
  }))
}
