/**
 * The permissions that a program needs for the objects of a chart, from a rendering. Other values can make other kinds
 * of objects: a program declares those itself.
 */
import { customResourceDefinitions } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource } from '../../engine/kube/resource.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import { objectsOf } from '../render/manifest.js'
import type { RenderedChart } from '../render/renderer.js'
import { grantedBy } from './granted-rules.js'
import { resourceFinder } from './resource-of-object.js'

/** The verbs for objects in `crds/` that are not definitions. */
const crdsVerbs = ['create', 'get', 'patch']
/** The verbs for the objects of a release. */
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'watch']

/**
 * Derives permissions from a rendered chart: for its objects and hooks, for the definitions in `crds/`, and for what
 * its roles grant, because an API server refuses to let a user grant more than the user has.
 *
 * @example
 * ```ts
 * const rendered = await renderer.render(request, signal)
 * for (const { resource, verbs } of await chartPermissions(rendered)) console.log(resource.plural, verbs.join())
 * ```
 */
export async function chartPermissions(rendered: RenderedChart): Promise<ControllerPermission[]> {
  const hooks = await Promise.all(rendered.hooks.map(({ manifest }) => objectsOf(manifest)))
  const objects = [...rendered.objects, ...hooks.flat()].map(({ object }) => object)
  const inCrds = rendered.crds.map(({ object }) => object)
  const definitions = inCrds.filter(isDefinition)
  const resourceOf = resourceFinder([...definitions, ...objects.filter(isDefinition)])
  return mergePermissions([
    ...objects.map((object) => ({ resource: resourceOf(object), verbs })),
    ...(definitions.length > 0 ? definitionPermissions(definitions) : []),
    ...inCrds
      .filter((object) => !isDefinition(object))
      .map((object) => ({ resource: resourceOf(object), verbs: crdsVerbs })),
    ...objects.flatMap(grantedBy),
  ])
}

const isDefinition = ({ kind }: KubeObject) => kind === customResourceDefinitions.kind

/** RBAC cannot restrict `create` to a name. A new definition is watched, by its name, until its kind is served. */
function definitionPermissions(definitions: readonly KubeObject[]): ControllerPermission[] {
  const names = definitions.map(({ metadata }) => metadata.name ?? '')
  return [
    { resource: customResourceDefinitions, verbs: ['create'] },
    { resource: customResourceDefinitions, verbs: ['get', 'list', 'patch', 'watch'], names },
  ]
}

/** One permission for each resource, with all its verbs. */
function mergePermissions(permissions: readonly ControllerPermission[]): ControllerPermission[] {
  const merged = new Map<string, ControllerPermission>()
  for (const permission of permissions) {
    const { resource, subresource = '', names = [] } = permission
    const id = [formatResource(resource), subresource, resource.namespaced, ...names].join(' ')
    const sameResource = merged.get(id)
    const allVerbs = [...new Set([...(sameResource?.verbs ?? []), ...permission.verbs])].sort()
    merged.set(id, { ...permission, verbs: allVerbs })
  }
  return [...merged.values()]
}
