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
  for (const one of declared) checkScope(controller, one, declared)
  return declared
}

function allDeclared<T extends KubeObject>(
  resource: Resource<T>,
  options: ControllerOptions<T>,
): DeclaredScope[] {
  const { cluster, namespaces, owns = [], watches = [] } = options
  const withDefaults = (declared: KindScope & { cluster?: string | undefined }) => {
    const isBeside = declared.cluster === undefined || declared.cluster === cluster
    return scopeOf({ ...(isBeside && namespaces && { namespaces }), ...omitUndefined(declared) })
  }
  type Declared = KindScope & { resource: Resource; cluster?: string | undefined }
  const other = (role: DeclaredScope['role'], place: string, declared: Declared): DeclaredScope => {
    const { resource, cluster: its = cluster } = declared
    return { role, place, resource, cluster: its, scope: withDefaults(declared) }
  }
  const primary = resource as unknown as Resource
  return [
    { role: 'primary', place: 'its own kind', resource: primary, cluster, scope: withDefaults(options) },
    ...owns.map((kind, at) => other('owned', `owns[${at}]`, asOwned(kind))),
    ...watches.map((watched, at) => other('watched', `watches[${at}]`, watched)),
  ]
}

/** A namespace list that a kind does not name must not hide the one of the controller. */
function omitUndefined({ namespaces, ...scope }: KindScope): KindScope {
  return namespaces === undefined ? scope : { ...scope, namespaces }
}

function checkScope(controller: string, one: DeclaredScope, all: readonly DeclaredScope[]): void {
  selectedBy(one.scope)
  const at = `controller ${controller}, ${one.place}`
  if (one.scope.namespaces?.length === 0)
    throw invalidError(`${at}: namespaces is empty: name one, or leave it out to see all of them`)
  const other = all.find((found) => isSameKind(found, one) && !isSameScope(found, one))
  if (other)
    throw invalidError(
      `controller ${controller}: ${one.place} and ${other.place} see different ${formatResource(one.resource)}: ` +
        `${JSON.stringify(one.scope)} and ${JSON.stringify(other.scope)}; give both the same scope`,
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
