import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import { customResourceDefinitions, namespaces } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import { exampleCapabilities } from './example-capabilities.js'

/** A list or a watch that selects one name is permitted by that name. */
const verbs = ['list', 'watch']

/** The groups of Kubernetes itself. */
const builtinGroups = new Set(exampleCapabilities.apiVersions.map(groupOfApiVersion))

/** The permission to watch for the creation of a namespace. */
export const namespaceWatch = (name: string): ControllerPermission => ({
  resource: namespaces,
  verbs,
  names: [name],
})

/**
 * The permissions to watch for what objects may lack in a cluster: namespaces other than that of the release, and
 * definitions of custom kinds. The permission for definitions has no names, because the plural of a kind that is not
 * served is unknown.
 */
export function missingPermissions(
  objects: readonly KubeObject[],
  releaseNamespace: string,
): ControllerPermission[] {
  const others = new Set(objects.map(({ metadata }) => metadata.namespace || releaseNamespace))
  others.delete(releaseNamespace)
  const hasCustom = objects.some(({ apiVersion = '' }) => !builtinGroups.has(groupOfApiVersion(apiVersion)))
  return [
    ...[...others].sort().map(namespaceWatch),
    ...(hasCustom ? [{ resource: customResourceDefinitions, verbs }] : []),
  ]
}
