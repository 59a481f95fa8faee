import { isCustom } from '../../../engine/cluster/definition.js'
import { customResourceDefinitions } from '../../../engine/kube/builtin.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Permission } from '../permission.js'

/**
 * The permissions needed to see that a custom kind is being removed from the host; none for built-in kinds,
 * which are never removed. Part of the permissions of translators that bring host objects to the virtual cluster.
 */
export function definitionRights(resource: Resource): readonly Permission[] {
  if (!isCustom(resource)) return []
  const { group, plural } = customResourceDefinitions
  return [{ side: 'host', group, resource: plural, verbs: ['get'], namespace: '' }]
}
