import uniq from 'lodash/uniq.js'
import { namespaces } from '../../engine/kube/builtin.js'
import { newEvents } from '../../engine/kube/builtin-events.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { AccessRule } from '../../engine/manager/unit-source.js'
import { type DeclaredScope, declaredScopes } from './declared-scopes.js'
import type { ControllerOptions } from './definition.js'
import { asOwned } from './owned.js'
import { storeScopes } from './scope.js'

/** The verbs of a cache. */
const cacheVerbs = ['list', 'watch']

/** The verbs for a kind itself. */
const verbsOf = {
  primary: ['get', ...cacheVerbs, 'patch'],
  owned: ['get', ...cacheVerbs, 'create', 'delete', 'patch'],
  watched: cacheVerbs,
}

/**
 * The permissions that a controller needs for its declared kinds. `vcluster-plugin rbac` and `manifest` print them; the
 * permissions for calls by `ctx.client` are declared by `permissions`.
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
      ...(kind.role === 'primary' ? subresourceRules(kind) : []),
    ]),
    ...primaries.flatMap(eventRules),
    ...namespaceRules(declared),
    ...(options.namespaces ? terminatingNamespaceRules(resource, options) : []),
  ]
}

/** A namespace is read when its objects may not be listed: it may be terminating, and its Role already deleted. */
function namespaceRules(declared: readonly DeclaredScope[]): AccessRule[] {
  return uniq(declared.map(({ cluster }) => cluster)).flatMap((cluster) => {
    const namespacedKinds = declared.filter((kind) => kind.cluster === cluster && kind.resource.namespaced)
    const names = namespacedKinds.flatMap(({ scope }) => scope.namespaces ?? [])
    return names.length > 0 ? [namespaceRule(cluster, names)] : []
  })
}

function namespaceRule(cluster: string | undefined, names: readonly string[]): AccessRule {
  const { group, plural: resource } = namespaces
  return { cluster, group, resource, verbs: ['get'], names: uniq(names).sort(), isClusterScoped: true }
}

/**
 * The permissions to finish objects in a namespace that is being deleted; none if no object gets a finalizer. The Role
 * in such a namespace is deleted with the rest of its objects, in any order, and an object with a finalizer keeps the
 * namespace from going. So these permissions hold in all namespaces, but only for the controller's own kind.
 */
export function terminatingNamespaceRules<T extends KubeObject>(
  resource: Resource<T>,
  options: ControllerOptions<T>,
): AccessRule[] {
  if (!resource.namespaced || !mayNeedFinalizer(options)) return []
  const { group, plural } = resource
  const { cluster, namespaces: names = [] } = options
  const everywhere = { cluster, group, namespace: '' }
  return [
    ...(names.length > 0 ? [namespaceRule(cluster, names)] : []),
    { ...everywhere, resource: plural, verbs: verbsOf.primary },
    { ...everywhere, resource: `${plural}/status`, verbs: ['patch'] },
  ]
}

/**
 * Whether objects of the controller may get a finalizer: for `finalize`, for effects, and for owned objects that cannot
 * have an owner reference.
 */
function mayNeedFinalizer<T extends KubeObject>(options: ControllerOptions<T>): boolean {
  const { finalize, effects = {}, owns = [], namespaces, cluster } = options
  if (finalize !== undefined || Object.keys(effects).length > 0) return true
  const isElsewhere = ({ resource, ...kind }: ReturnType<typeof asOwned>) =>
    !resource.namespaced ||
    (kind.cluster ?? cluster) !== cluster ||
    (kind.namespaces ?? namespaces)?.length !== 1
  return owns.map(asOwned).some(isElsewhere)
}

/** The permissions for `status` and `finalizers` of the primary kind. */
function subresourceRules(primary: DeclaredScope): AccessRule[] {
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

/** One rule for each namespace of a kind. `part` is a subresource such as `/status`. */
function rules(kind: DeclaredScope, verbs: readonly string[], part = ''): AccessRule[] {
  const { resource, cluster } = kind
  const { group, plural, namespaced } = resource
  const rule = { cluster, group, resource: `${plural}${part}`, verbs }
  return namespacesOf(kind).map((scope) => ({
    ...rule,
    ...scope,
    ...(!namespaced && { isClusterScoped: true }),
  }))
}

function namespacesOf({ scope, resource }: DeclaredScope): { namespace?: string }[] {
  return storeScopes(scope, resource.namespaced).map(({ namespace }) =>
    namespace === undefined ? {} : { namespace },
  )
}
