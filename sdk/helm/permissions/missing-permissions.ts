import { groupOfApiVersion } from '../../engine/kube/api-version.js'
import { customResourceDefinitions, namespaces } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import { exampleCapabilities } from './example-capabilities.js'

/** A list or a watch that selects one name is permitted by that name. */
const verbs = ['list', 'watch']

/** The groups of Kubernetes itself. */
const builtinGroups = new Set(exampleCapabilities.apiVersions.map(groupOfApiVersion))

/** The permission to see that a namespace appears. */
export const namespaceWatch = (name: string): ControllerPermission => ({
  resource: namespaces,
  verbs,
  names: [name],
})

/**
 * The permissions to see that something appears which a cluster lacks for objects: namespaces other than that of their
 * release, and definitions of kinds. Definitions are selected by no name, because the plural of a kind that is not
 * served is not known.
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
