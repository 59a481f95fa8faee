import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { withoutMembers } from '../base/members.js'
import { recordOf } from '../base/object.js'
import type { ServedResource } from '../resources/served-resource.js'

/**
 * Whether a write changes nothing. New times of field managers alone do not change a built-in object, whose type does
 * not distinguish an empty map or list from an absent one. They change a custom resource, for example if an apply
 * repeats an empty map of its metadata. Follows `IgnoreManagedFieldsTimestampsTransformer` of k8s.io/apiserver.
 */
export function isUnchanged({ custom }: ServedResource, next: KubeObject, old: KubeObject): boolean {
  if (jsonEqual(next, old)) return true
  return custom === undefined && jsonEqual(withoutTimes(next), withoutTimes(old))
}

/** The object without the times of its field managers. */
function withoutTimes(object: KubeObject): KubeObject {
  const { managedFields = [] } = object.metadata
  const untimed = managedFields.map((entry) => withoutMembers(recordOf(entry), ['time']))
  return { ...object, metadata: { ...object.metadata, managedFields: untimed } }
}
