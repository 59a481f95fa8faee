import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import type { AccessRule } from '../../manager/unit-source.js'
import type { ControllerOptions } from './definition.js'

const reading = ['get', 'list', 'watch']

/**
 * The permissions that a controller needs for its declared kinds. Its calls by `ctx.client` are not known.
 */
export function accessRulesOf<T extends KubeObject>(
  resource: Resource<T>,
  { cluster, owns = [], watches = [] }: ControllerOptions<T>,
): AccessRule[] {
  const { group, plural } = resource
  const primary = { cluster, group }
  const owned = owns.map((given) => ('resource' in given ? given : { resource: given, cluster: undefined }))
  return [
    { ...primary, resource: plural, verbs: [...reading, 'patch'] },
    { ...primary, resource: `${plural}/status`, verbs: ['patch'] },
    // An owner reference that blocks the owner's deletion needs it where OwnerReferencesPermissionEnforcement is on.
    { ...primary, resource: `${plural}/finalizers`, verbs: ['update'] },
    ...owned.map((kind) =>
      rule(kind.resource, kind.cluster ?? cluster, [...reading, 'create', 'delete', 'patch']),
    ),
    ...watches.map((watched) => rule(watched.resource, watched.cluster ?? cluster, reading)),
    { cluster, group: '', resource: 'events', verbs: ['create', 'patch'] },
  ]
}

function rule({ group, plural }: Resource, cluster: string | undefined, verbs: string[]): AccessRule {
  return { cluster, group, resource: plural, verbs }
}
