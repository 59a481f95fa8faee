import { isCustom } from '../../cluster/definition.js'
import { customResourceDefinitions } from '../../kube/builtin.js'
import type { Resource } from '../../kube/resource.js'
import type { Permission } from '../permission.js'

/** What it takes to see that a custom kind is going from the host; nothing for the others, which never go. */
export function definitionRights(resource: Resource): readonly Permission[] {
  if (!isCustom(resource)) return []
  const { group, plural } = customResourceDefinitions
  return [{ side: 'host', group, resource: plural, verbs: ['get'], namespace: '' }]
}
