import { isUrl } from '../../engine/kube/access-target.js'
import type { Resource } from '../../engine/kube/resource.js'
import { checkEachOption, type OptionTypes } from '../../engine/manager/check-options.js'
import type { AccessRule } from '../../engine/manager/unit-source.js'

/** A permission of a controller for calls of its own, which its declared kinds do not imply. */
export interface ControllerPermission {
  /** The kind. A `plural` with a slash at its start is a non-resource URL, such as `/metrics`. */
  readonly resource: Resource
  /** For example `get`, `create` or `patch`. */
  readonly verbs: readonly string[]
  /** For example `status` or `scale`; default the object itself. */
  readonly subresource?: string
  /** The cluster; default that of the primary objects. */
  readonly cluster?: string
  /** Only this namespace; default all that the program sees. */
  readonly namespace?: string
  /**
   * Only the namespace of the program itself, in the cluster of its Lease, in place of `cluster` and `namespace`.
   * Default: false.
   */
  readonly inOwnNamespace?: boolean
  /**
   * Only objects of these names; default all. RBAC cannot restrict `create` to names. It can restrict `list` and
   * `watch` only if the call selects one name.
   */
  readonly names?: readonly string[]
}

const permissionTypes: OptionTypes<ControllerPermission> = {
  resource: 'any',
  verbs: 'any',
  subresource: 'any',
  cluster: 'any',
  namespace: 'any',
  inOwnNamespace: 'any',
  names: 'any',
}

/** Throws a `TypeError` for a misspelt member of the option `permissions`: it would permit more than was meant. */
export function checkPermissions(user: string, permissions: unknown): void {
  checkEachOption(user, { permissions }, permissionTypes)
}

/** The declared permissions as rules; `primary` is the cluster of the primary objects. */
export function rulesOfPermissions(
  permissions: readonly ControllerPermission[],
  primary: string | undefined,
): AccessRule[] {
  return permissions.map((permission) =>
    isUrl(permission.resource.plural) ? urlRule(permission, primary) : resourceRule(permission, primary),
  )
}

/** URLs have neither namespaces nor names. */
function urlRule(
  { resource, verbs, cluster }: ControllerPermission,
  primary: string | undefined,
): AccessRule {
  return { cluster: cluster ?? primary, group: '', resource: resource.plural, verbs, isClusterScoped: true }
}

function resourceRule(
  { resource, verbs, subresource, names, ...where }: ControllerPermission,
  primary: string | undefined,
): AccessRule {
  return {
    ...scopeOf(where, primary),
    group: resource.group,
    resource: subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`,
    verbs,
    ...(names && { names }),
    ...(!resource.namespaced && { isClusterScoped: true }),
  }
}

/** The cluster and the namespace of a permission. */
function scopeOf(
  { cluster, namespace, inOwnNamespace }: Omit<ControllerPermission, 'resource' | 'verbs'>,
  primary: string | undefined,
): Pick<AccessRule, 'cluster' | 'namespace' | 'isOwn'> {
  if (inOwnNamespace) return { isOwn: true }
  return { cluster: cluster ?? primary, ...(namespace !== undefined && { namespace }) }
}
