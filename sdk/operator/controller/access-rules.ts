import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import type { AccessRule } from '../../manager/unit-source.js'
import type { ControllerOptions } from './definition.js'

/** The verbs of a cache. */
const following = ['list', 'watch']

/**
 * The permissions that a controller needs for its declared kinds. Its calls by `ctx.client` are not known.
 */
export function accessRulesOf<T extends KubeObject>(
  resource: Resource<T>,
  { cluster, owns = [], watches = [] }: ControllerOptions<T>,
): AccessRule[] {
  const primary = rule(resource, cluster, ['get', ...following, 'patch'])
  const owned = owns.map((given) => ('resource' in given ? given : { resource: given, cluster: undefined }))
  return [
    primary,
    { ...primary, resource: `${resource.plural}/status`, verbs: ['patch'] },
    // An owner reference that blocks the owner's deletion needs it where OwnerReferencesPermissionEnforcement is on.
    { ...primary, resource: `${resource.plural}/finalizers`, verbs: ['update'] },
    ...owned.map((kind) =>
      rule(kind.resource, kind.cluster ?? cluster, ['get', ...following, 'create', 'delete', 'patch']),
    ),
    ...watches.map(({ namespace, ...watched }) => ({
      ...rule(watched.resource, watched.cluster ?? cluster, following),
      ...(namespace !== undefined && { namespace }),
    })),
    { cluster, group: '', resource: 'events', verbs: ['create', 'patch'] },
  ]
}

function rule(
  { group, plural, namespaced }: Resource,
  cluster: string | undefined,
  verbs: readonly string[],
): AccessRule {
  return { cluster, group, resource: plural, verbs, ...(!namespaced && { isClusterScoped: true }) }
}
