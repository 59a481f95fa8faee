import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { selectedBy } from '../../engine/store/selectors.js'
import type { ControllerOptions } from './definition.js'
import { asOwned } from './owned.js'
import { type KindScope, scopeOf } from './scope.js'

/** A kind that a controller declares, and where it does so. */
export interface DeclaredScope {
  readonly role: 'primary' | 'owned' | 'watched'
  /** For an error, such as `watches[1]`. */
  readonly place: string
  readonly resource: Resource
  /** The name of its cluster; undefined for the only one. */
  readonly cluster: string | undefined
  readonly scope: KindScope
}

/**
 * Every kind that a controller declares, with its scope. A kind in a cluster has one scope, because `ctx.store` takes
 * the kind alone.
 *
 * @throws `PluginError` `INVALID_REGISTRATION` for two scopes of one kind or an empty list of namespaces,
 *   `INVALID_SELECTOR`
 */
export function declaredScopes<T extends KubeObject>(
  controller: string,
  resource: Resource<T>,
  options: ControllerOptions<T>,
): readonly DeclaredScope[] {
  const declared = allDeclared(resource, options)
  for (const scope of declared) checkScope(controller, scope, declared)
  return declared
}

/** The primary kind, the owned and the watched ones; a kind in the primary cluster inherits its namespaces. */
function allDeclared<T extends KubeObject>(
  resource: Resource<T>,
  options: ControllerOptions<T>,
): DeclaredScope[] {
  const { cluster, namespaces, owns = [], watches = [] } = options
  const withDefaults = (declared: KindScope & { cluster?: string | undefined }) => {
    const isInPrimaryCluster = declared.cluster === undefined || declared.cluster === cluster
    return scopeOf({ ...(isInPrimaryCluster && namespaces && { namespaces }), ...omitUndefined(declared) })
  }
  type Declared = KindScope & { resource: Resource; cluster?: string | undefined }
  const otherScope = (role: DeclaredScope['role'], place: string, declared: Declared): DeclaredScope => {
    const { resource, cluster: declaredCluster = cluster } = declared
    return { role, place, resource, cluster: declaredCluster, scope: withDefaults(declared) }
  }
  const primary = resource as unknown as Resource
  return [
    { role: 'primary', place: 'its own kind', resource: primary, cluster, scope: withDefaults(options) },
    ...owns.map((kind, index) => otherScope('owned', `owns[${index}]`, asOwned(kind))),
    ...watches.map((watched, index) => otherScope('watched', `watches[${index}]`, watched)),
  ]
}

/** Leaves out a namespace list of `undefined`, which would replace that of the controller. */
function omitUndefined({ namespaces, ...scope }: KindScope): KindScope {
  return namespaces === undefined ? scope : { ...scope, namespaces }
}

/** Throws for a scope that is invalid, or differs from another scope of the same kind. */
function checkScope(controller: string, declared: DeclaredScope, all: readonly DeclaredScope[]): void {
  selectedBy(declared.scope)
  const where = `controller ${controller}, ${declared.place}`
  if (declared.scope.namespaces?.length === 0)
    throw invalidError(`${where}: namespaces is empty: name one, or leave it out to see all of them`)
  const conflicting = all.find((other) => isSameKind(other, declared) && !isSameScope(other, declared))
  if (conflicting)
    throw invalidError(
      `controller ${controller}: ${declared.place} and ${conflicting.place} see different ${formatResource(declared.resource)}: ` +
        `${JSON.stringify(declared.scope)} and ${JSON.stringify(conflicting.scope)}; give both the same scope`,
    )
}

/** Whether two declarations mean the same kind and cluster. */
export function isSameKind(one: DeclaredScope, other: DeclaredScope): boolean {
  return formatResource(one.resource) === formatResource(other.resource) && one.cluster === other.cluster
}

function isSameScope(one: DeclaredScope, other: DeclaredScope): boolean {
  return JSON.stringify(one.scope) === JSON.stringify(other.scope)
}

function invalidError(message: string): PluginError {
  return new PluginError('INVALID_REGISTRATION', message)
}
