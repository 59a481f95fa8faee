import { newEvents } from '../../kube/builtin-events.js'
import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import type { AccessRule } from '../../manager/unit-source.js'
import { type DeclaredScope, declaredScopes } from './declared-scopes.js'
import type { ControllerOptions } from './definition.js'
import { storeScopes } from './scope.js'

/** The verbs of a cache. */
const following = ['list', 'watch']

/** The verbs for a kind itself. */
const verbsOf = {
  primary: ['get', ...following, 'patch'],
  owned: ['get', ...following, 'create', 'delete', 'patch'],
  watched: following,
}

/**
 * The permissions that a controller needs for its declared kinds. Its calls by `ctx.client` are not known.
 */
export function accessRulesOf<T extends KubeObject>(
  resource: Resource<T>,
  options: ControllerOptions<T>,
): AccessRule[] {
  const declared = declaredScopes(options.name ?? resource.plural, resource, options)
  const primaries = declared.filter(({ role }) => role === 'primary')
  return [
    ...declared.flatMap((kind) => [
      ...rules(kind, verbsOf[kind.role]),
      ...(kind.role === 'primary' ? partsOf(kind) : []),
    ]),
    ...primaries.flatMap(eventRules),
  ]
}

function partsOf(primary: DeclaredScope): AccessRule[] {
  return [
    ...rules(primary, ['patch'], '/status'),
    // An owner reference that blocks the owner's deletion needs it where OwnerReferencesPermissionEnforcement is on.
    ...rules(primary, ['update'], '/finalizers'),
  ]
}

/** Events are written into the namespaces of the objects that they are about. */
function eventRules(primary: DeclaredScope): AccessRule[] {
  const { group, plural: resource } = newEvents
  const rule = { cluster: primary.cluster, group, resource, verbs: ['create', 'patch'] }
  return namespacesOf(primary).map((place) => ({ ...rule, ...place }))
}

/** One rule for each namespace. */
function rules(kind: DeclaredScope, verbs: readonly string[], part = ''): AccessRule[] {
  const { resource, cluster } = kind
  const { group, plural, namespaced } = resource
  const rule = { cluster, group, resource: `${plural}${part}`, verbs }
  return namespacesOf(kind).map((place) => ({
    ...rule,
    ...place,
    ...(!namespaced && { isClusterScoped: true }),
  }))
}

function namespacesOf({ scope, resource }: DeclaredScope): { namespace?: string }[] {
  return storeScopes(scope, resource.namespaced).map(({ namespace }) =>
    namespace === undefined ? {} : { namespace },
  )
}
