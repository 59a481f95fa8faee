import { PermanentError } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'

/**
 * Throws a `PermanentError` for an object whose definition in the cluster has another scope than the kind of the
 * program: requests for it would fail with an error about its namespace, or find nothing.
 */
export function checkScope(
  resource: Pick<Resource, 'group' | 'kind' | 'plural' | 'namespaced'>,
  key: Key,
): void {
  const isNamespaced = key.namespace !== ''
  if (isNamespaced === resource.namespaced) return
  const [live, own] = isNamespaced ? ['Namespaced', 'Cluster'] : ['Cluster', 'Namespaced']
  throw new PermanentError(
    `${resource.kind} ${formatKey(key)} has ${isNamespaced ? 'a' : 'no'} namespace, but the program defines the kind as ${own}: the definition of ${formatResource(resource)} in the cluster has the scope ${live}; write the same scope in both. The scope of a definition can only be changed by deleting it, which deletes its objects`,
  )
}
